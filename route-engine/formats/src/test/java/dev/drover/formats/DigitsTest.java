package dev.drover.formats;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoField;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers and times are written as the platform writes them. */
class DigitsTest {

  private static final int ROUNDS = 100_000;
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private static String number(long value) {
    byte[] out = new byte[Digits.MAX_BYTES];
    return new String(out, 0, Digits.write(out, 0, value), US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        9,
        10,
        99,
        100,
        999,
        1000,
        9999,
        10_000,
        99_999,
        2_147_483_647,
        2_147_483_648L,
        9_999_999_999L,
        10_000_000_000L,
        999_999_999_999_999_999L,
        Long.MAX_VALUE
      })
  void writesNumbersOfAnyLength(long value) {
    assertThat(number(value)).isEqualTo(Long.toString(value));
    assertThat(number(-value)).isEqualTo(Long.toString(-value));
    assertThat(number(-value - 1)).isEqualTo(Long.toString(-value - 1));
  }

  @Test
  void writesRandomNumbers() {
    for (int round = 0; round < ROUNDS; round++) {
      long value = Seed.round(round).nextLong() >> (round % 64);
      assertThat(number(value)).as(Seed.name(round)).isEqualTo(Long.toString(value));
    }
  }

  @Test
  void writesInstants() {
    LocalDate epoch = LocalDate.of(2000, 1, 1);
    for (int round = 0; round < ROUNDS; round++) {
      Random random = Seed.round(round);
      long day = random.nextInt(-1_800_000, 3_000_000) >> (round % 3 == 0 ? 8 : 0);
      long micros = random.nextLong(MICROS_PER_DAY);
      micros -= round % 4 == 0 ? 0 : micros % (round % 4 == 1 ? 1_000_000 : 1000);
      LocalDate date = epoch.plusDays(day);
      LocalTime time = LocalTime.ofNanoOfDay(micros * 1000);
      byte[] out = new byte[Instants.MAX_BYTES];
      int end = Instants.timestamp(out, 0, day * MICROS_PER_DAY + micros, true);
      String expected = date(date) + 'T' + clock(time) + "+00:00" + era(date);
      assertThat(new String(out, 0, end, US_ASCII)).as(Seed.name(round)).isEqualTo(expected);
      end = Instants.date(out, 0, day);
      assertThat(new String(out, 0, end, US_ASCII))
          .as(Seed.name(round))
          .isEqualTo(date(date) + era(date));
    }
    byte[] out = new byte[Instants.MAX_BYTES];
    int end = Instants.time(out, 0, MICROS_PER_DAY);
    assertThat(new String(out, 0, end, US_ASCII)).isEqualTo("24:00:00");
  }

  private static String date(LocalDate date) {
    int year = date.get(ChronoField.YEAR_OF_ERA);
    return "%04d-%02d-%02d".formatted(year, date.getMonthValue(), date.getDayOfMonth());
  }

  private static String clock(LocalTime time) {
    String text = "%02d:%02d:%02d".formatted(time.getHour(), time.getMinute(), time.getSecond());
    return time.getNano() == 0
        ? text
        : text + ".%06d".formatted(time.getNano() / 1000).replaceFirst("0+$", "");
  }

  private static String era(LocalDate date) {
    return date.getYear() <= 0 ? " BC" : "";
  }
}
