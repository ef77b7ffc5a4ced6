package dev.drover.bench.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** DuckDB in this process, which is warm from the second run on. */
record DuckContestant(DuckDb duck, Input input, Path out) implements Contestant {
  @Override
  public String name() {
    return "DuckDB";
  }

  @Override
  public Sample run() throws IOException, SQLException {
    Files.deleteIfExists(out);
    double cpu = ProcessUse.ownCpuSeconds();
    long begun = System.nanoTime();
    duck.copy(input.csv(), out);
    double wall = (System.nanoTime() - begun) / 1e9;
    double used = ProcessUse.ownCpuSeconds() - cpu;
    input.check(name(), out);
    return new Sample(wall, used, Double.NaN);
  }
}
