package dev.drover.bench.lab.faults;

import dev.drover.formats.Compression;
import dev.drover.formats.Decompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A file.
 *
 * @param name whose extension tells whether it is compressed
 * @param grows it has rows from before and is added to; else it is seen when it is complete
 * @param sidecar the checkpoint is beside it; else it is in the state folder
 * @param fsync whether commits wait for the disk
 */
record FileTarget(String name, boolean grows, boolean sidecar, boolean fsync) implements Target {

  private static final String BEFORE = "{\"id\":\"from before\"}\n";

  /** A file that is not compressed. */
  FileTarget(boolean grows, boolean sidecar, boolean fsync) {
    this("out.jsonl", grows, sidecar, fsync);
  }

  private Path file(Path folder) {
    return folder.resolve(name);
  }

  @Override
  public Map<String, ?> endpoint(Path folder) {
    return Map.of(
        "file",
        Map.of(
            "path",
            file(folder).toString(),
            "write_mode",
            grows ? "append" : "replace",
            "fsync",
            fsync ? "commit" : "never"));
  }

  @Override
  public void prepare(Path folder) throws IOException {
    if (grows) {
      Files.writeString(file(folder), BEFORE);
    }
  }

  @Override
  public long length(Path folder) throws IOException {
    try {
      return grows
          ? Files.size(file(folder)) - BEFORE.length()
          : Files.size(folder.resolve(name + ".part"));
    } catch (NoSuchFileException e) {
      return complete(folder) ? Files.size(file(folder)) : 0;
    }
  }

  /** A file that grows is never complete. */
  @Override
  public boolean complete(Path folder) {
    return !grows && Files.exists(file(folder));
  }

  @Override
  public boolean repeatable() {
    return !grows;
  }

  @Override
  public byte[] rows(Path folder) throws IOException {
    byte[] all = read(file(folder));
    if (!grows) {
      return all;
    }
    byte[] before = BEFORE.getBytes(StandardCharsets.UTF_8);
    if (!Arrays.equals(before, Arrays.copyOf(all, before.length))) {
      throw new IOException("the rows from before are gone");
    }
    return Arrays.copyOfRange(all, before.length, all.length);
  }

  /** What is in a file, decompressed if it is compressed. */
  static byte[] read(Path file) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file);
        Decompressor content =
            new Decompressor(in::read, Decompressor.Settings.of(Compression.AUTO, ""))) {
      for (int read = 0; read >= 0; read = content.read(buffer, 0, buffer.length)) {
        all.write(buffer, 0, read);
      }
    }
    return all.toByteArray();
  }

  @Override
  public List<String> commitPoints() {
    String checkpoint = sidecar ? "sidecar" : "checkpoint";
    List<String> points = new ArrayList<>(List.of("rows half written", "rows written"));
    if (fsync) {
      points.add("rows forced");
    }
    points.add(checkpoint + " half written");
    if (fsync || !sidecar) {
      points.add(checkpoint + " forced");
    }
    points.add(checkpoint + " before its rename");
    points.add(checkpoint + " renamed");
    return points;
  }

  @Override
  public List<String> endPoints() {
    return grows
        ? List.of()
        : List.of("output before its rename", "output renamed", "sidecar removed");
  }
}
