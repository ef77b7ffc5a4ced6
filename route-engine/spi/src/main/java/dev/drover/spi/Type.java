package dev.drover.spi;

/** The type of a field, and with it the meaning of its cells. */
public enum Type {
  /** 0 or 1. */
  BOOL(false),
  INT64(false),
  /** The bits of {@link Float#floatToRawIntBits}. */
  FLOAT32(false),
  /** The bits of {@link Double#doubleToRawLongBits}. */
  FLOAT64(false),
  /** Digits as text, never rounded; may be NaN, Infinity or -Infinity. */
  DECIMAL(true),
  /** UTF-8. */
  STRING(true),
  BYTES(true),
  /** 16 bytes, the most significant first. */
  UUID(true),
  /** One JSON value as text, verbatim. */
  JSON(true),
  /** Days from 2000-01-01; Long.MIN_VALUE and Long.MAX_VALUE are -infinity and infinity. */
  DATE(false),
  /** Microseconds of the day, 0 to 86,400,000,000. */
  TIME(false),
  /** Microseconds from 2000-01-01T00:00 without a zone; infinities as for {@link #DATE}. */
  TIMESTAMP(false),
  /** Microseconds from 2000-01-01T00:00Z; infinities as for {@link #DATE}. */
  TIMESTAMPTZ(false);

  private final boolean sliced;

  Type(boolean sliced) {
    this.sliced = sliced;
  }

  /** Whether a cell is a slice of the arena rather than the value itself. */
  public boolean isSliced() {
    return sliced;
  }
}
