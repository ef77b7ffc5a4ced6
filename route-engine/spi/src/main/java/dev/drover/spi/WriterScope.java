package dev.drover.spi;

/** What a writer may ask of the engine. Any thread. */
public interface WriterScope {

  Access access();

  /** Memory for encoded rows. */
  Buffers buffers();
}
