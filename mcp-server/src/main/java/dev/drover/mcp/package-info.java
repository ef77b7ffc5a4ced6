/**
 * The MCP server. Begin with {@link dev.drover.mcp.StdioServer}; a message's way is {@code
 * Connection} (lines and JSON-RPC), {@code ToolCalls} (any tool), {@code RouteTools} (ours); all
 * but calls and pings goes to the SDK's session behind {@code SdkServer}.
 */
@NullMarked
package dev.drover.mcp;

import org.jspecify.annotations.NullMarked;
