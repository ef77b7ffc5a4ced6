package dev.drover.cli;

/** Where the process begins. */
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    System.out.println("drover 0.1.0-SNAPSHOT");
  }
}
