package dev.drover.spi;

/** Rows in the form that the sink's writer takes. Made by an {@link Encoder} of the same sink. */
public interface Encoded {

  int rows();

  /** How many bytes the sink will write. */
  long bytes();

  /** Gives the memory back. Called once by the engine, on any thread, written or not. */
  void release();
}
