package dev.drover.runtime;

import dev.drover.spi.WriteMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A route as it was asked for, checked and complete: the options are bound to the connectors' own
 * records.
 *
 * @param name names the run; null: the engine makes one up
 * @param transforms what is done to the rows, in order
 * @param deadLetter the sink for refused rows; null unless {@code on_reject} is {@code dead_letter}
 * @param writeMode the write mode of a run that ends by itself, unless the sink's options say
 *     otherwise
 * @param limitRows how many rows to deliver at most; 0: all
 */
public record RouteSpec(
    @Nullable String name,
    EndpointSpec<?> source,
    List<TransformSpec> transforms,
    EndpointSpec<?> sink,
    @Nullable EndpointSpec<?> deadLetter,
    RouteOptions options,
    RetryPolicy retry,
    WriteMode writeMode,
    long limitRows) {

  public RouteSpec {
    transforms = List.copyOf(transforms);
  }

  /** JSON pointers, from the route, of the options that hold secrets; they must not be kept. */
  public List<String> secrets() {
    List<String> paths = new ArrayList<>();
    source.addSecrets("/input", paths);
    sink.addSecrets("/output", paths);
    if (deadLetter != null) {
      deadLetter.addSecrets("/dead_letter", paths);
    }
    return paths;
  }

  /** The same route, delivering at most so many rows. */
  public RouteSpec withLimitRows(long rows) {
    return new RouteSpec(
        name, source, transforms, sink, deadLetter, options, retry, writeMode, rows);
  }
}
