package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.formats.JsonScanner;
import dev.drover.spi.Batch;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Problem;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import dev.drover.transforms.Expression.Operand;
import dev.drover.transforms.Operands.Kind;
import dev.drover.transforms.Operands.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rows for which a condition is true; where it is false, or unknown because of a null,
 * the row is left out. Numbers are compared exactly. Text is read as the type of what it is
 * compared with; where it cannot be, the row is refused.
 */
record Filter(Expression expression) implements Transform {

  private static final String METADATA = "meta";

  static Filter of(FilterConfig config) {
    return new Filter(ExpressionParser.parse(config.expression()));
  }

  @Override
  public Step step(Schema in) {
    return new Filtering(in, expression);
  }

  /** The answers of three-valued logic. */
  private enum Answer {
    TRUE,
    FALSE,
    UNKNOWN,
    FAILED;

    Answer not() {
      return this == TRUE ? FALSE : this == FALSE ? TRUE : this;
    }

    static Answer of(boolean value) {
      return value ? TRUE : FALSE;
    }
  }

  /** A condition made for a schema. */
  private interface Condition {
    Answer test(int row);
  }

  /** One side of a comparison: the same object each time, with the row's value. */
  private interface Loader {
    Value load(int row);
  }

  private static final class Filtering implements Step {
    private final Schema schema;
    private final int width;
    private final Cells cells;
    private final Operands operands = new Operands();
    private final Condition condition;
    private String why = "";

    // Of the batch.
    private byte[] arena = {};
    private long[] source = {};
    private byte @Nullable [] marks;
    private JsonScanner scanner = Operands.scanner(arena);

    Filtering(Schema schema, Expression expression) {
      this.schema = schema;
      this.width = schema.size();
      this.cells = new Cells(width);
      this.condition = condition(expression);
    }

    @Override
    public Batch apply(Batch in, Rows rows) {
      int count = in.rows();
      arena = in.arena();
      source = in.cells();
      marks = in.marks();
      scanner = Operands.scanner(arena);
      cells.begin(count, marks != null);
      int kept = 0;
      int left = 0;
      for (int row = 0; row < count; row++) {
        Answer answer = condition.test(row);
        if (answer == Answer.FAILED) {
          rows.refuse(row, ErrorCode.INVALID_VALUE, "filter: " + why);
        } else if (answer == Answer.TRUE) {
          System.arraycopy(source, row * width, cells.cells, kept * width, width);
          if (marks != null) {
            System.arraycopy(marks, row * width, cells.marks, kept * width, width);
          }
          rows.from(row);
          kept++;
        } else {
          left++;
        }
      }
      rows.filtered(left);
      return cells.batch(schema, kept, arena);
    }

    private Condition condition(Expression expression) {
      return switch (expression) {
        case Expression.And and -> and(condition(and.left()), condition(and.right()));
        case Expression.Or or -> or(condition(or.left()), condition(or.right()));
        case Expression.Not not -> {
          Condition inner = condition(not.inner());
          yield row -> inner.test(row).not();
        }
        case Expression.Compare compare -> compare(compare);
        case Expression.IsNull isNull -> {
          Loader operand = loader(isNull.operand());
          boolean negated = isNull.negated();
          yield row -> Answer.of((operand.load(row).kind == Kind.NULL) != negated);
        }
        case Expression.In in -> in(in);
        case Expression.Like like -> like(like);
        case Expression.Bare bare -> bare(bare);
      };
    }

    private static Condition and(Condition left, Condition right) {
      return row -> {
        Answer first = left.test(row);
        if (first == Answer.FALSE || first == Answer.FAILED) {
          return first;
        }
        Answer second = right.test(row);
        return second == Answer.TRUE ? first : second;
      };
    }

    private static Condition or(Condition left, Condition right) {
      return row -> {
        Answer first = left.test(row);
        if (first == Answer.TRUE || first == Answer.FAILED) {
          return first;
        }
        Answer second = right.test(row);
        return second == Answer.FALSE ? first : second;
      };
    }

    private Condition compare(Expression.Compare compare) {
      Loader left = loader(compare.left());
      Loader right = loader(compare.right());
      Expression.Operator operator = compare.operator();
      return row -> {
        int result = operands.compare(left.load(row), right.load(row));
        if (result == Operands.UNKNOWN) {
          return Answer.UNKNOWN;
        }
        return result == Operands.FAILED ? failed() : Answer.of(operator.holds(result));
      };
    }

