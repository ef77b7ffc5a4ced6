package dev.drover.transforms;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Problem;
import dev.drover.transforms.Expression.Operand;
import dev.drover.transforms.Expression.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads conditions: {@code amount > 10.5 and (country in ('DE', 'FR') or not vip) and note is not
 * null and attributes.tier like 'pro%'}. {@code not} binds tighter than {@code and}, and that
 * tighter than {@code or}.
 */
final class ExpressionParser {

  private static final Set<String> WORDS =
      Set.of("and", "or", "not", "in", "like", "is", "null", "true", "false", "between");

  /** Keeps a hostile text from using up the stack. */
  private static final int MAX_DEPTH = 200;

  private static final List<String> SIGNS =
      List.of("<=", ">=", "<>", "!=", "==", "&&", "||", "=", "<", ">", "(", ")", ",", "!");

  private enum Kind {
    WORD,
    TEXT,
    NUMBER,
    SIGN,
    END
  }

  private record Token(Kind kind, String text, int at) {}

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int next;
  private int depth;

  private ExpressionParser(String text) {
    this.text = text;
  }

  /**
   * @throws DroverException invalid_argument with the column
   */
  static Expression parse(String text) {
    ExpressionParser parser = new ExpressionParser(text);
    parser.tokens();
    Expression expression = parser.or();
    if (parser.peek().kind() != Kind.END) {
      throw parser.wrong(parser.peek(), "nothing more was expected here");
    }
    return expression;
  }

  private DroverException wrong(Token token, String why) {
    String found = token.kind() == Kind.END ? "the end" : "'" + Shown.cut(token.text()) + "'";
    return wrong(token.at(), "%s, but there is %s".formatted(why, found));
  }

  private DroverException wrong(int at, String why) {
    return new DroverException(
        new Problem(
            ErrorCode.INVALID_ARGUMENT,
            "/expression",
            "column %d of '%s': %s".formatted(text.codePointCount(0, at) + 1, Shown.cut(text), why),
            "write it like: amount > 10 and country in ('DE', 'FR') and note is not null"));
  }

