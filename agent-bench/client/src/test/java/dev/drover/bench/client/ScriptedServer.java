package dev.drover.bench.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A child process that answers each request line with the next of its arguments. */
final class ScriptedServer {
  private ScriptedServer() {}

  /** {@code {id}} in an argument is replaced; {@code silence} sleeps, {@code exit} ends with 3. */
  public static void main(String[] args) throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    int id = 0;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (!line.contains("\"id\":")) {
        continue;
      }
      String answer = args[id++];
      switch (answer) {
        case "exit" -> System.exit(3);
        case "silence" -> Thread.sleep(60_000);
        default -> out.println(answer.replace("{id}", Integer.toString(id)));
      }
    }
  }
}
