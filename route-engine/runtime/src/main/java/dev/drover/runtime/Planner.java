package dev.drover.runtime;

import dev.drover.spi.Access;
import dev.drover.spi.Capability;
import dev.drover.spi.CommitMode;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Guarantee;
import dev.drover.spi.Need;
import dev.drover.spi.Problem;
import dev.drover.spi.RunMode;
import dev.drover.spi.Sink;
import dev.drover.spi.Source;
import dev.drover.spi.WriteMode;
import dev.drover.transforms.Infer;
import dev.drover.transforms.Transform;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Works out how a route runs and what it promises, or why it cannot. Moves no row. */
final class Planner {

  /**
   * A route that can run.
   *
   * @param transforms what is applied to the rows; {@link Infer} among them is still to be resolved
   * @param deadLetter null unless refused rows are stored
   * @param checkpointId empty if the run has no checkpoint
   */
  record Plan(
      RouteSpec spec,
      Source source,
      List<Transform> transforms,
      Sink sink,
      @Nullable Sink deadLetter,
      RunMode mode,
      CommitMode commitMode,
      Guarantee guarantee,
      String checkpointId) {

    boolean endless() {
      return mode.endless();
    }
  }

  /** Dead letters pile up, whatever the run does. */
  private static final RunMode LETTERS_MODE =
      new RunMode(true, false, Guarantee.AT_LEAST_ONCE, WriteMode.APPEND);

  private final Access access;
  private final boolean hasStore;
  private final String workspace;

  /**
   * @param hasStore whether there is a place for checkpoints that no sink keeps
   * @param workspace tells routes of the same name apart
   */
  Planner(Access access, boolean hasStore, String workspace) {
    this.access = access;
    this.hasStore = hasStore;
    this.workspace = workspace;
  }

