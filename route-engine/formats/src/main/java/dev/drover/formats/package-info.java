/**
 * Bytes to batches and back. Begin with {@link dev.drover.formats.Formats}, which finds the parts
 * of a format; {@link dev.drover.formats.RecordReader} is the reading side, an {@link
 * dev.drover.spi.Encoder} that makes {@link dev.drover.formats.EncodedBytes} the writing side.
 */
@NullMarked
package dev.drover.formats;

import org.jspecify.annotations.NullMarked;
