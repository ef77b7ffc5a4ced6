package dev.drover.transforms;

import dev.drover.spi.Chunk;

/**
 * Where rows come from.
 *
 * @param split its id
 * @param stream what {@code start} is a place in
 * @param start as {@link Chunk#start}
 */
public record Place(String split, String stream, long start) {

  /** No place at all. */
  public static final Place NOWHERE = new Place("", "", 0);

  /** The place of a chunk's rows. */
  public static Place of(Chunk chunk) {
    long start = chunk.start();
    String split = chunk.split().id();
    // Without a place the chunk itself tells its rows apart.
    return start < 0
        ? new Place(split, split + " " + chunk.end().text(), 0)
        : new Place(split, split + " " + chunk.stream(), start);
  }
}
