package dev.drover.connectors.file;

class CompressedFaultsTest extends FileFaultsTest {

  @Override
  String name() {
    return "out.jsonl.zst";
  }
}
