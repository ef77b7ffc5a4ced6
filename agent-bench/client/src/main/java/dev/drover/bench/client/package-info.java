/**
 * What a client of the MCP server needs: the fixture, a small MCP client, the demo and the latency
 * and throughput bench. Begin with {@link dev.drover.bench.client.McpClient}. Knows the server only
 * as a child process that speaks JSON-RPC over its standard streams.
 */
@NullMarked
package dev.drover.bench.client;

import org.jspecify.annotations.NullMarked;
