/** Reads and writes files. Begin with {@link dev.drover.connectors.file.FileConnector}. */
@NullMarked
package dev.drover.connectors.file;

import org.jspecify.annotations.NullMarked;