    private Answer failed() {
      why = operands.why();
      return Answer.FAILED;
    }

    private Condition in(Expression.In in) {
      Loader operand = loader(in.operand());
      List<Loader> values = new ArrayList<>();
      in.values().forEach(value -> values.add(loader(value)));
      return row -> {
        Answer answer = Answer.FALSE;
        Value value = operand.load(row);
        for (int i = 0; i < values.size(); i++) {
          int result = operands.compare(value, values.get(i).load(row));
          if (result == Operands.FAILED) {
            return failed();
          }
          if (result == 0) {
            answer = Answer.TRUE;
            break;
          }
          answer = result == Operands.UNKNOWN ? Answer.UNKNOWN : answer;
        }
        return in.negated() ? answer.not() : answer;
      };
    }

    private Condition like(Expression.Like like) {
      Loader operand = loader(like.operand());
      byte[] pattern = like.pattern().getBytes(UTF_8);
      return row -> {
        Value value = operand.load(row);
        if (value.kind == Kind.NULL) {
          return Answer.UNKNOWN;
        }
        if (value.kind != Kind.TEXT) {
          why = value.shown() + " is no text, and like compares text";
          return Answer.FAILED;
        }
        boolean is = Operands.isLike(value.bytes, value.from, value.to, pattern);
        return Answer.of(is != like.negated());
      };
    }

    private Condition bare(Expression.Bare bare) {
      Loader operand = loader(bare.operand());
      Value yes = new Value();
      yes.bool(true);
      return row -> {
        Value value = operand.load(row);
        int result = value.kind == Kind.NUMBER ? Operands.FAILED : operands.compare(value, yes);
        if (result == Operands.UNKNOWN) {
          return Answer.UNKNOWN;
        }
        if (result == Operands.FAILED) {
          why = value.shown() + " is neither true nor false";
          return Answer.FAILED;
        }
        return Answer.of(result == 0);
      };
    }

    private Loader loader(Operand operand) {
      Value value = new Value();
      return switch (operand) {
        case Operand.Text text -> {
          byte[] bytes = text.text().getBytes(UTF_8);
          value.text(bytes, 0, bytes.length);
          yield row -> value;
        }
        case Operand.Digits number -> {
          byte[] bytes = number.digits().getBytes(UTF_8);
          value.digits(bytes, 0, bytes.length);
          yield row -> value;
        }
        case Operand.Bool bool -> {
          if (bool.value() != null) {
            value.bool(bool.value());
          }
          yield row -> value;
        }
        case Operand.Path path -> field(path.path(), value);
      };
    }

    private Loader field(FieldPath path, Value value) {
      FieldPath.Place place = place(path);
      if (place == null) {
        // Absent from all these rows.
        return row -> value;
      }
      int field = place.field();
      Type type = schema.fields().get(field).type();
      if (place.inside().isEmpty()) {
        return row -> {
          int i = row * width + field;
          if (marks != null && marks[i] != Batch.VALUE) {
            value.kind = Kind.NULL;
          } else {
            Operands.load(value, type, arena, source[i]);
          }
          return value;
        };
      }
      return row -> {
        int i = row * width + field;
        long found =
            marks != null && marks[i] != Batch.VALUE
                ? Documents.NOTHING
                : Documents.find(arena, scanner, source[i], place.inside());
        if (found == Documents.NOTHING) {
          value.kind = Kind.NULL;
        } else {
          Operands.load(value, Type.JSON, arena, found);
        }
        return value;
      };
    }

    private FieldPath.@Nullable Place place(FieldPath path) {
      if (path.field().equals(METADATA) && path.isNested() && schema.indexOf(METADATA) < 0) {
        String name = path.text().substring(path.text().indexOf('.') + 1);
        int field = schema.indexOf(name);
        return field >= 0 && schema.fields().get(field).role() == Field.Role.METADATA
            ? new FieldPath.Place(field, List.of())
            : null;
      }
      try {
        return path.in(schema);
      } catch (DroverException e) {
        Problem problem = e.problem();
        throw new DroverException(
            new Problem(
                problem.code(),
                problem.path(),
                "filter: " + problem.message(),
                problem.suggestion(),
                problem.allowed()),
            e);
      }
    }
  }
}
