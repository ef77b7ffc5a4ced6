/** The command line. Begin with {@link dev.drover.cli.Main}. */
@NullMarked
package dev.drover.cli;

import org.jspecify.annotations.NullMarked;
