package dev.drover.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drover.formats.CsvOptions;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are read to their end, in several goes. */
class ResumeTest {

  @TempDir Path folder;

  private Path path() {
    return folder.resolve("in.csv");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void goesOnAtEveryOffset(String lineEnd) throws IOException {
    StringBuilder csv = new StringBuilder("\ufeff" + lineEnd + "id,\"te" + lineEnd + "xt\"");
    csv.append(lineEnd);
    for (int i = 0; i < 200; i++) {
      csv.append(i).append(",\"a").append(lineEnd).append("b\"");
      csv.append(i < 199 ? lineEnd : "");
    }
    Files.writeString(path(), csv);
    SourceRig whole = new SourceRig(path(), true, 100);
    whole.readAll();
    assertThat(whole.finished).isTrue();
    assertThat(whole.rows).hasSize(200);
    List<String> offsets = List.copyOf(whole.offsets);
    List<String> rows = List.copyOf(whole.rows);
    assertThat(offsets).hasSizeGreaterThan(15);
    for (String offset : offsets) {
      whole.finished = false;
      whole.restart(offset);
      whole.readAll();
      assertThat(whole.finished).isTrue();
      assertThat(whole.rows).as("from %s", offset).isEqualTo(rows);
    }
    whole.close();
  }

  @Test
  void keepsChunksSmall() throws IOException {
    Files.writeString(path(), "id\n" + "1\n".repeat(1000));
    SourceRig rig = new SourceRig(path(), true, 1);
    rig.readAll();
    assertThat(rig.offsets).hasSizeGreaterThan(20);
    assertThat(rig.rows).hasSize(1000);
  }

  @Test
  void offsetsAreText() {
    for (String text : List.of("0", "12", "3:12", "3:12:99:4:0000abcd:5:ffffffff")) {
      assertThat(FileOffset.parse(text).text()).isEqualTo(text);
    }
    for (String text : List.of("", "-1", "x", "1:", "1:2:3", "1:2:3:4:5:6:x", "1:2:3:9999:5:6:7")) {
      assertThatThrownBy(() -> FileOffset.parse(text))
          .as(text)
          .isInstanceOfSatisfying(
              DroverException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }
    assertThat(FileOffset.parse("2:1")).isGreaterThan(FileOffset.parse("1:9"));
    assertThat(FileOffset.parse("2:1")).isLessThan(FileOffset.parse("2:9"));
  }

  @Test
  void theFingerprintTellsFilesApart() throws IOException {
    Files.writeString(path(), "id\n1\n");
    FileTime time = Files.getLastModifiedTime(path());
    SourceRig rig = new SourceRig(path(), true, 100);
    FileSource source = rig.source();
    Split split = source.splits().getFirst();
    String before = source.fingerprint(split);
    assertThat(before).isEqualTo(source.fingerprint(split)).doesNotContain(" ").isNotEmpty();
    Files.writeString(path(), "id\n2\n");
    Files.setLastModifiedTime(path(), time);
    assertThat(source.fingerprint(split)).as("another head").isNotEqualTo(before);
    Files.writeString(path(), "id\n1\n");
    Files.setLastModifiedTime(path(), FileTime.fromMillis(time.toMillis() + 1000));
    assertThat(source.fingerprint(split)).as("another time").isNotEqualTo(before);
    assertThat(source.description()).isEqualTo(path().toString());
    rig.close();
  }

  @Test
  void refusesAShorterOrAnotherFile() throws IOException {
    Files.writeString(path(), "id\n1\n2\n");
    SourceRig rig = new SourceRig(path(), true, 100);
    assertThatThrownBy(() -> rig.restart("40"))
        .isInstanceOfSatisfying(
            DroverException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED));
    SourceRig following = new SourceRig(path(), false, 100);
    following.readAll();
    String offset = following.offsets.getLast();
    following.close();
    rig.restart(offset);
    rig.readAll();
    assertThat(rig.rows).isEmpty();
    Files.writeString(path(), "id\n3\n4\n");
    assertThatThrownBy(() -> rig.restart(offset))
        .isInstanceOfSatisfying(
            DroverException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED));
    rig.close();
  }

  @Test
  void aPipeIsNotReplayable() throws Exception {
    Path pipe = folder.resolve("pipe.csv");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    FileSource source =
        new FileSource(
            new FileSourceConfig(
                pipe.toString(), "csv", CsvOptions.DEFAULTS, 1000, 1000, FileReadOptions.DEFAULTS),
            new SinkRig.Reach(given -> given));
    assertThat(source.traits().replayable()).isFalse();
    assertThat(source.fingerprint(source.splits().getFirst())).isEmpty();
  }
}
