package dev.drover.bench.lab;

import dev.drover.bench.client.Fixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The command line's {@code copy}: the whole process, start to exit. */
record CopyContestant(List<String> command, Input input, Path out) implements Contestant {
  private static final String TYPES =
      "{\"properties\":{\"id\":{\"type\":\"integer\"},"
          + "\"attributes\":{\"contentMediaType\":\"application/json\"}}}";

  /** {@code drover copy} of {@code input}. */
  static CopyContestant of(Session session, Input input) {
    Path out = session.folder().resolve("copied.jsonl");
    return new CopyContestant(
        session.command("copy", input.csv().toString(), out.toString()), input, out);
  }

  /** The same with id as integer and attributes decoded. */
  static CopyContestant typed(Session session, Input input) throws IOException {
    Path out = session.folder().resolve("copied.jsonl");
    String from = input.csv() + "|cast?schema=" + TYPES;
    String sha256 = Fixture.typedLinesSha256(input.rows());
    Input typed = new Input(input.csv(), input.rows(), input.bytes(), sha256);
    return new CopyContestant(session.command("copy", from, out.toString()), typed, out);
  }

  @Override
  public String name() {
    return "Drover, copy, whole process";
  }

  @Override
  public Sample run() throws IOException, InterruptedException {
    Files.deleteIfExists(out);
    double cpu = ProcessUse.endedChildrenCpuSeconds();
    long begun = System.nanoTime();
    Process process = start();
    int code = process.waitFor();
    double wall = (System.nanoTime() - begun) / 1e9;
    double used = ProcessUse.endedChildrenCpuSeconds() - cpu;
    check(code);
    return new Sample(wall, used, Double.NaN);
  }

  /** Runs it while looking at its memory, which costs time: peak resident memory in MiB. */
  double peakMib() throws IOException, InterruptedException {
    Files.deleteIfExists(out);
    Process process = start();
    long peak = 0;
    while (process.isAlive()) {
      peak = Math.max(peak, ProcessUse.peakKib(process.pid()));
      Thread.sleep(1);
    }
    check(process.waitFor());
    return peak / 1024.0;
  }

  private Process start() throws IOException {
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private void check(int code) throws IOException {
    if (code != 0) {
      throw new WrongOutputException(String.join(" ", command) + " ended with " + code);
    }
    input.check(name(), out);
  }
}
