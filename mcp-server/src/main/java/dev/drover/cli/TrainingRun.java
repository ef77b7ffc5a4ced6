package dev.drover.cli;

import dev.drover.mcp.ServerOptions;
import dev.drover.mcp.StdioServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Does once what a command does most, so that the JVM can keep what it learned: classes, and
 * profiles of the loops that move rows. The launcher runs it after a build, for each command by
 * itself because the JVM loads all that a cache holds at each start. The working folder is one that
 * is thrown away. Nothing but the speed of later starts depends on it.
 */
final class TrainingRun {

  private static final int ROUNDS = 4;
  private static final int CALLS = 100;

  /** Types and other formats than the commonest, from {@code orders.csv}: source and target. */
  private static final List<List<String>> OTHERS =
      List.of(
          List.of(
              "orders.csv|cast?schema={\"properties\":{\"id\":{\"type\":\"integer\"},"
                  + "\"attributes\":{\"contentMediaType\":\"application/json\"}}}",
              "typed.jsonl"),
          List.of("orders.csv|infer", "typed.jsonl"),
          List.of("typed.jsonl|select?keep=id,first_name,amount", "some.jsonl"));

  private TrainingRun() {}

  /** The only argument is the command, {@code copy} or {@code mcp}. */
  public static void main(String[] args) throws IOException {
    // A fixed seed: two builds of the same sources train on the same rows.
    Random random = new Random(42);
    Path orders = writeOrders(Path.of("orders.csv"), random, 80_000);
    Path wide = writeWide(Path.of("wide.csv"), random, 4_000);
    Path quoted = writeQuoted(Path.of("quoted.csv"), random, 40_000);
    Path narrow = writeNarrow(Path.of("narrow.csv"), random, 150_000);
    List<Path> round = List.of(orders, wide, orders, quoted, orders, narrow);
    if (args[0].equals("mcp")) {
      // The way in, with an option for its parser: the server finds the end of standard input at
      // once.
      run("mcp", "--root", ".");
      converse(round);
      copyOthers();
    } else {
      copy(round);
    }
    System.exit(ExitCode.DONE);
  }

  private static void copy(List<Path> round) {
    for (int i = 0; i < ROUNDS; i++) {
      for (Path file : round) {
        run("copy", file.toString(), "copied.jsonl");
      }
    }
    copyOthers();
  }

  private static void copyOthers() {
    for (List<String> other : OTHERS) {
      run("copy", other.getFirst(), other.getLast());
    }
  }

  private static void run(String... args) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    int code = Main.run(args, new Streams(nowhere, System.err, false));
    if (code != ExitCode.DONE) {
      throw new IllegalStateException("%s ended with %d".formatted(String.join(" ", args), code));
    }
  }

  /** Talks to a server in this process as an agent does. */
  private static void converse(List<Path> round) {
    List<String> requests = new ArrayList<>();
    requests.add(
        """
        "method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},\
        "clientInfo":{"name":"training","version":"1"}}""");
    requests.add("\"method\":\"tools/list\"");
    requests.add(call("server_info", "{}"));
    for (int i = 0; i < CALLS; i++) {
      requests.add(call("route_status", "{}"));
      requests.add(call("route_status", "{\"name\":\"nobody\"}"));
      requests.add(
          call("start_route", "{\"route\":{\"input\":{\"fil\":\"a\"},\"output\":{\"\":1}}}"));
    }
    for (int i = 0; i < ROUNDS; i++) {
      for (Path file : round) {
        requests.add(call("start_route", start(file)));
        requests.add(call("route_status", "{\"name\":\"training\"}"));
        requests.add(call("wait_route", "{\"name\":\"training\",\"timeout_ms\":20000}"));
        requests.add(call("stop_route", "{\"name\":\"training\"}"));
      }
    }
    Conversation conversation = new Conversation(requests);
    StdioServer.serve(ServerOptions.defaults(), conversation.requests(), conversation.replies());
    if (conversation.answered() != requests.size()) {
      throw new IllegalStateException(
          "%d of %d requests were answered".formatted(conversation.answered(), requests.size()));
    }
  }

  private static String call(String tool, String arguments) {
    return "\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}"
        .formatted(tool, arguments);
  }

  private static String start(Path file) {
    return """
    {"name":"training","route":{"input":{"file":{"path":"%s","format":"csv"}},\
    "output":{"file":{"path":"served.jsonl","format":"raw","write_mode":"replace"}},\
    "exit_on_empty":true},"if_exists":"replace"}"""
        .formatted(file);
  }

  /** Like the rows that many tools are measured with: some quotes, some numbers, some JSON. */
  private static Path writeOrders(Path file, Random random, int rows) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write("id,first_name,country,amount,created_at,active,attributes\r\n");
      for (int i = 1; i <= rows; i++) {
        out.write(
            "%d,Farah,BR,%d.%02d,2020-01-01T00:%02d:%02dZ,%b,\"{\"\"tier\"\":\"\"pro\"\",\"\"score\"\":%d}\"\r\n"
                .formatted(
                    i,
                    random.nextInt(10_000),
                    random.nextInt(100),
                    random.nextInt(60),
                    random.nextInt(60),
                    random.nextBoolean(),
                    random.nextInt(100)));
      }
    }
    return file;
  }

  private static Path writeWide(Path file, Random random, int rows) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write("c0");
      for (int column = 1; column < 60; column++) {
        out.write(",c" + column);
      }
      for (int i = 0; i < rows; i++) {
        out.write("\n" + i);
        for (int column = 1; column < 60; column++) {
          out.write("," + random.nextInt(1_000_000));
        }
      }
      out.write("\n");
    }
    return file;
  }

  /** Every field quoted, with line breaks and letters outside ASCII. */
  private static Path writeQuoted(Path file, Random random, int rows) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write("\"id\",\"text\",\"note\"\n");
      for (int i = 0; i < rows; i++) {
        out.write(
            "\"%d\",\"first line %d\nsecond \"\"line\"\"\",\"Grüße, %d €\"\n"
                .formatted(i, random.nextInt(1000), random.nextInt(1000)));
      }
    }
    return file;
  }

  private static Path writeNarrow(Path file, Random random, int rows) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write("a,b,c\n");
      for (int i = 0; i < rows; i++) {
        out.write("%d,%d,x%d\n".formatted(i, random.nextInt(100_000), random.nextInt(1000)));
      }
    }
    return file;
  }
}
