package programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Runs named checks one after the other and prints a line each; knows nothing of any server. */
public final class Checks {
  public static final long PATIENCE_SECONDS = 40;

  /** What is tried; it throws when it is not so. */
  public interface Check {
    void run() throws Exception;
  }

  private Checks() {}

  /** Ends the process: what is checked may leave threads behind. */
  public static void run(Map<String, Check> checks) {
    boolean failed = false;
    for (var check : checks.entrySet()) {
      String line = "ok " + check.getKey();
      try {
        check.getValue().run();
      } catch (Throwable reason) { // a missing class is an Error and fails the check as well
        failed = true;
        line = "not ok " + check.getKey() + ": " + String.valueOf(reason).replace('\n', ' ');
      }
      System.out.println(line);
    }
    System.exit(failed ? 1 : 0);
  }

  public static void expect(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) {
      throw new AssertionError("expected " + expected + ", came " + actual);
    }
  }

  /** The next `count` things that come; fewer when patience ends. */
  public static <T> List<T> take(BlockingQueue<T> queue, int count) throws InterruptedException {
    List<T> taken = new ArrayList<>();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (taken.size() < count) {
      T next = queue.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        return taken;
      }
      taken.add(next);
    }
    return taken;
  }
}
