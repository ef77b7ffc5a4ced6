package dev.drover.bench.lab.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The points at which a child process can be killed. The public methods stand in for the calls of
 * the same name that {@link Weaver} replaces: they do the same, and tell {@link #reached} where the
 * process is. Any thread.
 */
public final class KillPoints {

  /** What a child says on its standard output when it is where it is to be killed. */
  static final String SAID = "point ";

  private static final Map<FileChannel, Path> FILES =
      Collections.synchronizedMap(new WeakHashMap<>());

  private static @Nullable String wanted;
  private static int left;

  private KillPoints() {}

  /** The process is to stand still when it has come to a point so often, from 1. */
  static synchronized void arm(String point, int occurrence) {
    wanted = point;
    left = occurrence;
  }

  /**
   * The process has come to a point. If it is the wanted one the calling thread says so and never
   * returns, while the others go on: whoever listens kills the process.
   */
  static void reached(String point) {
    synchronized (KillPoints.class) {
      if (!point.equals(wanted) || --left > 0) {
        return;
      }
    }
    System.out.println(SAID + point);
    System.out.flush();
    while (true) {
      try {
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException e) {
        // Nothing ends this but the kill.
      }
    }
  }

  /** What a file is for the one who reads the points' names; null if it has none. */
  private static @Nullable String role(@Nullable Path file) {
    String name = file == null ? "" : file.toString();
    if (name.endsWith(".drover") || name.endsWith(".drover.tmp")) {
      return "sidecar";
    }
    if (name.endsWith(".checkpoint") || name.endsWith(".checkpoint.tmp")) {
      return "checkpoint";
    }
    return name.endsWith(".part") || name.endsWith(".jsonl") || name.endsWith(".zst")
        ? "rows"
        : null;
  }

  private static void reached(@Nullable String role, String moment) {
    if (role != null) {
      reached(role + " " + moment);
    }
  }

  public static FileChannel open(Path path, OpenOption... options) throws IOException {
    FileChannel channel = FileChannel.open(path, options);
    FILES.put(channel, path);
    reached(role(path), "opened");
    return channel;
  }

  /** A kill between the halves leaves half a write. */
  public static int write(FileChannel channel, ByteBuffer bytes) throws IOException {
    long from = channel.position();
    int written = write(channel, bytes, from);
    channel.position(from + written);
    return written;
  }

  public static int write(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
    String role = role(FILES.get(channel));
    int end = bytes.limit();
    int half = bytes.remaining() / 2;
    bytes.limit(bytes.position() + half);
    int written = channel.write(bytes, at);
    reached(role, "half written");
    bytes.limit(end);
    written += channel.write(bytes, at + written);
    reached(role, "written");
    return written;
  }

  public static void force(FileChannel channel, boolean metadata) throws IOException {
    String role = role(FILES.get(channel));
    channel.force(metadata);
    reached(role, "forced");
  }

  public static Path move(Path from, Path to, CopyOption... options) throws IOException {
    String role = "rows".equals(role(to)) ? "output" : role(to);
    reached(role, "before its rename");
    Path moved = Files.move(from, to, options);
    reached(role, "renamed");
    return moved;
  }

  public static boolean deleteIfExists(Path file) throws IOException {
    boolean deleted = Files.deleteIfExists(file);
    if (!file.toString().endsWith(".tmp")) {
      reached(role(file), "removed");
    }
    return deleted;
  }
}
