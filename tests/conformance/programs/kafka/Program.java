package programs.kafka;

import static programs.Checks.expect;

import com.mongodb.client.MongoCollection;
import com.mongodb.kafka.connect.source.MongoSourceTask;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.bson.Document;
import programs.Checks;
import programs.Deployment;

/**
 * MongoDB's Kafka source task, driven as Connect drives it but without a broker: polled, its offsets kept, stopped and started,
 * and met with trouble. Every record is expected, in order: what comes twice or too much is found by the check after it.
 */
public final class Program {
  private static final String APP = "kafka";
  private static final String HEARTBEATS = "heartbeats";

  /** The offsets of each partition as Connect would have stored them. */
  private final Map<Map<String, ?>, Map<String, Object>> offsets = new HashMap<>();
  private final Deployment server;
  private final MongoCollection<Document> orders;
  private final List<String> waiting = new ArrayList<>();
  private MongoSourceTask task;

  private Program(String uri) {
    server = new Deployment(uri, APP);
    orders = server.createWithImages("orders");
  }

  public static void main(String[] arguments) {
    new Program(arguments[0]).run();
  }

  private void run() {
    Map<String, Checks.Check> checks = new LinkedHashMap<>();
    checks.put("copies what is there, then streams", this::copiesThenStreams);
    checks.put("streams each kind of write", this::streamsWrites);
    checks.put("streams a transaction in order", this::streamsATransaction);
    checks.put("survives a dropped connection", () -> writesAround(100, server::dropConnections));
    checks.put("survives a labelled error", () -> writesAround(200, server::failGetMore));
    checks.put("goes on from its offset and copies nothing again", this::goesOnFromItsOffset);
    checks.put("beats while its namespace is idle", this::beatsWhileIdle);
    checks.put("goes on from a heartbeat", this::goesOnFromAHeartbeat);
    checks.put("fails when history is lost", this::failsWhenHistoryIsLost);
    checks.put("starts anew without a token when errors are tolerated", this::startsAnewWithoutAToken);
    checks.put("opens a new stream when its collection is dropped", this::outlivesADrop);
    Checks.run(checks);
  }

