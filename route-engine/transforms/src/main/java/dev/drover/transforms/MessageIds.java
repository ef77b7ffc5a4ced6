package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.formats.JsonOutput;
import dev.drover.spi.Batch;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Field;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives rows a {@code message_id} that have none: a UUID of version 8 that follows from the split
 * and the place in it, so that a row has the same one when it is read again.
 */
record MessageIds() implements Transform {

  static final String NAME = "message_id";
  private static final int LENGTH = 36;
  private static final long VERSION_8 = 0x8000L;
  private static final long VARIANT = 0x8000000000000000L;

  // Mixes bits so that neighbours have nothing in common; SplitMix64's constants.
  private static final long STEP = 0x9e3779b97f4a7c15L;
  private static final long FIRST = 0xbf58476d1ce4e5b9L;
  private static final long SECOND = 0x94d049bb133111ebL;

  @Override
  public Step step(Schema in) {
    int known = in.indexOf(NAME);
    if (known >= 0 && in.fields().get(known).role() == Field.Role.METADATA) {
      return (batch, rows) -> batch;
    }
    if (known >= 0) {
      throw new DroverException(
          ErrorCode.INVALID_ARGUMENT,
          "the rows have a field 'message_id' of their own; rename it with select");
    }
    List<Field> fields = new ArrayList<>(in.fields());
    fields.add(new Field(NAME, Type.STRING, Field.Role.METADATA));
    return new Naming(in.size(), new Schema(fields, in.open()));
  }

  /** The id of another row that came out of the one with this id: the same ones each time. */
  static long derived(byte[] arena, long id, int number, JsonOutput output) {
    long a = number;
    long b = ~number;
    for (int i = Batch.offset(id); i < Batch.offset(id) + Batch.length(id); i++) {
      a = mix(a ^ arena[i] * STEP);
      b = mix(b + a);
    }
    int from = output.at;
    write(output, (a & ~0xf000L) | VERSION_8, (b >>> 2) | VARIANT);
    return Batch.slice(from, LENGTH);
  }

  private static long mix(long value) {
    long x = (value ^ (value >>> 30)) * FIRST;
    x = (x ^ (x >>> 27)) * SECOND;
    return x ^ (x >>> 31);
  }

  private static void write(JsonOutput out, long high, long low) {
    out.reserve(LENGTH);
    hex(out, high, 60, 28);
    out.put('-');
    hex(out, high, 28, 12);
    out.put('-');
    hex(out, high, 12, -4);
    out.put('-');
    hex(out, low, 60, 44);
    out.put('-');
    hex(out, low, 44, -4);
  }

  /** The digits from one bit down to another, which does not count. */
  private static void hex(JsonOutput out, long value, int from, int to) {
    for (int shift = from; shift > to; shift -= 4) {
      int digit = (int) (value >>> shift) & 15;
      out.put((char) (digit < 10 ? '0' + digit : 'a' + digit - 10));
    }
  }

  private static final class Naming implements Step {
    private final int inWidth;
    private final Schema out;
    private final Cells cells;
    private String stream = "";
    private long high;
    private long low;

    Naming(int inWidth, Schema out) {
      this.inWidth = inWidth;
      this.out = out;
      this.cells = new Cells(out.size());
    }

    @Override
    public Batch apply(Batch in, Rows rows) {
      seed(rows.stream());
      long[] texts = in.texts();
      long[] source = in.cells();
      cells.widened(in, inWidth);
      JsonOutput output = rows.output();
      long place = rows.start();
      for (int row = 0; row < in.rows(); row++) {
        long next = place(texts, source, row);
        place = next >= 0 ? rows.start() + next : place + 1;
        int from = output.at;
        long a = mix(high ^ (place * STEP));
        long b = mix(low + a + place);
        write(output, (a & ~0xf000L) | VERSION_8, (b >>> 2) | VARIANT);
        int o = row * out.size() + inWidth;
        cells.cells[o] = Batch.slice(from, LENGTH);
        cells.mark(o, Batch.VALUE);
      }
      Batch named = cells.batch(out, in.rows(), rows.arena());
      // What the rows had before is in the arena as it was, and metadata is no part of their JSON.
      return texts == null ? named : named.withTexts(texts);
    }

    /** Where in the arena the row begins; negative: nothing in it tells. */
    private long place(long @Nullable [] texts, long[] source, int row) {
      if (texts != null) {
        return Batch.offset(texts[row]);
      }
      for (int i = row * inWidth; i < (row + 1) * inWidth; i++) {
        if (out.fields().get(i - row * inWidth).type().isSliced() && source[i] != 0) {
          return Batch.offset(source[i]);
        }
      }
      return -1;
    }

    private void seed(String name) {
      if (name.equals(stream)) {
        return;
      }
      try {
        ByteBuffer hash =
            ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8)));
        high = hash.getLong();
        low = hash.getLong();
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
      stream = name;
    }
  }
}
