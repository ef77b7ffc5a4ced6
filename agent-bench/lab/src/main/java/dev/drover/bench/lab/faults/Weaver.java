package dev.drover.bench.lab.faults;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes copies of Drover's classes that write rows and checkpoints, in which the file calls are
 * replaced by those of {@link KillPoints}. A process that finds them before the originals runs the
 * product's own code, which knows nothing of kill points.
 */
final class Weaver {

  /** One class of each package, and how the names of those begin that are copied. */
  private static final Map<String, String> WOVEN =
      Map.of(
          "dev/drover/connectors/file/FileConnector.class", "",
          "dev/drover/runtime/StateFolder.class", "StateFolder");

  private static final ClassDesc HOOKS = KillPoints.class.describeConstable().orElseThrow();
  private static final Set<String> OWNERS =
      Set.of("java/nio/channels/FileChannel", "java/nio/file/Files");

  /** All have a twin in {@link KillPoints}. */
  private static final Set<String> REPLACED =
      Set.of(
          "open(Path,OpenOption[])FileChannel",
          "write(ByteBuffer)int",
          "write(ByteBuffer,long)int",
          "force(boolean)void",
          "move(Path,Path,CopyOption[])Path",
          "deleteIfExists(Path)boolean");

  private Weaver() {}

  /** Writes the copies into a folder that is to come first in a class path. */
  static void write(Path folder) throws IOException {
    for (Map.Entry<String, String> each : WOVEN.entrySet()) {
      URL found = Weaver.class.getClassLoader().getResource(each.getKey());
      if (found == null) {
        throw new IOException("not in the class path: " + each.getKey());
      }
      try {
        URI place = found.toURI();
        if (place.getScheme().equals("jar")) {
          try (FileSystem jar = FileSystems.newFileSystem(place, Map.of())) {
            copy(jar.getPath(each.getKey()), folder.resolve(each.getKey()), each.getValue());
          }
        } else {
          copy(Path.of(place), folder.resolve(each.getKey()), each.getValue());
        }
      } catch (URISyntaxException e) {
        throw new IOException(e);
      }
    }
  }

  private static void copy(Path from, Path to, String prefix) throws IOException {
    Files.createDirectories(to.resolveSibling(""));
    List<Path> classes;
    try (Stream<Path> all = Files.list(from.resolveSibling(""))) {
      classes = all.filter(each -> isClass(each.getFileName().toString(), prefix)).toList();
    }
    for (Path each : classes) {
      Files.write(
          to.resolveSibling(each.getFileName().toString()), weave(Files.readAllBytes(each)));
    }
  }

  private static boolean isClass(String name, String prefix) {
    return name.startsWith(prefix) && name.endsWith(".class") && !name.startsWith("package-info");
  }

  /** A call of an instance method becomes one of a static method that takes the instance first. */
  private static byte[] weave(byte[] original) {
    ClassFile classFile = ClassFile.of();
    return classFile.transformClass(
        classFile.parse(original),
        ClassTransform.transformingMethodBodies(
            (code, element) -> {
              if (element instanceof InvokeInstruction call && isReplaced(call)) {
                MethodTypeDesc type = call.typeSymbol();
                code.invokestatic(
                    HOOKS,
                    call.name().stringValue(),
                    call.opcode() == Opcode.INVOKESTATIC
                        ? type
                        : type.insertParameterTypes(0, call.owner().asSymbol()));
              } else {
                code.with(element);
              }
            }));
  }

  private static boolean isReplaced(InvokeInstruction call) {
    return OWNERS.contains(call.owner().asInternalName())
        && REPLACED.contains(call.name().stringValue() + call.typeSymbol().displayDescriptor());
  }
}
