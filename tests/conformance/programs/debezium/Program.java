package programs.debezium;

import static programs.Checks.expect;
import static programs.Checks.take;

import com.mongodb.client.MongoCollection;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.bson.Document;
import programs.Checks;
import programs.Deployment;

/**
 * Debezium's Embedded Engine follows a database from its snapshot on, is stopped and started, and meets trouble. Every record
 * that it gives is expected, in order: what comes twice or too much is found by the check after it.
 */
public final class Program {
  private static final String APP = "debezium";
  /** Where it is told what to do, and writes where its chunks begin and end. */
  private static final String SIGNALS = "signals";

  private static final int MANY = 500;
  private static final int LARGE = 9 << 20;
  private static final Pattern LONG_RUN = Pattern.compile("(.)\\1{99,}+");

  private final Deployment server;
  private final MongoCollection<Document> orders;
  private final Path offsets;
  private final BlockingQueue<String> records = new LinkedBlockingQueue<>();
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private DebeziumEngine<ChangeEvent<String, String>> engine;
  private CompletableFuture<String> ended;

  private Program(String uri) throws Exception {
    server = new Deployment(uri, APP);
    orders = server.createWithImages("orders");
    offsets = Files.createTempFile("debezium", ".offsets");
    offsets.toFile().deleteOnExit();
  }

  public static void main(String[] arguments) throws Exception {
    new Program(arguments[0]).run();
  }

  private void run() {
    Map<String, Checks.Check> checks = new LinkedHashMap<>();
    checks.put("takes a snapshot of what is there", this::takesASnapshot);
    checks.put("streams each kind of write", this::streamsWrites);
    checks.put("streams a transaction in order", this::streamsATransaction);
    checks.put("takes an incremental snapshot when told to", this::takesAnIncrementalSnapshot);
    checks.put("survives a dropped connection", () -> writesAround(100, server::dropConnections));
    checks.put("survives a labelled error", () -> writesAround(200, server::failGetMore));
    checks.put("keeps many writes in order while connections drop", this::keepsOrderWhileConnectionsDrop);
    if (server.splitsLargeEvents()) {
      checks.put("puts an event of over 16 MB together", this::putsALargeEventTogether);
    }
    checks.put("goes on from its stored offsets", this::goesOnFromStoredOffsets);
    checks.put("goes on from its stored offsets again", this::goesOnFromStoredOffsetsAgain);
    checks.put("refuses to go on when history is lost", this::refusesLostHistory);
    checks.put("takes a new snapshot when history is lost", this::takesANewSnapshot);
    Checks.run(checks);
  }

  private Properties properties(String snapshotMode) {
    Properties properties = new Properties();
    properties.putAll(Map.ofEntries(
        Map.entry("name", "orders"),
        Map.entry("connector.class", "io.debezium.connector.mongodb.MongoDbConnector"),
        Map.entry("mongodb.connection.string", server.watcherUri()),
        Map.entry("topic.prefix", "server"),
        Map.entry("database.include.list", server.database().getName()),
        Map.entry("capture.mode", "change_streams_update_full" + (server.keepsImages() ? "_with_pre_image" : "")),
        Map.entry("cursor.oversize.handling.mode", server.splitsLargeEvents() ? "split" : "fail"),
        Map.entry("snapshot.mode", snapshotMode),
        Map.entry("signal.data.collection", server.database().getName() + "." + SIGNALS),
        Map.entry("incremental.snapshot.chunk.size", "2"),
        Map.entry("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore"),
        Map.entry("offset.storage.file.filename", offsets.toString()),
        Map.entry("offset.flush.interval.ms", "0"),
        Map.entry("poll.interval.ms", "10"),
        Map.entry("errors.max.retries", "0"),
        Map.entry("key.converter.schemas.enable", "false"),
        Map.entry("value.converter.schemas.enable", "false")));
    return properties;
  }

  private void start(String snapshotMode) {
    ended = new CompletableFuture<>();
    engine = DebeziumEngine.create(Json.class).using(properties(snapshotMode)).notifying(this::hear)
        .using((success, message, error) -> ended.complete(success ? "" : message + " " + error)).build();
    executor.execute(engine);
  }

  /** All that was heard is stored in the offsets before it returns. */
  private void stop() throws Exception {
    engine.close();
    expect(ended.get(Checks.PATIENCE_SECONDS, TimeUnit.SECONDS), "");
  }

  /** A record in one line: operation, collection, key, the document before and after. */
  private void hear(ChangeEvent<String, String> record) {
    String collection = record.destination().substring(record.destination().lastIndexOf('.') + 1);
    if (collection.equals(SIGNALS)) {
      return;
    }
    String key = collection + " " + Document.parse(record.key()).getString("id");
    if (record.value() == null) {
      records.add("tombstone " + key);
      return;
    }
    Document value = Document.parse(record.value());
    records.add(value.getString("op") + " " + key + " " + brief(value.getString("before")) + " -> " + brief(value.getString("after")));
  }

  /** A long run of a letter is said as its length. */
  private static String brief(String document) {
    return document == null ? "null" : LONG_RUN.matcher(document).replaceAll(run -> run.group().length() + " " + run.group(1));
  }

  private void expectRecords(String... expected) throws InterruptedException {
    expect(take(records, expected.length), List.of(expected));
  }

  private static Document id(int id) {
    return new Document("_id", id);
  }

  private static Document order(int id, int quantity) {
    return id(id).append("n", quantity);
  }

