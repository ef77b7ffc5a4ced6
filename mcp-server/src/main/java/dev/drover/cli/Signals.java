package dev.drover.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

/**
 * Takes INT and TERM, so that the first one can stop a run in an orderly way and a second one can
 * end the process; the JVM's own shutdown does nothing on a second one. Reached by reflection,
 * because the class is not part of the platform's API; where it is missing, signals do what they
 * always do.
 */
final class Signals {

  private Signals() {}

  /**
   * @param handler gets the signal's number, on a thread of its own, each time one comes
   */
  static void handle(IntConsumer handler) {
    handle("INT", 2, handler);
    handle("TERM", 15, handler);
  }

  private static void handle(String name, int number, IntConsumer handler) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> signalHandler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler invocation =
          (proxy, method, arguments) ->
              switch (method.getName()) {
                case "handle" -> {
                  handler.accept(number);
                  yield null;
                }
                case "hashCode" -> number;
                case "toString" -> "handler of " + name;
                default -> false;
              };
      Object proxy =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(), new Class<?>[] {signalHandler}, invocation);
      signal
          .getMethod("handle", signal, signalHandler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // Not there, or kept by the JVM (-Xrs): the default stays.
    }
  }
}
