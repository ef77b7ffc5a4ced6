package dev.drover.formats;

import dev.drover.spi.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Finds the records of one byte stream: the sequential half of reading a format. One thread; one
 * reader a split.
 *
 * <p>The caller fills a block, asks {@link #cut} for the last record border in it, takes the
 * records up to there with {@link #take}, and moves the bytes after the border to the start of the
 * next block. If there is no border, it makes the block larger, reads more and asks again.
 */
public interface RecordReader {

  /**
   * Looks for the last record border in a block. The block begins at a record border. Calling again
   * with the same bytes and more of them goes on where the last call ended. The reader may change
   * bytes of the block that no record needs, up to the padding.
   *
   * @param block the bytes, with {@link dev.drover.spi.Batch#PADDING} more after {@code length}
   * @param length how many bytes there are
   * @param end whether the stream ends here, so that what is left is the last record
   * @return the index after the last complete record; 0 if there is none
   * @throws dev.drover.spi.DroverException if no border can be found any more, or the header is
   *     broken
   */
  int cut(byte[] block, int length, boolean end);

  /**
   * Reads only what all records of the stream need to be understood: its header. For who goes on in
   * the middle; called before the first {@link #cut}, which may then begin at any record border.
   * Calling again with the same bytes and more of them goes on where the last call ended. The block
   * stays with the caller.
   *
   * @param block the first bytes of the stream, as for {@link #cut}
   * @param end whether the stream ends here
   * @return the index after the header, 0 if the format has none; negative if more bytes are
   *     needed, or at the end if there is none
   * @throws dev.drover.spi.DroverException if the header is broken
   */
  int header(byte[] block, int length, boolean end);

  /**
   * Takes the records before the border that {@link #cut} has just returned. The block belongs to
   * the returned records from here on; the caller has copied what is after the border.
   */
  Records take();

  /**
   * What the header of the stream says, once {@link #cut} or {@link #header} has found it; null
   * before that, and in formats without one.
   */
  default @Nullable Schema schema() {
    return null;
  }

  /** Records as they stand in a block; decoded once at most, by any thread. */
  interface Records {

    /** As {@link dev.drover.spi.Chunk#decode}. */
    void decode(dev.drover.spi.Decoded out);

    /** As {@link dev.drover.spi.Chunk#release}; gives the block back too. */
    void release();
  }
}
