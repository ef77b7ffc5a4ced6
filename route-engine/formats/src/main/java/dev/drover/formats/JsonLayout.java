package dev.drover.formats;

import dev.drover.spi.Field;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys of a row in their order, and what stands before the value of each in compact JSON: a
 * bracket or a comma, the key in quotes, a colon. Immutable.
 */
final class JsonLayout {

  final List<byte[]> keys;
  final Map<String, Integer> fields;
  final Schema schema;

  /** What stands before each value, in whole words; the rest of the last word is 0. */
  final long[] words;

  /** Which bits of the last word of each count. */
  final long[] lastMasks;

  /** For each value the index of its first word; one more than there are values. */
  final int[] firstWords;

  /** How many bytes stand before each value. */
  final int[] lengths;

  /**
   * @param keys as they are written, escapes included
   */
  JsonLayout(List<byte[]> keys, Map<String, Integer> fields) {
    this.keys = List.copyOf(keys);
    this.fields = new HashMap<>(fields);
    String[] names = new String[keys.size()];
    fields.forEach((name, field) -> names[field] = name);
    List<Field> ofSchema = new ArrayList<>(names.length);
    for (String name : names) {
      ofSchema.add(new Field(name, Type.JSON));
    }
    schema = new Schema(ofSchema, true);
    lengths = new int[names.length];
    firstWords = new int[names.length + 1];
    lastMasks = new long[names.length];
    for (int f = 0; f < names.length; f++) {
      lengths[f] = keys.get(f).length + "{\"\":".length();
      firstWords[f + 1] = firstWords[f] + (lengths[f] + Long.BYTES - 1) / Long.BYTES;
      int over = (Long.BYTES - lengths[f] % Long.BYTES) % Long.BYTES;
      lastMasks[f] = -1L >>> (over * Byte.SIZE);
    }
    words = new long[firstWords[names.length]];
    for (int f = 0; f < names.length; f++) {
      byte[] key = keys.get(f);
      byte[] before = new byte[lengths[f] + Long.BYTES];
      before[0] = (byte) (f == 0 ? '{' : ',');
      before[1] = '"';
      System.arraycopy(key, 0, before, 2, key.length);
      before[key.length + 2] = '"';
      before[key.length + 3] = ':';
      for (int i = 0; i < lengths[f]; i += Long.BYTES) {
        words[firstWords[f] + i / Long.BYTES] = Swar.load(before, i);
      }
    }
  }

  int size() {
    return lengths.length;
  }

  /** Whether these are the same keys, written in the same way and order. */
  boolean is(List<byte[]> others) {
    if (others.size() != keys.size()) {
      return false;
    }
    for (int f = 0; f < keys.size(); f++) {
      if (!java.util.Arrays.equals(keys.get(f), others.get(f))) {
        return false;
      }
    }
    return true;
  }
}
