package dev.drover.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** CSV files of some 16 MiB, each of another kind. */
public enum Shape {
  /** Seven columns, one a JSON document with doubled quotes; CR LF. */
  ORDERS {
    @Override
    String header() {
      return "id,first_name,country,amount,created_at,active,attributes\r\n";
    }

    @Override
    void row(StringBuilder out, Random random, int number) {
      out.append(number).append(',').append(NAMES[random.nextInt(NAMES.length)]).append(",GB,");
      out.append(random.nextInt(1_000_000) / 100.0);
      out.append(",2020-01-01T00:%02d:%02dZ,".formatted(number / 60 % 60, number % 60));
      out.append(random.nextBoolean()).append(",\"{\"\"tier\"\":\"\"enterprise\"\",\"\"score\"\":");
      out.append(random.nextInt(100_000) / 1000.0).append(",\"\"tags\"\":[\"\"alpha\"\"");
      out.append(random.nextBoolean() ? ",\"\"beta\"\"" : "").append("]}\"\r\n");
    }
  },
  /** Sixty columns of a few characters. */
  WIDE {
    @Override
    String header() {
      return IntStream.range(0, 60).mapToObj(i -> "column_" + i).collect(Collectors.joining(","))
          + "\n";
    }

    @Override
    void row(StringBuilder out, Random random, int number) {
      for (int i = 0; i < 60; i++) {
        out.append(i == 0 ? "" : ",").append(random.nextInt(1 << random.nextInt(1, 24)));
      }
      out.append('\n');
    }
  },
  /** Every field quoted, with line breaks, quotes and letters beyond ASCII. */
  QUOTED {
    @Override
    String header() {
      return "\"id\",\"title\",\"body\",\"note\"\n";
    }

    @Override
    void row(StringBuilder out, Random random, int number) {
      out.append('"').append(number).append("\",\"").append(NAMES[random.nextInt(NAMES.length)]);
      out.append("\",\"Zeile eins\nZeile zwei, länger als eins: ").append(random.nextInt());
      out.append("\n\",\"").append(random.nextBoolean() ? "it is 5\"\" wide" : "").append("\"\n");
    }
  },
  /** Rows of about twenty bytes. */
  SHORT {
    @Override
    String header() {
      return "id,a,b\n";
    }

    @Override
    void row(StringBuilder out, Random random, int number) {
      out.append(number).append(',').append(random.nextInt(10_000)).append(',');
      out.append(NAMES[random.nextInt(NAMES.length)]).append('\n');
    }
  };

  private static final int CHARACTERS = 16 << 20;
  private static final String[] NAMES = {"Ada", "Bo", "Chen", "Dinesh", "Farah", "Priya"};

  abstract String header();

  abstract void row(StringBuilder out, Random random, int number);

  /** The file; always the same one. */
  byte[] csv() {
    StringBuilder out = new StringBuilder(CHARACTERS + 1000).append(header());
    Random random = new Random(42);
    for (int number = 1; out.length() < CHARACTERS; number++) {
      row(out, random, number);
    }
    return out.toString().getBytes(UTF_8);
  }
}
