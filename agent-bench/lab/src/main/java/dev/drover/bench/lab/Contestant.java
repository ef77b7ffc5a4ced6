package dev.drover.bench.lab;

/** Something that turns a CSV file into JSON lines, measured from outside. */
interface Contestant {
  /** In words, for errors and progress. */
  String name();

  /** Does the work once, and checks and removes the output outside the measured time. */
  Sample run() throws Exception;
}
