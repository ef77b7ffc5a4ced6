package dev.drover.connectors.file;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The real file system as a process sees it that is killed before a given change of it, counted
 * from 1: that change and all later ones do not happen. A write may be cut in half then.
 */
final class DyingFiles {

  /** What such a process meets. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("killed", null, false, false);
    }
  }

  private final int lastStep;
  private final boolean halfWrites;
  private final FileSystem system = new Sight();
  private int steps;
  private int failingWrites;

  /** One that only fails to write, so many times, after half of the bytes. */
  static DyingFiles failing(int writes) {
    DyingFiles files = new DyingFiles(0, true);
    files.failingWrites = writes;
    return files;
  }

  /**
   * @param lastStep the change before which the process is killed; 0: it lives
   * @param halfWrites whether half of the bytes are written if that change is a write
   */
  DyingFiles(int lastStep, boolean halfWrites) {
    this.lastStep = lastStep;
    this.halfWrites = halfWrites;
  }

  /** The path as the process sees it. */
  Path see(Path real) {
    return (Path)
        Proxy.newProxyInstance(
            DyingFiles.class.getClassLoader(),
            new Class<?>[] {Seen.class},
            (proxy, method, given) -> {
              if (method.getName().equals("real")) {
                return real;
              } else if (method.getName().equals("getFileSystem")) {
                return system;
              }
              @Nullable Object[] arguments = given == null ? new Object[0] : given.clone();
              for (int i = 0; i < arguments.length; i++) {
                arguments[i] = arguments[i] instanceof Seen seen ? seen.real() : arguments[i];
              }
              try {
                Object result = method.invoke(real, arguments);
                return result instanceof Path path ? see(path) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private interface Seen extends Path {
    Path real();
  }

  private static Path real(Path path) {
    return path instanceof Seen seen ? seen.real() : path;
  }

  int steps() {
    return steps;
  }

  boolean isDead() {
    return lastStep > 0 && steps >= lastStep;
  }

  private void step() {
    if (isDead()) {
      throw new Killed();
    }
    steps++;
    if (isDead()) {
      throw new Killed();
    }
  }

  private final class Sight extends FileSystem {
    private final FileSystemProvider provider = new Provider(this);

    @Override
    public FileSystemProvider provider() {
      return provider;
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public String getSeparator() {
      return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(String first, String... more) {
      return see(Path.of(first, more));
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
      throw new UnsupportedOperationException();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      throw new UnsupportedOperationException();
    }

    @Override
    public WatchService newWatchService() {
      throw new UnsupportedOperationException();
    }
  }

  private final class Provider extends FileSystemProvider {
    private final FileSystem seen;
    private final FileSystemProvider inner = Path.of("").getFileSystem().provider();

    Provider(FileSystem seen) {
      this.seen = seen;
    }

    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      if (options.contains(StandardOpenOption.CREATE)
          || options.contains(StandardOpenOption.CREATE_NEW)
          || options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
        step();
      }
      return new Channel(inner.newFileChannel(real(path), options, attributes));
    }

    @Override
    public SeekableByteChannel newByteChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      if (!options.isEmpty() && !options.equals(Set.of(StandardOpenOption.READ))) {
        step();
      }
      return inner.newByteChannel(real(path), options, attributes);
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
      step();
      inner.createLink(real(link), real(existing));
    }

    @Override
    public void delete(Path path) throws IOException {
      if (inner.exists(real(path), LinkOption.NOFOLLOW_LINKS)) {
        step();
      }
      inner.delete(real(path));
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
      step();
      inner.move(real(source), real(target), options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        Path path, Class<A> type, LinkOption... options) throws IOException {
      return inner.readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
        throws IOException {
      return inner.readAttributes(real(path), attributes, options);
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
      inner.checkAccess(real(path), modes);
    }

    @Override
    public String getScheme() {
      return "dying";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      return seen;
    }

    @Override
    public Path getPath(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        Path dir, DirectoryStream.Filter<? super Path> filter) throws IOException {
      return inner.newDirectoryStream(real(dir), filter);
    }

    @Override
    public void createDirectory(Path dir, FileAttribute<?>... attributes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
      return inner.isSameFile(real(path), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
      return inner.isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
      return inner.getFileStore(real(path));
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
        Path path, Class<V> type, LinkOption... options) {
      return inner.getFileAttributeView(real(path), type, options);
    }

    @Override
    public void setAttribute(
        Path path, String attribute, @Nullable Object value, LinkOption... options) {
      throw new UnsupportedOperationException();
    }
  }

  private final class Channel extends FileChannel {
    private final FileChannel inner;

    Channel(FileChannel inner) {
      this.inner = inner;
    }

    @Override
    public int write(ByteBuffer bytes, long position) throws IOException {
      dieWriting(bytes, position);
      return inner.write(bytes, position);
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      dieWriting(bytes, inner.position());
      return inner.write(bytes);
    }

    private void dieWriting(ByteBuffer bytes, long position) throws IOException {
      boolean wasDead = isDead();
      try {
        step();
      } catch (Killed e) {
        if (halfWrites && !wasDead) {
          writeHalf(bytes, position);
        }
        throw e;
      }
      if (failingWrites > 0) {
        failingWrites--;
        writeHalf(bytes, position);
        throw new IOException("a fault was injected");
      }
    }

    private void writeHalf(ByteBuffer bytes, long position) throws IOException {
      ByteBuffer half = bytes.duplicate();
      half.limit(half.position() + half.remaining() / 2);
      inner.write(half, position);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      if (size < inner.size()) {
        step();
      }
      inner.truncate(size);
      return this;
    }

    @Override
    public int read(ByteBuffer bytes) throws IOException {
      return inner.read(bytes);
    }

    @Override
    public int read(ByteBuffer bytes, long position) throws IOException {
      return inner.read(bytes, position);
    }

    @Override
    public long read(ByteBuffer[] all, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] all, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() throws IOException {
      return inner.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
      inner.position(position);
      return this;
    }

    @Override
    public long size() throws IOException {
      return inner.size();
    }

    @Override
    public void force(boolean metaData) throws IOException {
      inner.force(metaData);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
      return inner.lock(position, size, shared);
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return inner.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      inner.close();
    }
  }
}