  private static String shown(int id, int quantity) {
    return "{\"_id\": " + id + ",\"n\": " + quantity + "}";
  }

  /** The document before a change, where the server kept it. */
  private String was(int id, int quantity) {
    return server.keepsImages() ? shown(id, quantity) : "null";
  }

  private static String created(int id, int quantity) {
    return "c orders " + id + " null -> " + shown(id, quantity);
  }

  private void takesASnapshot() throws Exception {
    orders.insertMany(List.of(order(1, 1), order(2, 2), order(3, 3)));
    start("initial");
    expectRecords("r orders 1 null -> " + shown(1, 1), "r orders 2 null -> " + shown(2, 2), "r orders 3 null -> " + shown(3, 3));
  }

  private void streamsWrites() throws Exception {
    orders.insertOne(order(4, 4));
    orders.updateOne(id(1), new Document("$inc", new Document("n", 10)));
    orders.replaceOne(id(2), order(2, 12));
    orders.deleteOne(id(3));
    server.collection("items").insertOne(order(1, 1));
    expectRecords(created(4, 4), "u orders 1 " + was(1, 1) + " -> " + shown(1, 11),
        "u orders 2 " + was(2, 2) + " -> " + shown(2, 12), "d orders 3 " + was(3, 3) + " -> null", "tombstone orders 3",
        "c items 1 null -> " + shown(1, 1));
  }

  private void streamsATransaction() throws Exception {
    try (var session = server.client().startSession()) {
      session.withTransaction(() -> {
        orders.insertOne(session, order(5, 5));
        orders.updateOne(session, id(5), new Document("$set", new Document("n", 6)));
        return orders.deleteOne(session, id(5));
      });
    }
    // What a lookup finds once the transaction is over: nothing.
    expectRecords(created(5, 5), "u orders 5 " + was(5, 5) + " -> null", "d orders 5 " + was(5, 6) + " -> null",
        "tombstone orders 5");
  }

  /** By chunks of two documents, between the events of the stream. */
  private void takesAnIncrementalSnapshot() throws Exception {
    String payload = "{\"data-collections\": [\"" + orders.getNamespace().getFullName() + "\"], \"type\": \"incremental\"}";
    server.collection(SIGNALS).insertOne(new Document("type", "execute-snapshot").append("payload", payload));
    // The connector promises no order within a chunk.
    expect(Set.copyOf(take(records, 3)), Set.of("r orders 1 null -> " + shown(1, 11), "r orders 2 null -> " + shown(2, 12),
        "r orders 4 null -> " + shown(4, 4)));
    orders.insertOne(order(6, 6));
    expectRecords(created(6, 6));
  }

  private void writesAround(int first, Checks.Check disturb) throws Exception {
    orders.insertOne(order(first, 0));
    expectRecords(created(first, 0));
    disturb.run();
    orders.insertMany(List.of(order(first + 1, 0), order(first + 2, 0)));
    expectRecords(created(first + 1, 0), created(first + 2, 0));
    orders.insertOne(order(first + 3, 0));
    expectRecords(created(first + 3, 0));
  }

  private void keepsOrderWhileConnectionsDrop() throws Exception {
    String[] expected = new String[MANY];
    for (int i = 0; i < MANY; ++i) {
      orders.insertOne(order(1000 + i, 0));
      expected[i] = created(1000 + i, 0);
      if (i % (MANY / 5) == 0) {
        server.dropConnections();
      }
    }
    expectRecords(expected);
  }

  /** The images of an update are more than an event may hold: it comes in fragments. */
  private void putsALargeEventTogether() throws Exception {
    MongoCollection<Document> large = server.createWithImages("large");
    large.insertOne(id(1).append("s", "a".repeat(LARGE)));
    large.replaceOne(id(1), id(1).append("s", "b".repeat(LARGE)));
    large.deleteOne(id(1));
    String before = "{\"_id\": 1,\"s\": \"" + LARGE + " a\"}";
    String after = "{\"_id\": 1,\"s\": \"" + LARGE + " b\"}";
    expectRecords("c large 1 null -> " + before, "u large 1 " + before + " -> " + after, "d large 1 " + after + " -> null",
        "tombstone large 1");
  }

  private void goesOnFromStoredOffsets() throws Exception {
    stop();
    orders.insertOne(order(300, 0));
    orders.updateOne(id(300), new Document("$set", new Document("n", 1)));
    start("initial");
    expectRecords(created(300, 0), "u orders 300 " + was(300, 0) + " -> " + shown(300, 1));
    orders.insertOne(order(301, 0));
    expectRecords(created(301, 0));
  }

  private void goesOnFromStoredOffsetsAgain() throws Exception {
    stop();
    start("initial");
    orders.insertOne(order(302, 0));
    expectRecords(created(302, 0));
  }

  private void refusesLostHistory() throws Exception {
    stop();
    orders.insertOne(order(400, 0));
    server.loseHistory();
    start("initial");
    String reason = ended.get(Checks.PATIENCE_SECONDS, TimeUnit.SECONDS);
    expect(reason.contains("no longer available on the server"), true);
    expect(List.copyOf(records), List.of());
  }

  private void takesANewSnapshot() throws Exception {
    orders.deleteMany(new Document("_id", new Document("$nin", List.of(1, 400))));
    server.collection("items").drop();
    server.loseHistory();
    start("when_needed");
    expectRecords("r orders 1 null -> " + shown(1, 11), "r orders 400 null -> " + shown(400, 0));
    orders.insertOne(order(401, 0));
    expectRecords(created(401, 0));
    stop();
  }
}
