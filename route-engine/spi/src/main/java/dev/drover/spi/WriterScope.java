package dev.drover.spi;

/** What a writer may ask of the engine. Any thread. */
public interface WriterScope {

  Access access();

  /** Memory for encoded rows. */
  Buffers buffers();

  /**
   * Names the checkpoint of the run: the same for each run of the same route, letters, digits,
   * dashes and dots. Empty if the run has none.
   */
  String checkpointId();

  /**
   * Where the rows come from, for people: told when a target turns out to hold those of another
   * source.
   */
  String source();

  /**
   * Whether to go on from what an earlier run of the same checkpoint has left; otherwise it is
   * thrown away.
   */
  boolean resume();
}
