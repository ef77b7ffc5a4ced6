package dev.drover.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WaitingCallsTest {

  @Test
  void givesUpCallThatDoesNotEnd() throws Exception {
    WaitingCalls calls = new WaitingCalls();
    CountDownLatch deaf = new CountDownLatch(1);
    CompletableFuture<Boolean> mayAnswer = new CompletableFuture<>();
    calls.start(
        "a",
        call -> {
          awaitUninterruptibly(deaf);
          mayAnswer.complete(call.answer());
        });
    assertThat(calls.end(Duration.ofMillis(10))).containsExactly("a");
    deaf.countDown();
    // Somebody else has told the client.
    assertThat(mayAnswer.get(60, TimeUnit.SECONDS)).isFalse();
    assertThat(calls.end(Duration.ofSeconds(60))).isEmpty();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // That is the point.
      }
    }
  }

  @Test
  void interruptsNobodyWhoIsAnswering() throws Exception {
    WaitingCalls calls = new WaitingCalls();
    CountDownLatch answering = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    calls.start(
        1L,
        call -> {
          call.answer();
          answering.countDown();
          awaitUninterruptibly(cancelled);
          interrupted.complete(Thread.currentThread().isInterrupted());
        });
    answering.await();
    calls.cancel(1L);
    cancelled.countDown();
    assertThat(interrupted.get(60, TimeUnit.SECONDS)).isFalse();
  }
}
