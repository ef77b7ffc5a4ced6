package dev.drover.mcp;

import dev.drover.runtime.Connectors;
import dev.drover.runtime.Engine;
import dev.drover.runtime.FileAccess;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** The MCP server over standard input and output. */
public final class StdioServer {

  /** How long each step of the end may take after a signal. */
  private static final Duration SIGNAL_TIMEOUT = Duration.ofMillis(500);

  private StdioServer() {}

  /**
   * Serves the client at the other end of standard input and output, until it closes its end and
   * what runs has been drained. To be called once a process: nothing else may use standard input or
   * output from then on; {@link System#out} goes to standard error.
   *
   * @return the exit code of the process
   */
  public static int serve(ServerOptions options) {
    InputStream in = new FileInputStream(FileDescriptor.in);
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setIn(InputStream.nullInputStream());
    System.setOut(System.err);
    return serve(options, in, out);
  }

  /**
   * Serves a client that is reached otherwise, as {@link #serve(ServerOptions)} does.
   *
   * @param in the client's messages; not closed
   * @param out takes the answers; not closed
   * @return the exit code that a process would have
   */
  public static int serve(ServerOptions options, InputStream in, OutputStream out) {
    Connectors connectors = Connectors.load();
    FileAccess access =
        FileAccess.fenced(options.roots(), System.getenv())
            .withVariables(options.variables(), System.getenv());
    Thread hook = null;
    try (Journal journal = Journal.open(options.state());
        Engine engine = new Engine(connectors, access, settings(options, journal))) {
      BuildInfo build = BuildInfo.current();
      RouteTools routes = new RouteTools(engine, connectors, access.roots(), build, journal);
      ToolCalls tools = new ToolCalls(routes.all());
      SdkServer server = start(engine, tools, build, options.warmUp());
      Connection connection = new Connection(in, out, tools, server);
      hook = new Thread(() -> endSoon(connection, engine, journal), "end-soon");
      Runtime.getRuntime().addShutdownHook(hook);
      routes.startDurable();
      connection.serve();
      journal.closing();
    } finally {
      remove(hook);
    }
    return 0;
  }

  private static Engine.Settings settings(ServerOptions options, Journal journal) {
    return Engine.Settings.NONE
        .withCheckpoints(options.state(), Path.of("").toAbsolutePath().toString())
        .telling(journal::ended);
  }

  /** Starts the SDK, and practises the moving of rows and calls at the same time. */
  private static SdkServer start(Engine engine, ToolCalls tools, BuildInfo build, Duration warmUp) {
    if (warmUp.isZero()) {
      return new SdkServer(tools, build);
    }
    FutureTask<SdkServer> starting =
        new FutureTask<>(
            () -> {
              SdkServer server = new SdkServer(tools, build);
              WarmUp.shakeHands(tools, server);
              return server;
            });
    Thread.ofPlatform().daemon().name("sdk").start(starting);
    // Rows first: what they leave to the compiler is done while calls are practised.
    Duration forRows = warmUp.multipliedBy(2).dividedBy(5);
    engine.practise(forRows);
    WarmUp.call(tools, warmUp.minus(forRows));
    try {
      return starting.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("the server cannot start", e);
    }
  }

  /** A signal leaves little time: answer, commit what is written, and drain while there is any. */
  private static void endSoon(Connection connection, Engine engine, Journal journal) {
    journal.closing();
    connection.end(SIGNAL_TIMEOUT);
    engine.stop();
  }

  private static void remove(@Nullable Thread hook) {
    if (hook != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process is ending already, and the hook is at work.
      }
    }
  }
}
