package dev.drover.bench.lab.faults;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;

/** Rows and checkpoints of a {@link Ledger}. Thread-safe. */
final class LedgerBook {

  /**
   * A checkpoint.
   *
   * @param epoch how often it was taken over
   * @param stored of each split
   */
  record Claim(long epoch, Map<String, String> stored) {}

  private final Map<String, Claim> checkpoints = new HashMap<>();
  private final ByteArrayOutputStream rows = new ByteArrayOutputStream();
  private boolean finished;
  private boolean countsOnly;
  private long length;
  private volatile int answerMillis;
  private int dropAfter = Integer.MAX_VALUE;
  private int dropped;

  /** Commits of earlier epochs fail from now on. */
  synchronized Claim claim(String id, boolean resume) {
    Claim before = checkpoints.getOrDefault(id, new Claim(0, Map.of()));
    Claim claim = new Claim(before.epoch() + 1, resume ? before.stored() : Map.of());
    checkpoints.put(id, claim);
    return claim;
  }

  /** Appends rows and moves the checkpoint; or nothing, and false, if the epoch is past. */
  synchronized boolean commit(String id, long epoch, Map<String, String> stored, byte[] added) {
    Claim claim = checkpoints.get(id);
    if (claim == null || claim.epoch() != epoch) {
      return false;
    }
    append(added);
    Map<String, String> all = new HashMap<>(claim.stored());
    all.putAll(stored);
    checkpoints.put(id, new Claim(epoch, all));
    return true;
  }

  synchronized void append(byte[] added) {
    length += added.length;
    if (!countsOnly) {
      rows.writeBytes(added);
    }
  }

  /** Rows are counted and forgotten from now on, and each request takes so long. */
  synchronized void countSlowly(int millis) {
    countsOnly = true;
    answerMillis = millis;
  }

  int answerMillis() {
    return answerMillis;
  }

  synchronized void finish() {
    finished = true;
  }

  /** Whether a run has said that all its rows are there. */
  synchronized boolean finished() {
    return finished;
  }

  /** After so many more requests that change rows, one is done and its connection dropped. */
  synchronized void dropAfter(int requests) {
    dropAfter = requests;
  }

  synchronized boolean dropsNow() {
    if (--dropAfter > 0) {
      return false;
    }
    dropAfter = Integer.MAX_VALUE;
    dropped++;
    return true;
  }

  /** How many connections were dropped before a request that was done was answered. */
  synchronized int dropped() {
    return dropped;
  }

  /** Bytes of all rows. */
  synchronized long length() {
    return length;
  }

  synchronized byte[] rows() {
    return rows.toByteArray();
  }
}
