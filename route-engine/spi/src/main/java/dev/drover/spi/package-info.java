/**
 * What the author of a connector sees. Begin with {@link dev.drover.spi.Connector}; the life of the
 * rows is told by {@link dev.drover.spi.Reader}, {@link dev.drover.spi.Chunk}, {@link
 * dev.drover.spi.Batch}, {@link dev.drover.spi.Encoder} and {@link dev.drover.spi.SinkWriter}, in
 * this order.
 *
 * <p>Connectors throw {@link dev.drover.spi.DroverException} for everything that they can name; any
 * other exception is reported as an internal error of the connector.
 */
@NullMarked
package dev.drover.spi;

import org.jspecify.annotations.NullMarked;
