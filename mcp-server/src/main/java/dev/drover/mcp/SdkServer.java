package dev.drover.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/**
 * The SDK's server with our tools projected to its model, and our transport under it: the SDK sees
 * the provider, connections see {@link #open}.
 */
final class SdkServer implements McpServerTransportProvider, Connection.Sessions {

  /** Shown to the model at the start; clients cut it at 512 characters. */
  static final String INSTRUCTIONS =
      """
      Drover moves rows between files and systems; only counts come back to you, never the rows. \
      1) start_route with one input and one output 2) wait_route once 3) stop_route for the final \
      counts. CSV becomes JSON lines. An existing file is refused unless the output says write_mode \
      replace. An error lists every problem with its place and a call that works. Do not \
      read or write the files yourself.""";

  private final McpJsonMapper mapper = new JacksonMcpJsonMapper(JsonMapper.builder().build());
  private McpServerSession.@Nullable Factory factory;

  SdkServer(ToolCalls tools, BuildInfo build) {
    McpServer.AsyncSpecification<?> specification =
        McpServer.async(this)
            .serverInfo(build.name(), build.version())
            .instructions(INSTRUCTIONS)
            .capabilities(ServerCapabilities.builder().tools(false).build())
            .jsonMapper(mapper)
            .jsonSchemaValidator(new OwnValidation())
            .validateToolInputs(false);
    for (Tool tool : tools.all()) {
      specification.toolCall(
          project(tool),
          (exchange, request) ->
              Mono.fromCallable(() -> call(tool, request.arguments()))
                  .subscribeOn(Schedulers.boundedElastic()));
    }
    // It hands its session factory to this transport, and needs no closing.
    specification.build();
  }

  private McpSchema.Tool project(Tool tool) {
    Hints hints = tool.hints();
    return McpSchema.Tool.builder(tool.name(), mapper, tool.inputSchema())
        .title(tool.title())
        .description(tool.description())
        .outputSchema(mapper, tool.outputSchema())
        .annotations(
            ToolAnnotations.builder()
                .readOnlyHint(hints.readOnly())
                .destructiveHint(hints.destructive())
                .idempotentHint(hints.idempotent())
                .openWorldHint(hints.openWorld())
                .build())
        .build();
  }

  /** The SDK's way to a tool; our own connections take a shorter one. */
  private CallToolResult call(Tool tool, @Nullable Map<String, Object> arguments) {
    ToolCalls.Reply reply = new ToolCalls.Reply();
    ToolCalls.Waiting waiting = ToolCalls.begin(tool, arguments, reply);
    if (waiting != null) {
      waiting.finish(NO_PROGRESS, reply);
    }
    String json = reply.json().toString();
    return CallToolResult.builder()
        .addTextContent(json)
        .structuredContent(mapper, json)
        .isError(reply.isError())
        .build();
  }

  private static final Tool.Progress NO_PROGRESS =
      new Tool.Progress() {
        @Override
        public boolean wanted() {
          return false;
        }

        @Override
        public void report(long done, long total, String message) {}
      };

  /** Arguments and replies are checked where the tools are declared. */
  private static final class OwnValidation implements JsonSchemaValidator {
    @Override
    public ValidationResponse validate(Map<String, Object> schema, Object content) {
      return ValidationResponse.asValid(null);
    }
  }

  @Override
  public Connection.Session open(MessageWriter messages) {
    McpServerSession.Factory sessions = factory;
    if (sessions == null) {
      throw new IllegalStateException("the SDK has set no session factory");
    }
    return new SdkSession(sessions, messages, mapper);
  }

  @Override
  public void setSessionFactory(McpServerSession.Factory sessionFactory) {
    factory = sessionFactory;
  }

  @Override
  public Mono<Void> notifyClients(String method, Object params) {
    return Mono.empty();
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.empty();
  }

  @Override
  public List<String> protocolVersions() {
    return Connection.Session.REVISIONS;
  }
}
