package dev.drover.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each command of the README's section on transforms prints what stands below it. */
class ReadmeTest {

  private static final Pattern BLOCK = Pattern.compile("```(\\w*)\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

  @TempDir Path folder;

  private static String section() throws IOException {
    String readme = Files.readString(Path.of("../README.md"));
    int from = readme.indexOf("## Transforms");
    return readme.substring(from, readme.indexOf("\n## ", from + 1));
  }

  static Stream<Arguments> examples() throws IOException {
    List<Arguments> examples = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(section());
    String orders = "";
    while (blocks.find()) {
      if (blocks.group(1).equals("csv")) {
        orders = blocks.group(2);
        continue;
      }
      for (String example : blocks.group(2).split("\n\n", -1)) {
        int end = example.indexOf('\n');
        examples.add(
            Arguments.of(
                example.substring(0, end), orders, example.substring(end + 1).strip() + "\n"));
      }
    }
    assertThat(examples).hasSizeGreaterThanOrEqualTo(6);
    return examples.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void printsWhatTheReadmeSays(String command, String orders, String expected) throws IOException {
    Path source = folder.resolve("orders.csv");
    Files.writeString(source, orders);
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command.replace("orders.csv", source.toString()));
    while (word.find()) {
      words.add(Stream.of(1, 2, 3).map(word::group).filter(g -> g != null).findFirst().orElse(""));
    }
    // Standard output belongs to the tests here.
    assertThat(words.getFirst()).isEqualTo("drover");
    assertThat(words.getLast()).startsWith("-?format=");
    Path target = folder.resolve("out." + words.getLast().substring("-?format=".length()));
    words.set(words.size() - 1, target.toString());
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(err, true, UTF_8);
    int code =
        Main.run(
            words.subList(1, words.size()).toArray(new String[0]),
            new Streams(print, print, false));
    assertThat(code).as(err.toString(UTF_8)).isZero();
    assertThat(target).hasContent(expected);
  }
}
