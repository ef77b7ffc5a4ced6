package dev.drover.connectors.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.formats.Compression;
import dev.drover.formats.Decompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;

/** What a file holds, compressed or not. */
final class Unpacked {

  private Unpacked() {}

  static byte[] bytes(Path path) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] some = new byte[8192];
    try (FileChannel channel = FileChannel.open(path);
        Decompressor decompressor =
            new Decompressor(
                new PlainContent(channel),
                Decompressor.Settings.of(Compression.AUTO, path.toString()))) {
      int read;
      while ((read = decompressor.read(some, 0, some.length)) >= 0) {
        all.write(some, 0, read);
      }
    }
    return all.toByteArray();
  }

  static String text(Path path) throws IOException {
    return new String(bytes(path), UTF_8);
  }

  static List<String> lines(Path path) throws IOException {
    return text(path).lines().toList();
  }
}
