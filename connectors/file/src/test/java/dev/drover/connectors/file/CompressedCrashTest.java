package dev.drover.connectors.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.spi.DroverException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

class CompressedCrashTest extends CrashTest {

  @Override
  String name() {
    return "out.jsonl.gz";
  }

  @Override
  String read(Path path) throws IOException {
    try {
      return Unpacked.text(path);
    } catch (DroverException e) {
      return "not whole";
    }
  }

  @Override
  void write(Path path, String text) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(path))) {
      out.write(text.getBytes(UTF_8));
    }
  }
}
