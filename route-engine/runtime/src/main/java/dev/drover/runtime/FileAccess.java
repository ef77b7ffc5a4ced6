package dev.drover.runtime;

import dev.drover.spi.Access;
import dev.drover.spi.DroverException;
import dev.drover.spi.ErrorCode;
import dev.drover.spi.Nearest;
import dev.drover.spi.Problem;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The policy on files: free for the person at the shell, fenced to roots for a model. A fence
 * compares real paths, so that neither {@code ..} nor a symbolic link leads out of it. Any thread.
 */
public final class FileAccess implements Access {

  /** Folders of the system: neither they nor what is in them becomes a root by itself. */
  private static final List<String> SYSTEM_TREES =
      List.of(
          "/bin",
          "/boot",
          "/dev",
          "/etc",
          "/lib",
          "/lib32",
          "/lib64",
          "/proc",
          "/run",
          "/sbin",
          "/sys",
          "/usr",
          "/Library",
          "/System");

  /** Folders that hold what belongs to many. */
  private static final List<String> SHARED_FOLDERS =
      List.of("/Applications", "/Users", "/home", "/opt", "/private", "/root", "/srv", "/var");

  private final boolean fenced;
  private final List<Path> roots;
  private final @Nullable Path temp;
  private final @Nullable Path home;
  private final boolean shell;

  /** The variables that routes may read; null: all. */
  private final @Nullable Map<String, String> variables;

  private FileAccess(
      boolean fenced,
      List<Path> roots,
      @Nullable Path temp,
      @Nullable Path home,
      boolean shell,
      @Nullable Map<String, String> variables) {
    this.fenced = fenced;
    this.roots = List.copyOf(roots);
    this.temp = temp;
    this.home = home;
    this.shell = shell;
    this.variables = variables;
  }

  /** Every file that the operating system allows. */
  public static FileAccess unfenced() {
    return new FileAccess(false, List.of(), null, home(System.getenv()), false, null);
  }

  /** As {@link #unfenced}, and standard input and output: for who starts a route at a shell. */
  public static FileAccess ofShell() {
    return new FileAccess(false, List.of(), null, home(System.getenv()), true, null);
  }

  /**
   * The roots given, the working folder and {@code CLAUDE_PROJECT_DIR} unless they are the root of
   * the file system, the home folder or a system folder; and regular files of one's own in the temp
   * folder.
   *
   * @throws DroverException if a given root is no folder
   */
  public static FileAccess fenced(List<Path> givenRoots, Map<String, String> environment) {
    return fenced(
        givenRoots, environment, real(Path.of(System.getProperty("java.io.tmpdir", "/tmp"))));
  }

  static FileAccess fenced(
      List<Path> givenRoots, Map<String, String> environment, @Nullable Path temp) {
    List<Path> roots = new ArrayList<>();
    for (Path root : givenRoots) {
      Path real = real(root);
      if (real == null || !Files.isDirectory(real)) {
        throw new DroverException(
            new Problem(
                ErrorCode.FILE_NOT_FOUND,
                "",
                "root '" + root + "' is no folder",
                "give an existing folder to --root"));
      }
      addOnce(roots, real);
    }
    Path home = home(environment);
    for (String implicit : List.of("", environment.getOrDefault("CLAUDE_PROJECT_DIR", ""))) {
      Path real = real(Path.of(implicit));
      if (real != null
          && Files.isDirectory(real)
          && mayBeImplicit(real)
          && !real.equals(home)
          && !real.equals(temp)) {
        addOnce(roots, real);
      }
    }
    return new FileAccess(true, roots, temp, home, false, Map.of());
  }

  private static void addOnce(List<Path> roots, Path root) {
    if (!roots.contains(root)) {
      roots.add(root);
    }
  }

  private static boolean mayBeImplicit(Path folder) {
    return folder.getParent() != null
        && SYSTEM_TREES.stream().noneMatch(folder::startsWith)
        && !SHARED_FOLDERS.contains(folder.toString());
  }

  private static @Nullable Path home(Map<String, String> environment) {
    String home = environment.get("HOME");
    if (home == null || home.isEmpty()) {
      home = System.getProperty("user.home", "");
    }
    return home.isEmpty() ? null : real(Path.of(home));
  }

