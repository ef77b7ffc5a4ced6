package dev.drover.formats;

import java.nio.charset.StandardCharsets;

/**
 * How CSV is written.
 *
 * @param delimiter an ASCII character
 * @param nullText what stands for null, never in quotes
 */
record CsvStyle(byte delimiter, String nullText, String lineEnd) {

  byte[] nullBytes() {
    return nullText.getBytes(StandardCharsets.UTF_8);
  }
}
