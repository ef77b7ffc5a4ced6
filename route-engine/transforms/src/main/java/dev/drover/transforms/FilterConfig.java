package dev.drover.transforms;

import dev.drover.spi.Option;

record FilterConfig(@Option("Keeps the rows for which it is true") String expression) {}
