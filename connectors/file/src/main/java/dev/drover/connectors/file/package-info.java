@NullMarked
package dev.drover.connectors.file;

import org.jspecify.annotations.NullMarked;
