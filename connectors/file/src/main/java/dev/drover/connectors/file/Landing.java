package dev.drover.connectors.file;

import dev.drover.spi.Destination;
import dev.drover.spi.Progress;
import dev.drover.spi.Split;
import java.io.IOException;
import java.util.Map;

/** Where rows go and when they are seen there. The methods are those of a writer, in its order. */
sealed interface Landing permits NewFile, ResumableFile, GrowingFile {

  Map<Split, String> open() throws IOException;

  /** What is being written; once it is open. */
  OutputFile file();

  void commit(Map<Split, Progress> upTo) throws IOException;

  Destination finish() throws IOException;

  void abort() throws IOException;
}