  private Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>(Map.ofEntries(
        Map.entry("connection.uri", server.watcherUri()),
        Map.entry("database", server.database().getName()),
        Map.entry("topic.prefix", "server"),
        Map.entry("startup.mode", "copy_existing"),
        Map.entry("startup.mode.copy.existing.namespace.regex", ".*[.](orders|items)$"),
        Map.entry("pipeline", "[{$match: {'fullDocument.hidden': {$exists: false}}}]"),
        Map.entry("change.stream.full.document", "updateLookup"),
        Map.entry("poll.await.time.ms", "100"),
        Map.entry("heartbeat.interval.ms", "1"),
        Map.entry("heartbeat.topic.name", HEARTBEATS)));
    if (server.keepsImages()) {
      properties.put("change.stream.full.document.before.change", "whenAvailable");
    }
    return properties;
  }

  private void start(Map<String, String> properties) {
    task = new MongoSourceTask();
    task.initialize(context(properties));
    task.start(properties);
  }

  private SourceTaskContext context(Map<String, String> properties) {
    OffsetStorageReader reader = new OffsetStorageReader() {
      @Override
      public <T> Map<String, Object> offset(Map<String, T> partition) {
        return offsets.get(partition);
      }

      @Override
      public <T> Map<Map<String, T>, Map<String, Object>> offsets(Collection<Map<String, T>> partitions) {
        Map<Map<String, T>, Map<String, Object>> found = new HashMap<>();
        partitions.forEach(partition -> found.put(partition, offset(partition)));
        return found;
      }
    };
    return new SourceTaskContext() {
      @Override
      public Map<String, String> configs() {
        return properties;
      }

      @Override
      public OffsetStorageReader offsetStorageReader() {
        return reader;
      }

      @Override
      public PluginMetrics pluginMetrics() {
        throw new UnsupportedOperationException("this task counts nothing with Connect's metrics");
      }
    };
  }

  private void restart() {
    task.stop();
    start(properties());
  }

  /** Polls once and stores the offsets of what came, heartbeats as well, which are then left out. */
  private List<SourceRecord> poll() {
    List<SourceRecord> records = task.poll();
    if (records == null) {
      return List.of();
    }
    for (SourceRecord record : records) {
      offsets.put(new HashMap<>(record.sourcePartition()), new HashMap<>(record.sourceOffset()));
      task.commitRecord(record, null);
      if (!record.topic().equals(HEARTBEATS)) {
        waiting.add(line(record));
      }
    }
    return records;
  }

  /** A record in one line: topic, operation, key, the document before and after. */
  private static String line(SourceRecord record) {
    Document value = Document.parse((String) record.value());
    Document key = value.get("documentKey", Document.class);
    String what = record.topic() + " " + value.getString("operationType") + (key == null ? "" : " " + key.get("_id"));
    return what + shown(" before ", value.get("fullDocumentBeforeChange", Document.class))
        + shown(" after ", value.get("fullDocument", Document.class));
  }

  private static String shown(String label, Document document) {
    return document == null ? "" : label + document.toJson();
  }

  private List<String> take(int count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Checks.PATIENCE_SECONDS);
    while (waiting.size() < count && System.nanoTime() < deadline) {
      poll();
    }
    List<String> taken = List.copyOf(waiting);
    waiting.clear();
    return taken;
  }

  private void expectRecords(String... expected) {
    expect(take(expected.length), List.of(expected));
  }

  private String topic(String collection) {
    return "server." + server.database().getName() + "." + collection;
  }

  private static Document id(int id) {
    return new Document("_id", id);
  }

  private static Document order(int id, int quantity) {
    return id(id).append("n", quantity);
  }

  private String inserted(int id, int quantity) {
    return topic("orders") + " insert " + id + " after " + order(id, quantity).toJson();
  }

  private String changed(String operation, int id, int before, int after) {
    return topic("orders") + " " + operation + " " + id + was(id, before) + " after " + order(id, after).toJson();
  }

  private String deleted(int id, int before) {
    return topic("orders") + " delete " + id + was(id, before);
  }

  /** The document before a change, where the server kept it. */
  private String was(int id, int quantity) {
    return server.keepsImages() ? " before " + order(id, quantity).toJson() : "";
  }

  private void copiesThenStreams() {
    orders.insertMany(List.of(order(1, 1), order(2, 2), order(3, 3), order(9, 9).append("hidden", true)));
    server.collection("items").insertOne(order(1, 1));
    server.collection("other").insertOne(order(1, 1));
    start(properties());
    orders.insertOne(order(4, 4)); // while it copies: it may come by the copy, and it comes by the stream
    TreeSet<String> expected = new TreeSet<>(List.of(inserted(1, 1), inserted(2, 2), inserted(3, 3), inserted(4, 4),
        topic("items") + " insert 1 after " + order(1, 1).toJson()));
    TreeSet<String> came = new TreeSet<>(take(5));
    expect(came, expected);
    expect(offsets.size(), 1);
    orders.insertOne(order(5, 5));
    List<String> streamed = take(1);
    streamed = streamed.equals(List.of(inserted(4, 4))) ? take(1) : streamed;
    expect(streamed, List.of(inserted(5, 5)));
  }

  private void streamsWrites() {
    orders.insertOne(order(6, 6));
    orders.updateOne(id(1), new Document("$inc", new Document("n", 10)));
    orders.replaceOne(id(2), order(2, 12));
    orders.deleteOne(id(3));
    server.collection("other").insertOne(order(2, 2));
    expectRecords(inserted(6, 6), changed("update", 1, 1, 11), changed("replace", 2, 2, 12), deleted(3, 3),
        topic("other") + " insert 2 after " + order(2, 2).toJson());
  }

  private void streamsATransaction() {
    try (var session = server.client().startSession()) {
      session.withTransaction(() -> {
        orders.insertOne(session, order(7, 7));
        orders.updateOne(session, id(7), new Document("$set", new Document("n", 8)));
        return orders.insertOne(session, order(8, 8));
      });
    }
    expectRecords(inserted(7, 7), changed("update", 7, 7, 8), inserted(8, 8));
  }

  private void writesAround(int first, Checks.Check disturb) throws Exception {
    orders.insertOne(order(first, 0));
    expectRecords(inserted(first, 0));
    disturb.run();
    orders.insertMany(List.of(order(first + 1, 0), order(first + 2, 0)));
    expectRecords(inserted(first + 1, 0), inserted(first + 2, 0));
    orders.insertOne(order(first + 3, 0));
    expectRecords(inserted(first + 3, 0));
  }

  private void goesOnFromItsOffset() {
    task.stop();
    orders.insertOne(order(300, 0));
    orders.updateOne(id(300), new Document("$set", new Document("n", 1)));
    start(properties());
    expectRecords(inserted(300, 0), changed("update", 300, 0, 1));
    orders.insertOne(order(301, 0));
    expectRecords(inserted(301, 0));
  }

  /** Writes elsewhere move the post-batch token on, and the heartbeat carries it. */
  private void beatsWhileIdle() {
    SourceRecord first = nextHeartbeat();
    server.client().getDatabase("programs_elsewhere").getCollection("c").insertOne(new Document());
    SourceRecord second = nextHeartbeat();
    expect(first.sourcePartition(), second.sourcePartition());
    expect(second.sourceOffset().get("HEARTBEAT"), "true");
    expect(token(second).compareTo(token(first)) > 0, true);
    expect(second.value(), null);
  }

  private SourceRecord nextHeartbeat() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Checks.PATIENCE_SECONDS);
    while (System.nanoTime() < deadline) {
      for (SourceRecord record : poll()) {
        if (record.topic().equals(HEARTBEATS)) {
          return record;
        }
      }
    }
    throw new AssertionError("no heartbeat in " + Checks.PATIENCE_SECONDS + " s");
  }

  private static String token(SourceRecord record) {
    return Document.parse((String) record.sourceOffset().get("_id")).getString("_data");
  }

  private void goesOnFromAHeartbeat() {
    expect(offsets.values().iterator().next().containsKey("HEARTBEAT"), true);
    task.stop();
    orders.insertOne(order(302, 0));
    start(properties());
    expectRecords(inserted(302, 0));
  }

  private void failsWhenHistoryIsLost() {
    task.stop();
    orders.insertOne(order(400, 0));
    server.loseHistory();
    try {
      start(properties());
      throw new AssertionError("it started");
    } catch (ConnectException failure) {
      expect(failure.getCause().getMessage(), "ResumeToken not found. Cannot create a change stream cursor");
    }
  }

  private void startsAnewWithoutAToken() {
    server.loseHistory();
    Map<String, String> tolerant = properties();
    tolerant.put("errors.tolerance", "all");
    start(tolerant);
    orders.insertOne(order(401, 0));
    expectRecords(inserted(401, 0));
  }

  /** The task of one collection: it has no topic for the invalidation that ends its stream, and opens another. */
  private void outlivesADrop() {
    task.stop();
    Map<String, String> properties = properties();
    properties.put("collection", "orders");
    properties.put("startup.mode", "latest");
    start(properties);
    orders.insertOne(order(500, 0));
    expectRecords(inserted(500, 0));
    orders.drop();
    expectRecords(topic("orders") + " drop");
    nextHeartbeat(); // by the new stream, so it is open
    orders.insertOne(order(501, 0));
    expectRecords(inserted(501, 0));
    task.stop();
  }
}
