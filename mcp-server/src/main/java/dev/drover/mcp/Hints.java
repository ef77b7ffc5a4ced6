package dev.drover.mcp;

/**
 * What a client may expect of a tool; all four are always told.
 *
 * @param readOnly changes nothing
 * @param destructive may undo or overwrite something
 * @param idempotent a second call with the same arguments changes nothing more
 * @param openWorld reaches systems outside this process
 */
record Hints(boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld) {}