  private static @Nullable Path real(Path path) {
    try {
      return path.toAbsolutePath().toRealPath();
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * The same, and routes may read these environment variables.
   *
   * @param environment to take them from; those that it lacks are not set
   */
  public FileAccess withVariables(List<String> names, Map<String, String> environment) {
    Map<String, String> allowed = new HashMap<>();
    names.forEach(name -> allowed.put(name, environment.getOrDefault(name, "")));
    return new FileAccess(fenced, roots, temp, home, shell, Map.copyOf(allowed));
  }

  @Override
  public String environment(String name) {
    if (variables != null && !variables.containsKey(name)) {
      return Access.super.environment(name);
    }
    String value = variables == null ? System.getenv(name) : variables.get(name);
    if (value == null || value.isEmpty()) {
      throw new DroverException(
          new Problem(
              ErrorCode.MISSING_OPTION,
              "",
              "the environment variable %s is not set".formatted(ConfigBinder.cut(name)),
              "set it before the process is started"));
    }
    return value;
  }

  /** The folders inside which everything is allowed; empty if there is no fence. */
  public List<Path> roots() {
    return roots;
  }

  @Override
  @SuppressWarnings("resource") // the process's own streams; the channel is closed by who takes it
  public FileChannel standard(FileUse use) {
    if (!shell) {
      return Access.super.standard(use);
    }
    return use == FileUse.READ
        ? new FileInputStream(FileDescriptor.in).getChannel()
        : new FileOutputStream(FileDescriptor.out).getChannel();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Path file(String path, FileUse use) {
    Path wanted = absolute(path);
    Path resolved = resolve(wanted);
    if (fenced) {
      checkFence(resolved);
    }
    boolean exists = Files.exists(resolved, LinkOption.NOFOLLOW_LINKS);
    if (use == FileUse.READ && !exists) {
      throw new DroverException(
          new Problem(
              ErrorCode.FILE_NOT_FOUND, "", "there is no file " + resolved, nearby(resolved)));
    }
    if (fenced && exists && !Files.isRegularFile(resolved) && !Files.isDirectory(resolved)) {
      throw denied(resolved, "is no regular file", "use a regular file");
    }
    Path folder = resolved.getParent();
    if (use == FileUse.WRITE && (folder == null || !Files.isDirectory(folder))) {
      throw new DroverException(
          new Problem(
              ErrorCode.FILE_NOT_FOUND,
              "",
              "there is no folder " + folder,
              "make the folder first, set create_folders to true, or write to another one"));
    }
    return resolved;
  }

  private Path absolute(String path) {
    if (path.isEmpty() || path.indexOf('\0') >= 0) {
      throw new DroverException(
          ErrorCode.INVALID_ARGUMENT, "a path must not be empty and has no NUL character");
    }
    try {
      if (home != null && (path.equals("~") || path.startsWith("~/"))) {
        return home.resolve(path.substring(Math.min(2, path.length()))).normalize();
      }
      return Path.of(path).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw new DroverException(
          ErrorCode.INVALID_ARGUMENT, "'" + ConfigBinder.cut(path) + "' is no path", e);
    }
  }

  /** Follows all links of what exists; what does not exist yet has its folder resolved. */
  private static Path resolve(Path wanted) {
    Path real = real(wanted);
    if (real != null) {
      return real;
    }
    if (Files.isSymbolicLink(wanted)) {
      throw denied(wanted, "is a symbolic link to nothing", "remove the link");
    }
    Path name = wanted.getFileName();
    Path parent = wanted.getParent();
    if (name == null || parent == null || name.toString().equals("..")) {
      return wanted.normalize();
    }
    return resolve(parent).resolve(name).normalize();
  }

  private void checkFence(Path resolved) {
    for (Path root : roots) {
      if (resolved.startsWith(root)) {
        return;
      }
    }
    if (temp != null && resolved.startsWith(temp) && isOwnOrNew(resolved)) {
      return;
    }
    String shown =
        roots.isEmpty() ? "none" : String.join(", ", roots.stream().map(Path::toString).toList());
    Path folder = resolved.getParent() == null ? resolved : resolved.getParent();
    throw new DroverException(
        new Problem(
            ErrorCode.PATH_OUTSIDE_ROOTS,
            "",
            "%s is outside the allowed roots: %s".formatted(resolved, shown),
            "use a path inside a root; or the user starts the server with --root " + folder));
  }

  private boolean isOwnOrNew(Path file) {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    try {
      Path probe = Files.createTempFile("drover", ".uid");
      try {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(file).equals(Files.getOwner(probe));
      } finally {
        Files.delete(probe);
      }
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static String nearby(Path missing) {
    Path folder = missing.getParent();
    Path name = missing.getFileName();
    if (folder != null && name != null && Files.isDirectory(folder)) {
      try (var files = Files.list(folder)) {
        List<String> names = files.limit(1000).map(p -> p.getFileName().toString()).toList();
        String nearest = Nearest.match(name.toString(), names);
        return nearest == null ? "check the path" : "did you mean " + folder.resolve(nearest) + "?";
      } catch (IOException | java.io.UncheckedIOException e) {
        return "check the path";
      }
    }
    return "check the path";
  }

  private static DroverException denied(Path path, String what, String suggestion) {
    return new DroverException(
        new Problem(ErrorCode.ACCESS_DENIED, "", path + " " + what, suggestion));
  }
}
