@NullMarked
package dev.drover.connectors.core;

import org.jspecify.annotations.NullMarked;
