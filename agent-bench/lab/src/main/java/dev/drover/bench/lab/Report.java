package dev.drover.bench.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one session on one machine.
 *
 * @param title heading of the table
 * @param machine where and with what
 * @param runs how often each contestant ran
 * @param rows of the fixture
 * @param figures the table
 */
record Report(String title, Machine machine, int runs, long rows, List<Figure> figures) {
  /**
   * Where and with what.
   *
   * @param date of the session, UTC
   * @param commit of the sources; with {@code +changes} when files differed from it
   * @param drover version that the server tells
   * @param jdk version of the Java runtime
   * @param flags of the server's JVM
   * @param duckdb version; null when it took no part
   * @param os kernel and architecture
   * @param cpu model
   * @param cores processors that the JVM sees
   * @param memoryMib of the machine
   * @param othersCores cores that other programs used during the session
   */
  record Machine(
      String date,
      String commit,
      String drover,
      String jdk,
      String flags,
      @Nullable String duckdb,
      String os,
      String cpu,
      int cores,
      long memoryMib,
      double othersCores) {}
}
