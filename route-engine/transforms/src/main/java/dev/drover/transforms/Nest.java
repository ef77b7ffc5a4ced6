package dev.drover.transforms;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.drover.formats.JsonOutput;
import dev.drover.formats.JsonValues;
import dev.drover.spi.Batch;
import dev.drover.spi.Field;
import dev.drover.spi.Schema;
import dev.drover.spi.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes objects of fields whose names have dots: the opposite of {@link Flatten}. */
record Nest() implements Transform {

  /** A part of an object: a field's index, or what lies below a name. */
  private static final class Node {
    int field = -1;
    final Map<String, Node> below = new LinkedHashMap<>();
  }

  @Override
  public Step step(Schema in) {
    Node root = new Node();
    for (int i = 0; i < in.size(); i++) {
      Node node = root;
      for (String part : in.fields().get(i).name().split("\\.", -1)) {
        node = node.below.computeIfAbsent(part, name -> new Node());
      }
      node.field = i;
    }
    List<Field> fields = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    root.below.forEach(
        (name, node) -> {
          boolean plain = node.below.isEmpty();
          fields.add(new Field(name, plain ? in.fields().get(node.field).type() : Type.JSON));
          nodes.add(node);
        });
    Schema out = new Schema(fields, in.open());
    Cells cells = new Cells(out.size());
    return (batch, rows) -> {
      byte[] marks = batch.marks();
      cells.begin(batch.rows(), true);
      for (int row = 0; row < batch.rows(); row++) {
        for (int f = 0; f < nodes.size(); f++) {
          Node node = nodes.get(f);
          int o = row * out.size() + f;
          if (node.below.isEmpty()) {
            int i = row * in.size() + node.field;
            cells.cells[o] = batch.cells()[i];
            cells.marks[o] = marks == null ? Batch.VALUE : marks[i];
          } else {
            byte[] arena = rows.arena();
            JsonOutput output = rows.output();
            int from = output.at;
            boolean any = write(node, batch, row, arena, output);
            cells.cells[o] = Batch.slice(from, output.at - from);
            cells.marks[o] = any ? Batch.VALUE : Batch.ABSENT;
          }
        }
      }
      return cells.batch(out, batch.rows(), rows.arena());
    };
  }

  /** Whether there was anything to write. */
  private static boolean write(Node node, Batch batch, int row, byte[] arena, JsonOutput out) {
    char before = '{';
    for (Map.Entry<String, Node> part : node.below.entrySet()) {
      Node below = part.getValue();
      int start = out.at;
      out.put(before);
      byte[] key = (JsonTree.write(part.getKey()) + ":").getBytes(UTF_8);
      out.put(key, 0, key.length);
      boolean written =
          below.below.isEmpty()
              ? value(below.field, batch, row, arena, out)
              : write(below, batch, row, arena, out);
      if (written) {
        before = ',';
      } else {
        out.at = start;
      }
    }
    if (before == '{') {
      return false;
    }
    out.put('}');
    return true;
  }

  private static boolean value(int field, Batch batch, int row, byte[] arena, JsonOutput out) {
    byte mark = batch.mark(row, field);
    if (mark == Batch.ABSENT) {
      return false;
    }
    if (mark == Batch.NULL) {
      out.put("null");
    } else {
      JsonValues.write(
          out, batch.schema().fields().get(field).type(), arena, batch.cell(row, field));
    }
    return true;
  }
}
