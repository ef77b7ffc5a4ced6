package dev.drover.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** What processes used, from Linux's /proc. */
final class ProcessUse {
  /** The kernel counts in hundredths of a second on every platform that Java runs on. */
  private static final double TICKS_PER_SECOND = 100;

  private static final Path SELF = Path.of("/proc/self/stat");

  private ProcessUse() {}

  /** CPU seconds, user and system, of a running process so far. */
  static double cpuSeconds(long pid) throws IOException {
    return ticks(Path.of("/proc", Long.toString(pid), "stat"), 13, 14);
  }

  /** CPU seconds of this process so far, without its children. */
  static double ownCpuSeconds() throws IOException {
    return ticks(SELF, 13, 14);
  }

  /** CPU seconds of all ended children of this process, and of theirs. */
  static double endedChildrenCpuSeconds() throws IOException {
    return ticks(SELF, 15, 16);
  }

  /** CPU seconds of everything on this machine so far; what a hypervisor took away counts too. */
  static double machineCpuSeconds() throws IOException {
    List<String> words = List.of(Files.readAllLines(Path.of("/proc/stat")).getFirst().split(" +"));
    // cpu user nice system idle iowait irq softirq steal: all but idle and iowait
    long ticks = 0;
    for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
      ticks += Long.parseLong(words.get(i));
    }
    return ticks / TICKS_PER_SECOND;
  }

  private static double ticks(Path stat, int first, int second) throws IOException {
    String text = Files.readString(stat);
    // The second field is a name in brackets that may hold anything; fields count from 0.
    List<String> rest = List.of(text.substring(text.lastIndexOf(')') + 2).strip().split(" "));
    return (Long.parseLong(rest.get(first - 2)) + Long.parseLong(rest.get(second - 2)))
        / TICKS_PER_SECOND;
  }

  /** Peak resident memory in KiB of a process so far; 0 when it has gone. */
  static long peakKib(long pid) throws IOException {
    try {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (NoSuchFileException e) {
      // Reaped between two looks.
    } catch (IOException e) {
      if (Files.exists(Path.of("/proc", Long.toString(pid)))) {
        throw e;
      }
    }
    return 0;
  }
}
