package dev.drover.bench.client;

/**
 * The draws of CPython's {@code random.Random(seed)}: Mersenne Twister MT19937 with the same
 * seeding and the same ways to turn its words into ranges and doubles, so that a fixture described
 * in Python comes out alike. Not for more than one thread.
 */
final class PythonRandom {
  private static final int N = 624;
  private static final int M = 397;
  private static final int MATRIX = 0x9908b0df;
  private static final int UPPER = 0x80000000;
  private static final int LOWER = 0x7fffffff;

  private final int[] state = new int[N];
  private int next = N;

  /** Seeds as {@code random.Random(seed)} does for an integer that fits 32 unsigned bits. */
  PythonRandom(int seed) {
    state[0] = 19650218;
    for (int i = 1; i < N; i++) {
      state[i] = 1812433253 * mixed(i - 1) + i;
    }
    // init_by_array with a key of one word.
    int i = 1;
    for (int k = N; k > 0; k--) {
      state[i] = (state[i] ^ (mixed(i - 1) * 1664525)) + seed;
      if (++i == N) {
        state[0] = state[N - 1];
        i = 1;
      }
    }
    for (int k = N - 1; k > 0; k--) {
      state[i] = (state[i] ^ (mixed(i - 1) * 1566083941)) - i;
      if (++i == N) {
        state[0] = state[N - 1];
        i = 1;
      }
    }
    state[0] = UPPER;
  }

  private int mixed(int i) {
    return state[i] ^ (state[i] >>> 30);
  }

  private int word() {
    if (next == N) {
      twist();
    }
    int y = state[next++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return y ^ (y >>> 18);
  }

  private void twist() {
    for (int i = 0; i < N; i++) {
      int y = (state[i] & UPPER) | (state[(i + 1) % N] & LOWER);
      state[i] = state[(i + M) % N] ^ (y >>> 1) ^ (-(y & 1) & MATRIX);
    }
    next = 0;
  }

  /** {@code getrandbits(bits)} for 1 to 31 bits. */
  int bits(int bits) {
    return word() >>> (32 - bits);
  }

  /** {@code random()}: at least 0, below 1, 53 bits. */
  double unit() {
    int high = word() >>> 5;
    int low = word() >>> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
  }

  /** {@code uniform(low, high)}. */
  double uniform(double low, double high) {
    return low + (high - low) * unit();
  }

  /** A number from 0 to {@code bound - 1}: draws anew while the bits are too large. */
  int below(int bound) {
    int bits = 32 - Integer.numberOfLeadingZeros(bound);
    int drawn = bits(bits);
    while (drawn >= bound) {
      drawn = bits(bits);
    }
    return drawn;
  }

  /** {@code randint(low, high)}, both ends included. */
  int between(int low, int high) {
    return low + below(high - low + 1);
  }

  /**
   * {@code sample(range(size), into.length)} for at most 21 candidates, where CPython draws from a
   * pool: the first {@code count} places of {@code into} are filled.
   */
  void sample(int size, int count, int[] into) {
    int[] pool = new int[size];
    for (int i = 0; i < size; i++) {
      pool[i] = i;
    }
    for (int i = 0; i < count; i++) {
      int drawn = below(size - i);
      into[i] = pool[drawn];
      pool[drawn] = pool[size - i - 1];
    }
  }
}
