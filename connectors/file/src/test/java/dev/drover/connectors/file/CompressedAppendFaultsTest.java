package dev.drover.connectors.file;

class CompressedAppendFaultsTest extends AppendFaultsTest {

  @Override
  String name() {
    return "out.jsonl.lz4";
  }
}
