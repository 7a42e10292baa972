import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Expressions that evaluate each other to a depth that varies, in eight threads. */
public class Work {
  interface Node {
    long eval(long x, int depth);
  }

  static final List<Node> nodes = new ArrayList<>();

  static long step(long x, int depth) {
    if (depth == 0) {
      long sum = x;
      for (int at = 0; at < 3000; at++) sum = sum * 31 + (at ^ x);
      return sum;
    }
    int next = (int) Math.floorMod((x * 2654435761L) >> 16, (long) nodes.size());
    return nodes.get(next).eval(x * 7 + depth, depth - 1);
  }

  static class Add implements Node {
    public long eval(long x, int depth) {
      return step(x + 1, depth) + 1;
    }
  }

  static class Multiply implements Node {
    public long eval(long x, int depth) {
      return step(x * 3, depth) * 3;
    }
  }

  static class Sort implements Node {
    public long eval(long x, int depth) {
      long[] row = new long[8];
      for (int at = 0; at < 8; at++) row[at] = x * at % 13;
      Arrays.sort(row);
      return step(row[3] + x, depth);
    }
  }

  static class Text implements Node {
    public long eval(long x, int depth) {
      return step(Long.toString(x).hashCode(), depth);
    }
  }

  static class Count implements Node {
    final Map<Long, Long> counts = new HashMap<>();

    public long eval(long x, int depth) {
      counts.merge(x % 64, 1L, Long::sum);
      return step(x + 5, depth);
    }
  }

  public static void main(String[] args) {
    Function<Integer, Node> lambda = number -> (x, depth) -> step(x ^ number, depth);
    for (int at = 0; at < 4; at++) {
      nodes.addAll(List.of(new Add(), new Multiply(), new Sort(), new Text(), lambda.apply(at)));
    }
    Runnable run =
        () -> {
          Node own = new Count();
          for (long x = Thread.currentThread().getId(); ; x += 17) own.eval(x, 8 + (int) (x % 16));
        };
    for (int at = 0; at < 8; at++) new Thread(run, "worker-" + at).start();
  }
}