  /**
   * @throws SpecException with everything that is wrong
   */
  Plan plan(RouteSpec spec) {
    List<Problem> problems = new ArrayList<>();
    Source source = collect(problems, () -> spec.source().source(access), "/input", spec.source());
    RunMode mode = mode(spec, source, problems);
    List<Transform> transforms = transforms(spec, source, problems);
    Sink sink = collect(problems, () -> spec.sink().sink(access, mode), "/output", spec.sink());
    EndpointSpec<?> letters = spec.deadLetter();
    Sink deadLetter =
        letters == null
            ? null
            : collect(problems, () -> letters.sink(access, LETTERS_MODE), "/dead_letter", letters);
    if (source == null || sink == null || !problems.isEmpty()) {
      throw new SpecException(problems);
    }
    transforms = withNeeds(transforms, sink.needs());
    checkSameFile(reads(source, sink.identity()), "/output", "input and output", problems);
    if (deadLetter != null) {
      Object lettersIdentity = deadLetter.identity();
      checkSameFile(
          reads(source, lettersIdentity), "/dead_letter", "input and dead letters", problems);
      checkSameFile(
          lettersIdentity != null && lettersIdentity.equals(sink.identity()),
          "/dead_letter",
          "output and dead letters",
          problems);
    }
    CommitMode commitMode = sink.commitMode();
    if (commitMode == CommitMode.WITH_CHECKPOINT && !mode.resumable()) {
      throw new IllegalStateException("there is no checkpoint that the sink could keep");
    }
    boolean keepsCheckpoint = mode.resumable();
    if (mode.resumable() && commitMode == CommitMode.ROWS && !hasStore) {
      keepsCheckpoint = false;
      if (spec.options().resume()) {
        problems.add(
            new Problem(
                ErrorCode.NOT_SUPPORTED,
                "/resume",
                "there is no place to keep the checkpoint",
                "name a folder in " + StateFolder.VARIABLE));
      }
    }
    if (mode.resumable() && commitMode == CommitMode.AT_END) {
      keepsCheckpoint = false;
      problems.add(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              "/resume",
              "the '%s' output shows all rows at its end or none, so there is nothing to resume"
                  .formatted(spec.sink().connector().name()),
              "leave resume out"));
    }
    Guarantee guarantee = guarantee(commitMode, source);
    checkDemand(spec, guarantee, commitMode, problems);
    if (!problems.isEmpty()) {
      throw new SpecException(problems);
    }
    return new Plan(
        spec,
        source,
        transforms,
        sink,
        deadLetter,
        mode,
        commitMode,
        guarantee,
        keepsCheckpoint ? CheckpointId.of(spec, workspace) : "");
  }

  /** With what the sink, or a transform, wants of the rows. */
  private static List<Transform> withNeeds(List<Transform> transforms, Set<Need> needs) {
    List<Transform> all = new ArrayList<>();
    if (needs.contains(Need.MESSAGE_ID)) {
      all.add(Transform.messageIds());
    }
    if (!transforms.isEmpty() || needs.contains(Need.FIELDS)) {
      all.add(Transform.decodePayloads());
    }
    all.addAll(transforms);
    if (needs.contains(Need.FLAT)) {
      all.add(Transform.flatten());
    }
    return all;
  }

  private List<Transform> transforms(
      RouteSpec spec, @Nullable Source source, List<Problem> problems) {
    List<Transform> transforms = new ArrayList<>();
    for (TransformSpec transform : spec.transforms()) {
      try {
        transforms.addAll(transform.create(access));
      } catch (DroverException e) {
        problems.add(e.problem().under(transform.path()));
        continue;
      }
      boolean infers = transforms.getLast() instanceof Infer;
      if (infers && source != null && !source.traits().replayable()) {
        problems.add(
            new Problem(
                ErrorCode.NOT_SUPPORTED,
                transform.path(),
                "infer reads the input twice, which the '%s' source does not allow"
                    .formatted(spec.source().connector().name()),
                "use cast with a schema; drover inspect writes one"));
      }
    }
    return transforms;
  }

  private static RunMode mode(RouteSpec spec, @Nullable Source source, List<Problem> problems) {
    RouteOptions options = spec.options();
    Boolean exitOnEmpty = options.exitOnEmpty();
    boolean finite = source == null || source.traits().finite();
    boolean endless = exitOnEmpty == null ? !finite : !exitOnEmpty;
    if (source != null && endless && finite && !spec.source().can(Capability.FOLLOW)) {
      problems.add(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              "/exit_on_empty",
              "the '%s' source ends with its last row and cannot wait for more"
                  .formatted(spec.source().connector().name()),
              "leave exit_on_empty out, or set it to true"));
    }
    boolean canResume =
        source != null && source.traits().replayable() && spec.source().can(Capability.RESUME);
    if (source != null && options.resume() && !canResume) {
      problems.add(
          new Problem(
              ErrorCode.NOT_SUPPORTED,
              "/resume",
              "the '%s' source cannot begin in the middle"
                  .formatted(spec.source().connector().name()),
              "leave resume out"));
    }
    if (options.resume() && spec.limitRows() > 0) {
      problems.add(
          new Problem(
              ErrorCode.INVALID_ARGUMENT,
              "/limit",
              "a run that is to be resumed has no row limit",
              "leave out one of limit and resume"));
    }
    return new RunMode(
        endless,
        canResume && (options.resume() || options.durable() || endless) && spec.limitRows() == 0,
        options.delivery(),
        endless ? WriteMode.APPEND : spec.writeMode());
  }

  private static Guarantee guarantee(CommitMode mode, Source source) {
    return switch (mode) {
      case ROWS -> Guarantee.AT_LEAST_ONCE;
      case AT_END -> Guarantee.EXACTLY_ONCE;
      case WITH_CHECKPOINT ->
          source.traits().replayable() ? Guarantee.EXACTLY_ONCE : Guarantee.AT_LEAST_ONCE;
    };
  }

  private static void checkDemand(
      RouteSpec spec, Guarantee guarantee, CommitMode commitMode, List<Problem> problems) {
    if (spec.options().delivery() != Guarantee.EXACTLY_ONCE
        || guarantee == Guarantee.EXACTLY_ONCE) {
      return;
    }
    String why;
    if (commitMode == CommitMode.WITH_CHECKPOINT) {
      why = "the '%s' source cannot give the same rows again";
      why = why.formatted(spec.source().connector().name());
    } else if (!spec.source().can(Capability.RESUME)) {
      why = "the '%s' source cannot go on in the middle, and the '%s' output shows rows at once";
      why = why.formatted(spec.source().connector().name(), spec.sink().connector().name());
    } else {
      why = "the '%s' output does not store the checkpoint with the rows";
      why = why.formatted(spec.sink().connector().name());
    }
    problems.add(
        new Problem(
            ErrorCode.NOT_SUPPORTED,
            "/delivery",
            "exactly_once cannot be kept: " + why,
            "set delivery to at_least_once, or leave it out"));
  }

  private static boolean reads(Source source, @Nullable Object target) {
    return target != null && source.reads(target);
  }

  private static void checkSameFile(
      boolean same, String path, String which, List<Problem> problems) {
    if (same) {
      problems.add(
          new Problem(
              ErrorCode.SAME_FILE, path, which + " are the same file", "write to another file"));
    }
  }

  private static <T> @Nullable T collect(
      List<Problem> problems, Supplier<T> factory, String path, EndpointSpec<?> endpoint) {
    try {
      return factory.get();
    } catch (DroverException e) {
      problems.add(e.problem().under(path + "/" + endpoint.connector().name()));
      return null;
    }
  }
}
