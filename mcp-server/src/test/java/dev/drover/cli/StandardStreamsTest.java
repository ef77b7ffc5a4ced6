package dev.drover.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies from standard input and to standard output, in processes that have real ones. */
class StandardStreamsTest {

  private static final byte[] CSV = "a,b\n1,x\n2,y\n".getBytes(UTF_8);
  private static final String LINES = "{\"a\":\"1\",\"b\":\"x\"}\n{\"a\":\"2\",\"b\":\"y\"}\n";

  @TempDir private Path folder;
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private Process start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.drover.cli.Main",
                "copy"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectError(Redirect.to(folder.resolve("err").toFile()))
            .start();
    processes.add(process);
    return process;
  }

  private String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  private byte[] run(int exit, byte[] input, String... arguments) throws Exception {
    Process process = start(arguments);
    try (OutputStream in = process.getOutputStream()) {
      in.write(input);
    }
    byte[] out = process.getInputStream().readAllBytes();
    assertThat(process.waitFor(60, SECONDS)).isTrue();
    assertThat(process.exitValue()).as(err()).isEqualTo(exit);
    return out;
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream packed = new GZIPOutputStream(out)) {
      packed.write(bytes);
    }
    return out.toByteArray();
  }

  @Test
  void copiesFromOneToTheOther() throws Exception {
    assertThat(run(0, CSV, "-?format=csv", "-")).asString(UTF_8).isEqualTo(LINES);
    assertThat(err()).contains("copied 2 rows", "standard output");
    assertThat(run(0, CSV, "-?format=csv", "-", "--json")).asString(UTF_8).isEqualTo(LINES);
    assertThat(err()).startsWith("{").contains("\"messages\":2");
  }

  @Test
  void compressesAndDecompresses() throws Exception {
    byte[] out = run(0, gzip(CSV), "-?format=csv", "-?compression=gzip");
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(out))) {
      assertThat(in.readAllBytes()).asString(UTF_8).isEqualTo(LINES);
    }
    byte[] all = gzip(CSV);
    byte[] half = Arrays.copyOf(all, all.length - 4);
    run(1, half, "-?format=csv", "null:");
    assertThat(err()).contains("standard input: ", "truncated", "(corrupt_input)");
  }

  @Test
  void wantsAFormat() throws Exception {
    assertThat(run(2, CSV, "-", "-")).isEmpty();
    assertThat(err()).contains("-?format=csv", "missing_option");
  }

  @Test
  void endsWhenNobodyReadsAnyMore() throws Exception {
    StringBuilder csv = new StringBuilder("a,b\n");
    for (int i = 0; i < 200_000; i++) {
      csv.append(i).append(",some text\n");
    }
    Path in = Files.writeString(folder.resolve("in.csv"), csv);
    Process process = start(in.toString(), "-");
    assertThat(process.getInputStream().readNBytes(100)).hasSize(100);
    process.getInputStream().close();
    assertThat(process.waitFor(60, SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(ExitCode.FAILED);
    assertThat(err()).contains("(target_closed)", "standard output");
  }

  @Test
  void aSignalEndsTheWaitForInput() throws Exception {
    Process process = start("-?format=csv", folder.resolve("out.jsonl").toString());
    process.getOutputStream().write(CSV);
    process.getOutputStream().flush();
    while (!Files.exists(folder.resolve("out.jsonl.part"))) {
      assertThat(process.isAlive()).as(err()).isTrue();
      Thread.sleep(5);
    }
    process.destroy();
    assertThat(process.waitFor(60, SECONDS)).isTrue();
    assertThat(process.exitValue()).as(err()).isEqualTo(ExitCode.SIGNAL + 15);
    assertThat(folder.resolve("out.jsonl")).doesNotExist();
  }

  @Test
  void cannotBeGoneOnWith() throws Exception {
    Path in = Files.write(folder.resolve("in.csv"), CSV);
    run(2, new byte[0], in.toString(), "-", "--resume");
    assertThat(err()).contains("cannot be gone on with");
  }
}
