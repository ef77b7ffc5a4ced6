package dev.drover.runtime;

import dev.drover.spi.Connector;

/**
 * One end of a route.
 *
 * @param config the connector's options; a record of the type that the connector declares
 */
public record EndpointSpec<C extends Record>(Connector connector, C config) {}
