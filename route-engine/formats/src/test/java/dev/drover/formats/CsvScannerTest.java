package dev.drover.formats;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The fast scanner finds what the plain one finds. */
final class CsvScannerTest {

  private static final int ROUNDS = 4000;

  private static final List<String> ALPHABETS =
      List.of(
          "\"\"\"\"aab,,\n\r",
          "\"abcdefghij,klmnopqrst\n",
          "\",\n\r\t\0\u000b\u000c\u0001a\"",
          "abc\"\u00e4\u00f6\u0080\u00ff\u00a2\u00ac\u008a\u008d,\r\n",
          "\"\"\"\"\"\"\"\"a,",
          "abcdefghijklm,\r\n");

  /** Each at every place in a word, with nothing else that is odd in the file. */
  private static final List<String> SNIPPETS =
      List.of(
          ",\"b\"c,d\n",
          ",\"b\"\"c\",\"d\"\n",
          ",\"\",\"\"\"\"\n",
          ",b\"c,\"d,\"\r\n",
          ",b\"\",\"d\n\"\r",
          ",\"b\" \"c,d\n");

  @Test
  void seesEachTurnOnBothSidesOfAWordBorder() {
    for (String snippet : SNIPPETS) {
      for (int before = 0; before < 2 * Long.SIZE; before++) {
        byte[] csv =
            ("x".repeat(before) + snippet + "y".repeat(3 * Long.SIZE)).getBytes(ISO_8859_1);
        compare(csv, Seed.round(before), snippet + " after " + before);
      }
    }
  }

  @Test
  void agreesWithThePlainOne() {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = Seed.round(round);
      byte[] alphabet = ALPHABETS.get(round % ALPHABETS.size()).getBytes(ISO_8859_1);
      byte[] csv = Seed.bytes(random, random.nextInt(700), alphabet);
      compare(csv, random, Seed.name(round));
    }
  }

  private static void compare(byte[] csv, Random random, String name) {
    PlainCsv plain = new PlainCsv(csv, ',', '"');

    CsvScanner scanner = new CsvScanner((byte) ',', (byte) '"');
    byte[] block = Arrays.copyOf(csv, csv.length + Long.SIZE);
    int words = csv.length / Long.SIZE;
    long[] index = new long[words + 1];
    int done = 0;
    while (done < words) {
      int next = done + 1 + random.nextInt(words - done);
      scanner.scan(block, done, next, index);
      done = next;
    }
    boolean open = scanner.peek(block, words, csv.length % Long.SIZE, index);

    assertThat(separators(index)).as(name).isEqualTo(plain.separators());
    assertThat(open).as(name).isEqualTo(plain.endsInQuotes());
    assertThat(scanner.malformed() || open).as(name).isEqualTo(plain.malformed());
    assertThat(scanner.nonAscii()).as(name).isEqualTo(hasNegative(csv));
  }

  private static List<Integer> separators(long[] index) {
    List<Integer> separators = new ArrayList<>();
    for (int i = 0; i < index.length * Long.SIZE; i++) {
      if ((index[i >> 6] >>> i & 1) != 0) {
        separators.add(i);
      }
    }
    return separators;
  }

  private static boolean hasNegative(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0) {
        return true;
      }
    }
    return false;
  }
}
