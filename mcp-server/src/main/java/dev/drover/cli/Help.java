package dev.drover.cli;

import java.util.List;

/** The texts that need no parser. */
final class Help {

  static final List<String> COMMANDS =
      List.of("copy", "inspect", "mcp", "checkpoint", "demo", "bench", "build", "version", "help");

  /** Columns of a help text. */
  static final int WIDTH = 100;

  private Help() {}

  static boolean isWanted(List<String> arguments) {
    return arguments.size() == 1
        && (arguments.getFirst().equals("--help") || arguments.getFirst().equals("-h"));
  }

  static String overview() {
    return """
        Usage: drover COMMAND [ARGUMENTS]

        Moves rows between systems, for a person at the shell or for an LLM agent over MCP.

        Commands:
          copy        copy rows from a source to a target
          inspect     find out the types of a source's rows
          mcp         serve agents over MCP on standard input and output
          checkpoint  show, reset or set the checkpoint of a route
          demo        make a million rows, move them through the MCP server, check and measure
          bench       measure; 'bench mcp' measures the MCP server
          build       build what changed and prepare quick starts; every command but 'mcp' does so by itself
          version     say what runs

        Each has --help.

        Examples:
          drover copy orders.csv orders.jsonl
          drover demo
          claude mcp add drover -- /path/to/drover mcp

        Exit codes: 0 done; 1 failed; 2 bad usage; 3 done, with rows that were skipped or put aside
        by choice; 130 and 143 stopped by a signal.
        """;
  }

  static String inspect() {
    return """
        Usage: drover inspect SOURCE [--rows N]

        Reads the rows of SOURCE, a path or URI as copy takes it, transforms and all, and prints
        what they are as a JSON Schema: the file that the transform cast takes. A column has a type
        only if each of its values does, written so that nothing is lost. --rows N looks at the
        first N rows only.

        Examples:
          drover inspect orders.csv
          drover inspect orders.csv > orders.schema.json
          drover copy 'orders.csv|cast?schema_file=orders.schema.json' orders.jsonl
        """;
  }

  static String checkpoint() {
    return """
        Usage: drover checkpoint show [ID|FILE]
               drover checkpoint reset ID|FILE
               drover checkpoint set ID|FILE [SPLIT] OFFSET

        A checkpoint says up to where a route has delivered its source. It lies beside the file that
        the route writes (FILE.drover), or in the state folder under an id. 'reset'
        forgets it: the next run begins at the start. 'set' moves it: rows before OFFSET are not
        delivered again, and rows after it are, so a wrong offset loses or doubles rows. Stop the
        route first.

        The state folder is named by DROVER_STATE_DIR; without it, it is drover in XDG_STATE_HOME or
        ~/.local/state.

        Examples:
          drover checkpoint show
          drover checkpoint show orders.jsonl
          drover checkpoint reset orders.jsonl
        """;
  }

  static String version() {
    return """
        Usage: drover version

        Says what runs: the version, the commit that it was built from, Java and the system.

        Example:
          drover version
        """;
  }
}
