package dev.drover.transforms;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A condition on a row, as it was written. */
sealed interface Expression {

  record And(Expression left, Expression right) implements Expression {}

  record Or(Expression left, Expression right) implements Expression {}

  record Not(Expression inner) implements Expression {}

  record Compare(Operator operator, Operand left, Operand right) implements Expression {}

  record IsNull(Operand operand, boolean negated) implements Expression {}

  record In(Operand operand, List<Operand> values, boolean negated) implements Expression {}

  record Like(Operand operand, String pattern, boolean negated) implements Expression {}

  /** A value that is true or false by itself. */
  record Bare(Operand operand) implements Expression {}

  enum Operator {
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL;

    boolean holds(int comparison) {
      return switch (this) {
        case EQUAL -> comparison == 0;
        case NOT_EQUAL -> comparison != 0;
        case LESS -> comparison < 0;
        case LESS_OR_EQUAL -> comparison <= 0;
        case GREATER -> comparison > 0;
        case GREATER_OR_EQUAL -> comparison >= 0;
      };
    }
  }

  /** One side of a comparison. */
  sealed interface Operand {
    record Path(FieldPath path) implements Operand {}

    record Text(String text) implements Operand {}

    /**
     * @param digits as they were written
     */
    record Digits(String digits) implements Operand {}

    /**
     * @param value null is null
     */
    record Bool(@Nullable Boolean value) implements Operand {}
  }
}
