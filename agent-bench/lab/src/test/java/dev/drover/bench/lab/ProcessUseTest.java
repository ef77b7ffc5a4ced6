package dev.drover.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessUseTest {
  @BeforeEach
  void onLinuxOnly() {
    assumeThat(Path.of("/proc/self/stat")).exists();
  }

  @Test
  void agreesWithTheJdkOnThisProcess() throws Exception {
    long pid = ProcessHandle.current().pid();
    double before = ProcessUse.cpuSeconds(pid);
    double told = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
    double after = ProcessUse.ownCpuSeconds();
    assertThat(told).isBetween(before - 0.02, after + 0.02);
    assertThat(ProcessUse.peakKib(pid)).isBetween(10_000L, 100_000_000L);
    assertThat(ProcessUse.machineCpuSeconds()).isGreaterThan(before);
  }

  @Test
  void knowsWhatAnEndedChildUsed() throws Exception {
    double before = ProcessUse.endedChildrenCpuSeconds();
    Process child =
        new ProcessBuilder(ServerProcess.command("version"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(child.waitFor()).isZero();
    assertThat(ProcessUse.endedChildrenCpuSeconds()).isGreaterThan(before);
    assertThat(ProcessUse.peakKib(child.pid())).isZero();
  }
}
