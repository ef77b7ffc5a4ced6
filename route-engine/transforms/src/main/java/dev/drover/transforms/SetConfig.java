package dev.drover.transforms;

import dev.drover.spi.Option;

record SetConfig(@Option("The values by the names of their fields") Object fields) {}
