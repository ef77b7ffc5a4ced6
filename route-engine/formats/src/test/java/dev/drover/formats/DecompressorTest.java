package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads what the tools of each kind have written, whole, cut off and damaged. */
final class DecompressorTest {

  @TempDir Path folder;

  /** Command lines that compress standard input to standard output. */
  static Stream<String> tools() {
    return Stream.of(
        "gzip -1",
        "gzip -9",
        "zstd -q -c",
        "zstd -q -c -19",
        "zstd -q -c --no-check",
        "zstd -q -c --long=27",
        "zstd -q -c --fast=5",
        "lz4 -q -c",
        "lz4 -q -c -9",
        "lz4 -q -c -BD -B4",
        "lz4 -q -c -BD -B5 -BX",
        "lz4 -q -c -B6 -BX",
        "lz4 -q -c --no-frame-crc",
        "lz4 -q -c --content-size");
  }

  private static byte[] text(int bytes) {
    StringBuilder text = new StringBuilder();
    Random random = new Random(7);
    while (text.length() < bytes) {
      text.append(text.length()).append(",name").append(random.nextInt(1000)).append(",x\n");
    }
    return text.substring(0, bytes).getBytes(UTF_8);
  }

  private byte[] compressed(String tool, byte[] plain) throws IOException {
    Path in = Files.write(folder.resolve("plain"), plain);
    Path out = folder.resolve("packed");
    List<String> words = List.of(tool.split(" ", -1));
    assumeTrue(isInstalled(words.getFirst()), words.getFirst() + " is not installed");
    try {
      int exit =
          new ProcessBuilder(words)
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      assertThat(exit).as(tool).isZero();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return Files.readAllBytes(out);
  }

  private static boolean isInstalled(String tool) {
    return Stream.of("/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin")
        .anyMatch(place -> Files.isExecutable(Path.of(place, tool)));
  }

  /** Gives at most so many bytes at once. */
  private static ByteSource source(byte[] bytes, int most) {
    int[] at = {0};
    return (into, from, length) -> {
      if (at[0] == bytes.length) {
        return -1;
      }
      int count = Math.min(Math.min(most, length), bytes.length - at[0]);
      System.arraycopy(bytes, at[0], into, from, count);
      at[0] += count;
      return count;
    };
  }

  private static byte[] decompressed(byte[] packed, int most, Decompressor.Settings settings) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] some = new byte[10_000];
    try (Decompressor decompressor = new Decompressor(source(packed, most), settings)) {
      int read;
      while ((read = decompressor.read(some, 0, some.length)) >= 0) {
        assertThat(read).isPositive();
        all.write(some, 0, read);
      }
      assertThat(decompressor.read(some, 0, 1)).isEqualTo(-1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return all.toByteArray();
  }

  private static byte[] decompressed(byte[] packed) {
    return decompressed(packed, Integer.MAX_VALUE, Decompressor.Settings.of(Compression.AUTO, ""));
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @ParameterizedTest
  @MethodSource("tools")
  void readsWhatTheToolHasWritten(String tool) throws IOException {
    byte[] plain = text(3_000_000);
    byte[] packed = compressed(tool, plain);
    assertThat(decompressed(packed)).isEqualTo(plain);
    byte[] few = text(300_000);
    assertThat(
            decompressed(compressed(tool, few), 1, Decompressor.Settings.of(Compression.AUTO, "")))
        .isEqualTo(few);
  }

  @ParameterizedTest
  @MethodSource("tools")
  void readsMembersOneAfterTheOther(String tool) throws IOException {
    byte[] one = compressed(tool, text(50_000));
    byte[] empty = compressed(tool, new byte[0]);
    byte[] three = compressed(tool, text(10));
    assertThat(decompressed(joined(one, empty, three, one)))
        .isEqualTo(joined(text(50_000), text(10), text(50_000)));
  }

  @ParameterizedTest
  @MethodSource("tools")
  void failsWhereverItIsCutOff(String tool) throws IOException {
    byte[] first = compressed(tool, text(2_000));
    byte[] second = compressed(tool, text(500));
    byte[] both = joined(first, second);
    for (int length = 1; length < both.length; length++) {
      if (length == first.length) {
        continue;
      }
      byte[] cut = Arrays.copyOf(both, length);
      Compression kind =
          Compression.valueOf(tool.split(" ", -1)[0].toUpperCase(java.util.Locale.ROOT));
      assertThatThrownBy(() -> decompressed(cut, 1 << 16, Decompressor.Settings.of(kind, "")))
          .as("%d of %d bytes", length, both.length)
          .isInstanceOfSatisfying(
              DroverException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_INPUT));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip -6", "zstd -q -c", "lz4 -q -c", "lz4 -q -c -BD -BX -B4"})
  void neverGivesOtherBytesForDamagedOnes(String tool) throws IOException {
    byte[] plain = text(3_000);
    byte[] packed = compressed(tool, plain);
    int failed = 0;
    for (int bit = 0; bit < packed.length * 8; bit++) {
      byte[] damaged = packed.clone();
      damaged[bit >> 3] ^= (byte) (1 << (bit & 7));
      Compression kind =
          Compression.valueOf(tool.split(" ", -1)[0].toUpperCase(java.util.Locale.ROOT));
      try {
        // What the header says of the time or the system may change.
        assertThat(decompressed(damaged, 1 << 16, Decompressor.Settings.of(kind, "")))
            .as("bit %d", bit)
            .isEqualTo(plain);
      } catch (DroverException e) {
        failed++;
      }
    }
    assertThat(failed).isGreaterThan(packed.length * 7);
  }

  @Test
  void refusesWhatFollowsTheLastMember() throws IOException {
    for (String tool : List.of("gzip -6", "zstd -q -c", "lz4 -q -c")) {
      byte[] packed = compressed(tool, text(100));
      assertThatThrownBy(() -> decompressed(joined(packed, "plain text".getBytes(UTF_8))))
          .as(tool)
          .hasMessageContaining("something else follows");
    }
    assertThat(decompressed(joined(compressed("gzip -6", text(100)), new byte[512])))
        .isEqualTo(text(100));
  }

  @Test
  void passesOverSkippableFrames() throws IOException {
    byte[] skippable = {0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3};
    for (String tool : List.of("zstd -q -c", "lz4 -q -c")) {
      byte[] packed = compressed(tool, text(100));
      assertThat(decompressed(joined(skippable, packed, skippable, packed, skippable)))
          .as(tool)
          .isEqualTo(joined(text(100), text(100)));
      assertThatThrownBy(
              () -> decompressed(joined(packed, Arrays.copyOf(skippable, skippable.length - 1))))
          .hasMessageContaining("truncated");
    }
    assertThat(decompressed(skippable)).isEmpty();
  }

  @Test
  void readsWhatIsNotCompressedAsItIs() {
    for (String text : List.of("", "a", "a,b\n1,2\n", "BZhang,b\n", "PK,1\n")) {
      assertThat(decompressed(text.getBytes(UTF_8))).isEqualTo(text.getBytes(UTF_8));
    }
    byte[] large = text(1_000_000);
    assertThat(decompressed(large)).isEqualTo(large);
  }

  @Test
  void namesWhatItCannotRead() {
    List<byte[]> foreign = new ArrayList<>();
    foreign.add(new byte[] {'B', 'Z', 'h', '9', '1', 'A', 'Y'});
    foreign.add(new byte[] {(byte) 0xfd, '7', 'z', 'X', 'Z', 0, 1});
    foreign.add(new byte[] {'P', 'K', 3, 4, 1});
    foreign.add(new byte[] {2, 0x21, 0x4c, 0x18, 1});
    for (byte[] bytes : foreign) {
      assertThatThrownBy(() -> decompressed(bytes))
          .isInstanceOfSatisfying(
              DroverException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED);
                assertThat(e.problem().suggestion()).contains("decompress it first");
              });
    }
  }

  @Test
  void anEmptyFileIsWhatItsNameSays() {
    assertThatThrownBy(
            () ->
                decompressed(
                    new byte[0], 1, Decompressor.Settings.of(Compression.AUTO, "a.csv.gz")))
        .hasMessageContaining("gzip data is truncated");
    assertThat(decompressed(new byte[0], 1, Decompressor.Settings.of(Compression.AUTO, "a.csv")))
        .isEmpty();
  }

  @Test
  void whatIsAskedForIsWanted() throws IOException {
    byte[] packed = compressed("zstd -q -c", text(100));
    assertThatThrownBy(
            () -> decompressed(packed, 9, Decompressor.Settings.of(Compression.GZIP, "")))
        .hasMessageContaining("gzip data is corrupt");
    assertThat(decompressed(packed, 9, Decompressor.Settings.of(Compression.NONE, "")))
        .isEqualTo(packed);
  }

  @Test
  void namesTheLimits() throws IOException {
    byte[] packed = compressed("zstd -q -c --long=27", text(100_000));
    assertThatThrownBy(
            () ->
                decompressed(
                    packed, 99, new Decompressor.Settings(Compression.AUTO, "", 99_999, 1 << 27)))
        .hasMessageContaining("max_decompressed_bytes");
    assertThatThrownBy(
            () ->
                decompressed(
                    packed, 99, new Decompressor.Settings(Compression.AUTO, "", 0, 1 << 26)))
        .hasMessageContaining("max_window_bytes");
    assertThat(
            decompressed(
                packed, 99, new Decompressor.Settings(Compression.AUTO, "", 100_000, 1 << 27)))
        .isEqualTo(text(100_000));
  }

  @Test
  void tellsWhereTheLastWholeMemberEnds() throws IOException {
    byte[] first = compressed("gzip -6", text(100));
    byte[] cut = Arrays.copyOf(joined(first, first), first.length + 9);
    try (Decompressor decompressor =
        new Decompressor(source(cut, 5), Decompressor.Settings.of(Compression.AUTO, ""))) {
      assertThatThrownBy(
              () -> {
                byte[] some = new byte[1000];
                while (decompressor.read(some, 0, 1000) >= 0) {
                  assertThat(decompressor.border()).isIn(0L, (long) first.length);
                }
              })
          .isInstanceOf(DroverException.class);
      assertThat(decompressor.border()).isEqualTo(first.length);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"GZIP", "ZSTD", "LZ4"})
  void namesGiveTheInnerExtension(Compression kind) {
    String name = "orders.csv." + kind.extension();
    assertThat(Compression.ofName(name)).isEqualTo(kind);
    assertThat(Compression.innerName(name)).isEqualTo("orders.csv");
    assertThat(Formats.sourceFormat(null, "/a.b/" + name)).isEqualTo("csv");
    assertThat(Compression.AUTO.whenWriting(name)).isEqualTo(kind);
  }
}
