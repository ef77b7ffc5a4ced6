package dev.drover.spi;

/**
 * How far a split has come: everything before the offset is with the sink.
 *
 * @param offset for systems that keep offsets in a form of their own
 * @param stored what to store for the split, and what {@link SinkWriter#restore} gives back; made
 *     by the engine, one line of text, some hundred characters at most as a rule
 */
public record Progress(Offset offset, String stored) {}
