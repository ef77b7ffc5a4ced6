package dev.drover.bench.client;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;

/** Draws one row after the other, in the order that the fixture's description fixes. */
final class FixtureRows {
  private static final byte[][] TIERS = words("free pro enterprise");
  private static final byte[][] TAGS = words("alpha beta gamma delta epsilon");
  private static final byte[][] NAMES =
      words("Ada Bo Chen Dinesh Eve Farah Gus Hana Ivan Juno Kato Lena Mira Nils Omar Priya");
  private static final byte[][] COUNTRIES = words("US GB DE IN JP BR NG CA AU FR");
  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");
  private static final int SECONDS_OF_DAY = 86_400;

  /** How a quote inside attributes looks: doubled in CSV, escaped in a JSON string. */
  private static final byte[] CSV_QUOTE = ascii("\"\"");

  private static final byte[] QUOTE = ascii("\"");
  private static final byte[] JSON_QUOTE = ascii("\\\"");

  private final PythonRandom random;
  private final int[] tags = new int[3];
  private LocalDate day = LocalDate.of(2020, 1, 1);
  private byte[] dayText = ascii(day.toString());
  private int second;
  private long id;
  private int tier;
  private long score;
  private int tagCount;
  private int name;
  private int country;
  private long amount;
  private boolean active;

  FixtureRows(int seed) {
    this.random = new PythonRandom(seed);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[][] words(String text) {
    return Arrays.stream(text.split(" ")).map(FixtureRows::ascii).toArray(byte[][]::new);
  }

  /** Moves to the next row. */
  FixtureRows next() {
    id++;
    second += random.between(1, 90);
    if (second >= SECONDS_OF_DAY) {
      second -= SECONDS_OF_DAY;
      day = day.plusDays(1);
      dayText = ascii(day.toString());
    }
    tier = random.below(TIERS.length);
    score = Rounded.scaled(random.uniform(0, 100), 1000);
    tagCount = random.between(1, 3);
    random.sample(TAGS.length, tagCount, tags);
    name = random.below(NAMES.length);
    country = random.below(COUNTRIES.length);
    amount = Rounded.scaled(random.uniform(1, 10000), 100);
    active = random.unit() < 0.5;
    return this;
  }

  void csv(TextBuffer out) {
    out.put(id);
    out.put(',');
    out.put(NAMES[name]);
    out.put(',');
    out.put(COUNTRIES[country]);
    out.put(',');
    out.putDecimal(amount, 2);
    out.put(',');
    createdAt(out);
    out.put(',');
    out.put(active ? TRUE : FALSE);
    out.put(',');
    out.put('"');
    attributes(out, CSV_QUOTE);
    out.put('"');
    out.put('\r');
    out.put('\n');
  }

  /** The row as a line of JSON, every value a string. */
  void line(TextBuffer out) {
    out.put("{\"id\":\"");
    out.put(id);
    out.put("\",");
    middle(out);
    out.put("\"attributes\":\"");
    attributes(out, JSON_QUOTE);
    out.put("\"}\n");
  }

  /** The same with id as a number and attributes as a document. */
  void typedLine(TextBuffer out) {
    out.put("{\"id\":");
    out.put(id);
    out.put(",");
    middle(out);
    out.put("\"attributes\":");
    attributes(out, QUOTE);
    out.put("}\n");
  }

  private void middle(TextBuffer out) {
    out.put("\"first_name\":\"");
    out.put(NAMES[name]);
    out.put("\",\"country\":\"");
    out.put(COUNTRIES[country]);
    out.put("\",\"amount\":\"");
    out.putDecimal(amount, 2);
    out.put("\",\"created_at\":\"");
    createdAt(out);
    out.put("\",\"active\":\"");
    out.put(active ? TRUE : FALSE);
    out.put("\",");
  }

  private void createdAt(TextBuffer out) {
    out.put(dayText);
    out.put('T');
    out.put(second / 3600, 2);
    out.put(':');
    out.put(second / 60 % 60, 2);
    out.put(':');
    out.put(second % 60, 2);
    out.put('Z');
  }

  private void attributes(TextBuffer out, byte[] quote) {
    out.put('{');
    quoted(out, "tier", quote);
    out.put(':');
    quoted(out, TIERS[tier], quote);
    out.put(',');
    quoted(out, "score", quote);
    out.put(':');
    out.putDecimal(score, 3);
    out.put(',');
    quoted(out, "tags", quote);
    out.put(":[");
    for (int i = 0; i < tagCount; i++) {
      if (i > 0) {
        out.put(',');
      }
      quoted(out, TAGS[tags[i]], quote);
    }
    out.put("]}");
  }

  private static void quoted(TextBuffer out, String text, byte[] quote) {
    quoted(out, ascii(text), quote);
  }

  private static void quoted(TextBuffer out, byte[] text, byte[] quote) {
    out.put(quote);
    out.put(text);
    out.put(quote);
  }
}
