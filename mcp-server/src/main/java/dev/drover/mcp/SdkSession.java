package dev.drover.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.ListToolsResult;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A session of the SDK over a connection. */
final class SdkSession implements Connection.Session, McpServerTransport {

  /** The first revision with titles and schemas of replies. */
  private static final String OUTPUT_SCHEMA_SINCE = "2025-06-18";

  private final McpServerSession session;
  private final MessageWriter messages;
  private final McpJsonMapper mapper;
  private volatile @Nullable String revision;

  SdkSession(McpServerSession.Factory sessions, MessageWriter messages, McpJsonMapper mapper) {
    this.messages = messages;
    this.mapper = mapper;
    this.session = sessions.create(this);
  }

  @Override
  public void request(String method, Object id, @Nullable Object params) {
    session
        .handle(new McpSchema.JSONRPCRequest(method, id, params == null ? Map.of() : params))
        .subscribe(nothing -> {}, fault -> refuse(id, fault));
    if (method.equals(McpSchema.METHOD_INITIALIZE) && revision != null) {
      // The SDK parks whatever comes before this notification; a client that was answered is ready.
      session
          .handle(new McpSchema.JSONRPCNotification(McpSchema.METHOD_NOTIFICATION_INITIALIZED))
          .subscribe(nothing -> {}, fault -> {});
    }
  }

  private void refuse(Object id, Throwable fault) {
    send(
        JSONRPCResponse.error(
            id, new JSONRPCError(Connection.INTERNAL_ERROR, ToolCalls.logged(fault), null)));
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.fromRunnable(() -> send(message));
  }

  private void send(JSONRPCMessage message) {
    JSONRPCMessage shown = message instanceof JSONRPCResponse response ? fit(response) : message;
    try {
      messages.send(new JsonWriter().raw(mapper.writeValueAsString(shown)).newLine());
    } catch (IOException e) {
      throw new IllegalStateException("the SDK's answer is no JSON", e);
    }
  }

  /** Fits an answer to the revision, and takes out what only the log should know. */
  private JSONRPCResponse fit(JSONRPCResponse response) {
    JSONRPCError error = response.error();
    if (error != null && error.code() == Connection.INTERNAL_ERROR) {
      String text = ToolCalls.logged(new IllegalStateException(error.message()));
      return JSONRPCResponse.error(
          response.id(), new JSONRPCError(Connection.INTERNAL_ERROR, text, null));
    }
    if (response.result() instanceof InitializeResult result) {
      revision = result.protocolVersion();
    } else if (response.result() instanceof ListToolsResult result && isOlder()) {
      List<McpSchema.Tool> tools = result.tools().stream().map(SdkSession::withoutOutput).toList();
      return JSONRPCResponse.result(
          response.id(), new ListToolsResult(tools, result.nextCursor(), result.meta()));
    }
    return response;
  }

  private boolean isOlder() {
    String agreed = revision;
    return agreed == null || agreed.compareTo(OUTPUT_SCHEMA_SINCE) < 0;
  }

  private static McpSchema.Tool withoutOutput(McpSchema.Tool tool) {
    return McpSchema.Tool.builder(tool.name(), tool.inputSchema())
        .description(tool.description())
        .annotations(tool.annotations())
        .build();
  }

  @Override
  public @Nullable String revision() {
    return revision;
  }

  @Override
  public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
    try {
      return mapper.convertValue(data, type);
    } catch (IllegalArgumentException e) {
      // The SDK would show the client its own classes.
      throw McpError.builder(Connection.INVALID_PARAMS)
          .message("the params are not what the protocol wants for this method")
          .build();
    }
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.empty();
  }

  @Override
  public void close() {}

  @Override
  public List<String> protocolVersions() {
    return REVISIONS;
  }
}
