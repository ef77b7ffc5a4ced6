package dev.drover.formats;

import static dev.drover.formats.Compression.GZIP;

import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Members of RFC 1952. The JDK's own stream stops after the first one where it reads a pipe. */
final class GzipMembers extends MemberDecoder {

  private static final int DEFLATE = 8;
  private static final int HEADER_CRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xe0;
  private static final int FIXED_BYTES = 10;

  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final CRC32 headerCrc = new CRC32();
  private long length;
  private boolean ended;

  @Override
  boolean begins(CompressedInput in) {
    return Compression.isGzip(in.buffer, in.at, in.available());
  }

  @Override
  void begin(CompressedInput in) throws IOException {
    headerCrc.reset();
    in.need(FIXED_BYTES, GZIP);
    int method = in.buffer[in.at + 2] & 0xff;
    int flags = in.buffer[in.at + 3] & 0xff;
    if (method != DEFLATE || (flags & RESERVED) != 0) {
      throw in.corrupt(GZIP, "the header of a member is not one of RFC 1952");
    }
    for (int i = 0; i < FIXED_BYTES; i++) {
      header(in);
    }
    if ((flags & EXTRA) != 0) {
      int extra = header(in) | header(in) << 8;
      for (int i = 0; i < extra; i++) {
        header(in);
      }
    }
    if ((flags & NAME) != 0) {
      skipText(in);
    }
    if ((flags & COMMENT) != 0) {
      skipText(in);
    }
    if ((flags & HEADER_CRC) != 0) {
      int computed = (int) headerCrc.getValue() & 0xffff;
      if ((in.next(GZIP) | in.next(GZIP) << 8) != computed) {
        throw in.corrupt(GZIP, "the checksum of a header does not fit");
      }
    }
    inflater.reset();
    crc.reset();
    length = 0;
    ended = false;
  }

  private int header(CompressedInput in) throws IOException {
    int next = in.next(GZIP);
    headerCrc.update(next);
    return next;
  }

  private void skipText(CompressedInput in) throws IOException {
    int next;
    do {
      next = header(in);
    } while (next != 0);
  }

  @Override
  int decode(CompressedInput in, byte[] into, int from, int room) throws IOException {
    while (!ended) {
      inflater.setInput(in.buffer, in.at, in.available());
      int count = inflate(in, into, from, room);
      in.at = in.end - inflater.getRemaining();
      if (inflater.needsDictionary()) {
        throw in.corrupt(GZIP, "it wants a dictionary");
      }
      if (inflater.finished()) {
        crc.update(into, from, count);
        length += count;
        readTrailer(in);
        ended = true;
        if (count > 0) {
          return count;
        }
      } else if (count > 0) {
        crc.update(into, from, count);
        length += count;
        return count;
      } else if (!in.more()) {
        throw in.truncated(GZIP);
      }
    }
    return -1;
  }

  private int inflate(CompressedInput in, byte[] into, int from, int room) {
    try {
      return inflater.inflate(into, from, room);
    } catch (DataFormatException e) {
      throw in.corrupt(GZIP, e.getMessage() == null ? "it is no deflate data" : e.getMessage());
    }
  }

  private void readTrailer(CompressedInput in) throws IOException {
    if (in.nextInt(GZIP) != (int) crc.getValue()) {
      throw in.corrupt(GZIP, "the checksum of a member does not fit");
    }
    if (in.nextInt(GZIP) != (int) length) {
      throw in.corrupt(GZIP, "the length of a member does not fit");
    }
  }

  @Override
  public void close() {
    inflater.end();
  }
}
