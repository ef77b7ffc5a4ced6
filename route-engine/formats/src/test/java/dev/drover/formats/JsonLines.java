package dev.drover.formats;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A strict reader of JSON lines whose values are all strings: the plain twin of the encoder. */
final class JsonLines {

  private final String text;
  private int at;

  private JsonLines(String text) {
    this.text = text;
  }

  /** Each object as its keys and values in order. */
  static List<List<Map.Entry<String, String>>> read(byte[] bytes) {
    try {
      JsonLines lines = new JsonLines(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      List<List<Map.Entry<String, String>>> objects = new ArrayList<>();
      while (lines.at < lines.text.length()) {
        objects.add(lines.object());
        lines.expect('\n');
      }
      return objects;
    } catch (CharacterCodingException e) {
      throw new AssertionError("not UTF-8", e);
    }
  }

  private List<Map.Entry<String, String>> object() {
    List<Map.Entry<String, String>> entries = new ArrayList<>();
    expect('{');
    while (true) {
      String key = string();
      skipSpace();
      expect(':');
      skipSpace();
      entries.add(Map.entry(key, string()));
      if (text.charAt(at) == '}') {
        at++;
        return entries;
      }
      expect(',');
      skipSpace();
    }
  }

  private String string() {
    StringBuilder value = new StringBuilder();
    expect('"');
    while (text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw new AssertionError("a bare control character at " + at);
      }
      value.append(c == '\\' ? escape() : c);
    }
    at++;
    return value.toString();
  }

  private char escape() {
    char c = text.charAt(at++);
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> throw new AssertionError("escape \\" + c);
    };
  }

  private void skipSpace() {
    while (text.charAt(at) == ' ') {
      at++;
    }
  }

  private void expect(char c) {
    if (text.charAt(at) != c) {
      throw new AssertionError("%s expected at %d, found %s".formatted(c, at, text.charAt(at)));
    }
    at++;
  }
}