  private void tokens() {
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (Character.isWhitespace(c)) {
        i++;
      } else if (c == '\'' || c == '"') {
        i = quoted(i);
      } else if (isDigit(i) || (c == '-' && isDigit(i + 1))) {
        i = number(i);
      } else if (Character.isLetter(c) || c == '_' || c == '$' || c == '[' || c == '`') {
        i = word(i);
      } else {
        i = sign(i);
      }
    }
    tokens.add(new Token(Kind.END, "", text.length()));
  }

  private boolean isDigit(int i) {
    return i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9';
  }

  /** Text in quotes of either kind; a quote in it is doubled, or stands behind a backslash. */
  private int quoted(int from) {
    char quote = text.charAt(from);
    StringBuilder value = new StringBuilder();
    int i = from + 1;
    while (true) {
      if (i >= text.length()) {
        throw wrong(from, "the text that begins here does not end");
      }
      char c = text.charAt(i++);
      if (c == quote) {
        if (i < text.length() && text.charAt(i) == quote) {
          i++;
        } else {
          break;
        }
      } else if (c == '\\' && i < text.length() && text.charAt(i) == quote) {
        c = quote;
        i++;
      }
      value.append(c);
    }
    tokens.add(new Token(Kind.TEXT, value.toString(), from));
    return i;
  }

  private int number(int from) {
    int i = from + 1;
    while (i < text.length()
        && (isDigit(i)
            || text.charAt(i) == '.'
            || (text.charAt(i) | 0x20) == 'e'
            || ((text.charAt(i) == '-' || text.charAt(i) == '+')
                && (text.charAt(i - 1) | 0x20) == 'e'))) {
      i++;
    }
    String digits = text.substring(from, i);
    byte[] bytes = digits.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    if (!Scalars.isNumber(bytes, 0, bytes.length)) {
      throw wrong(from, "'%s' is no number".formatted(Shown.cut(digits)));
    }
    tokens.add(new Token(Kind.NUMBER, digits, from));
    return i;
  }

  /** A name with its dots and brackets, or a word of the language. */
  private int word(int from) {
    int i = from;
    if (text.charAt(i) == '`') {
      int end = text.indexOf('`', i + 1);
      if (end < 0) {
        throw wrong(from, "the name that begins here does not end");
      }
      String name = text.substring(i + 1, end).replace("\\", "\\\\").replace("\"", "\\\"");
      tokens.add(new Token(Kind.WORD, "[\"" + name + "\"]", from));
      return end + 1;
    }
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '[') {
        int end = closing(i);
        if (end < 0) {
          throw wrong(i, "the bracket that opens here does not close");
        }
        i = end + 1;
      } else if (Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '$' || c == ':') {
        i++;
      } else {
        break;
      }
    }
    tokens.add(new Token(Kind.WORD, text.substring(from, i), from));
    return i;
  }

  private int closing(int from) {
    char quote = 0;
    for (int i = from + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        if (c == '\\') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == ']') {
        return i;
      }
    }
    return -1;
  }

  private int sign(int from) {
    for (String sign : SIGNS) {
      if (text.startsWith(sign, from)) {
        tokens.add(new Token(Kind.SIGN, sign, from));
        return from + sign.length();
      }
    }
    throw wrong(from, "'%s' means nothing here".formatted(text.substring(from, from + 1)));
  }

  private Token peek() {
    return tokens.get(next);
  }

  private boolean takeWord(String word) {
    Token token = peek();
    if (token.kind() == Kind.WORD && token.text().toLowerCase(Locale.ROOT).equals(word)) {
      next++;
      return true;
    }
    return false;
  }

  private boolean takeSign(String sign) {
    Token token = peek();
    if (token.kind() == Kind.SIGN && token.text().equals(sign)) {
      next++;
      return true;
    }
    return false;
  }

  private Expression or() {
    if (++depth > MAX_DEPTH) {
      throw wrong(peek().at(), "nested deeper than %d".formatted(MAX_DEPTH));
    }
    Expression left = and();
    while (takeWord("or") || takeSign("||")) {
      left = new Expression.Or(left, and());
    }
    depth--;
    return left;
  }

  private Expression and() {
    Expression left = not();
    while (takeWord("and") || takeSign("&&")) {
      left = new Expression.And(left, not());
    }
    return left;
  }

  private Expression not() {
    if (takeWord("not") || takeSign("!")) {
      if (++depth > MAX_DEPTH) {
        throw wrong(peek().at(), "nested deeper than %d".formatted(MAX_DEPTH));
      }
      Expression inner = not();
      depth--;
      return new Expression.Not(inner);
    }
    if (takeSign("(")) {
      Expression inner = or();
      if (!takeSign(")")) {
        throw wrong(peek(), "a closing bracket was expected");
      }
      return inner;
    }
    return comparison();
  }

  private Expression comparison() {
    Operand left = operand();
    Operator operator = operator();
    if (operator != null) {
      return new Expression.Compare(operator, left, operand());
    }
    if (takeWord("is")) {
      boolean negated = takeWord("not");
      if (!takeWord("null")) {
        throw wrong(peek(), "after is stands null, or not null");
      }
      return new Expression.IsNull(left, negated);
    }
    boolean negated = takeWord("not");
    if (takeWord("in")) {
      return new Expression.In(left, list(), negated);
    }
    if (takeWord("like")) {
      Token pattern = peek();
      if (pattern.kind() != Kind.TEXT) {
        throw wrong(pattern, "after like stands a pattern in quotes");
      }
      next++;
      return new Expression.Like(left, pattern.text(), negated);
    }
    if (takeWord("between")) {
      Operand low = operand();
      if (!takeWord("and")) {
        throw wrong(peek(), "between needs and");
      }
      Expression both =
          new Expression.And(
              new Expression.Compare(Operator.GREATER_OR_EQUAL, left, low),
              new Expression.Compare(Operator.LESS_OR_EQUAL, left, operand()));
      return negated ? new Expression.Not(both) : both;
    }
    if (negated) {
      throw wrong(peek(), "after not stands in, like or between");
    }
    return new Expression.Bare(left);
  }

  private @Nullable Operator operator() {
    Token token = peek();
    Operator operator =
        token.kind() != Kind.SIGN
            ? null
            : switch (token.text()) {
              case "=", "==" -> Operator.EQUAL;
              case "!=", "<>" -> Operator.NOT_EQUAL;
              case "<" -> Operator.LESS;
              case "<=" -> Operator.LESS_OR_EQUAL;
              case ">" -> Operator.GREATER;
              case ">=" -> Operator.GREATER_OR_EQUAL;
              default -> null;
            };
    if (operator != null) {
      next++;
    }
    return operator;
  }

  private List<Operand> list() {
    if (!takeSign("(")) {
      throw wrong(peek(), "after in stands a list in brackets");
    }
    List<Operand> values = new ArrayList<>();
    do {
      values.add(operand());
    } while (takeSign(","));
    if (!takeSign(")")) {
      throw wrong(peek(), "a comma or a closing bracket was expected");
    }
    return values;
  }

  private Operand operand() {
    Token token = peek();
    next += token.kind() == Kind.END ? 0 : 1;
    return switch (token.kind()) {
      case TEXT -> new Operand.Text(token.text());
      case NUMBER -> new Operand.Digits(token.text());
      case WORD -> named(token);
      case SIGN, END -> throw wrong(token, "a field or a value was expected");
    };
  }

  private Operand named(Token token) {
    String word = token.text().toLowerCase(Locale.ROOT);
    return switch (word) {
      case "true" -> new Operand.Bool(true);
      case "false" -> new Operand.Bool(false);
      case "null" -> new Operand.Bool(null);
      default -> {
        if (WORDS.contains(word)) {
          throw wrong(token, "a field or a value was expected");
        }
        try {
          yield new Operand.Path(FieldPath.parse(token.text()));
        } catch (DroverException e) {
          throw wrong(token.at(), e.problem().message());
        }
      }
    };
  }
}
