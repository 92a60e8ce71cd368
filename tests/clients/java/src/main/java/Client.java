// What the Java driver sees of a deployment: prints `ok NAME` or `FAIL NAME: why` a check. README.md beside this folder says which.

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.connection.ClusterType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;

public final class Client {
  private static final long PATIENCE_NANOSECONDS = TimeUnit.SECONDS.toNanos(20);
  private static final String DATABASE = "clients_java";
  private static final boolean IS_OPLOGUE = "oplogue".equals(System.getenv().getOrDefault("CLIENTS_AGAINST", "oplogue"));

  private static final MongoClient watcher = connect("watcher_java");
  private static final MongoClient writer = connect("writer_java");

  private interface Check {
    void run() throws Exception;
  }

  private static MongoClient connect(String name) {
    return MongoClients.create(MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(System.getenv("MONGODB_URI"))).applicationName(name).build());
  }

  private static void expect(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) {
      throw new AssertionError("expected " + expected + ", came " + actual);
    }
  }

  private static MongoChangeStreamCursor<ChangeStreamDocument<Document>> open(ChangeStreamIterable<Document> stream) {
    return stream.maxAwaitTime(200, TimeUnit.MILLISECONDS).cursor();
  }

  private static MongoCollection<Document> watched(String name) {
    return watcher.getDatabase(DATABASE).getCollection(name);
  }

  /** The next `count` events of a stream; fewer when patience ends. */
  private static List<ChangeStreamDocument<Document>> read(
      MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream, int count) {
    List<ChangeStreamDocument<Document>> events = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE_NANOSECONDS;
    while (events.size() < count && System.nanoTime() < deadline) {
      ChangeStreamDocument<Document> event = stream.tryNext();
      if (event != null) {
        events.add(event);
      }
    }
    return events;
  }

  private static List<String> operations(List<ChangeStreamDocument<Document>> events) {
    return events.stream().map(event -> event.getOperationType().getValue()).toList();
  }

  private static MongoCollection<Document> fresh(String name) {
    MongoCollection<Document> collection = writer.getDatabase(DATABASE).getCollection(name);
    collection.drop();
    writer.getDatabase(DATABASE).createCollection(name);
    return collection;
  }

  private static void writeAll(MongoCollection<Document> collection) {
    Document first = new Document("_id", 1);
    collection.insertOne(new Document("_id", 1).append("a", 1));
    collection.updateOne(first, new Document("$set", new Document("a", 2)));
    collection.replaceOne(first, new Document("a", 3));
    collection.deleteOne(first);
    collection.drop();
  }

  private static void connectsByReplicaSet() {
    watcher.getDatabase("admin").runCommand(new Document("ping", 1));
    expect(watcher.getClusterDescription().getType(), ClusterType.REPLICA_SET);
  }

  private static void watchesACollection() {
    MongoCollection<Document> collection = fresh("whole");
    try (var stream = open(watched("whole").watch())) {
      writeAll(collection);
      var events = read(stream, 6);
      expect(operations(events), List.of("insert", "update", "replace", "delete", "drop", "invalidate"));
      expect(events.get(1).getUpdateDescription().getUpdatedFields(), BsonDocument.parse("{a: 2}"));
      expect(events.get(2).getFullDocument(), Document.parse("{_id: 1, a: 3}"));
      expect(events.get(3).getDocumentKey(), BsonDocument.parse("{_id: 1}"));
    }
  }

  private static void watchesADatabase() {
    writer.getDatabase(DATABASE).drop();
    MongoCollection<Document> collection = fresh("of_database");
    try (var stream = open(watcher.getDatabase(DATABASE).watch())) {
      writeAll(collection);
      writer.getDatabase(DATABASE).drop();
      expect(operations(read(stream, 7)),
          List.of("insert", "update", "replace", "delete", "drop", "dropDatabase", "invalidate"));
    }
  }

  private static void watchesTheCluster() {
    MongoCollection<Document> collection = fresh("of_cluster");
    List<Document> pipeline = List.of(new Document("$match", new Document("ns.db", DATABASE)));
    try (var stream = open(watcher.watch(pipeline))) {
      writeAll(collection);
      expect(operations(read(stream, 5)), List.of("insert", "update", "replace", "delete", "drop"));
    }
  }

  private static void readsEachOnce(String name, Check disturb) throws Exception {
    MongoCollection<Document> collection = fresh(name);
    try (var stream = open(watched(name).watch())) {
      collection.insertOne(new Document("_id", 1));
      var events = read(stream, 1);
      disturb.run();
      collection.insertMany(List.of(new Document("_id", 2), new Document("_id", 3)));
      events.addAll(read(stream, 2));
      expect(stream.tryNext(), null);
      expect(events.stream().map(event -> event.getDocumentKey().getInt32("_id").getValue()).toList(), List.of(1, 2, 3));
    }
  }

  private static void failGetMore(Document data) {
    data.append("failCommands", List.of("getMore")).append("appName", "watcher_java");
    writer.getDatabase("admin").runCommand(new Document("configureFailPoint", "failCommand")
        .append("mode", new Document("times", 1)).append("data", data));
  }

  private static void administer(String step, Document argument) {
    writer.getDatabase("admin").runCommand(new Document("oplogue", new Document(step, argument)));
  }

  private static void survivesADroppedConnection() throws Exception {
    readsEachOnce("dropped", () -> {
      if (IS_OPLOGUE) {
        administer("dropConnections", new Document("app", "watcher_java"));
      } else {
        failGetMore(new Document("closeConnection", true));
      }
    });
  }

  private static void survivesALabelledError() throws Exception {
    readsEachOnce("labelled",
        () -> failGetMore(new Document("errorCode", 8).append("errorLabels", List.of("ResumableChangeStreamError"))));
  }

  private static void reportsLostHistory() {
    MongoCollection<Document> collection = fresh("lost");
    BsonDocument token;
    try (var stream = open(watched("lost").watch())) {
      collection.insertOne(new Document("_id", 1));
      token = read(stream, 1).get(0).getResumeToken();
    }
    collection.insertOne(new Document("_id", 2));
    administer("loseHistory", new Document());
    try (var late = open(watched("lost").watch().resumeAfter(token))) {
      throw new AssertionError("expected error 286, came " + late.tryNext());
    } catch (MongoCommandException error) {
      expect(error.getErrorCode(), 286);
    }
  }

  public static void main(String[] arguments) {
    Map<String, Check> checks = new LinkedHashMap<>();
    checks.put("connects by replica set", Client::connectsByReplicaSet);
    checks.put("watches a collection", Client::watchesACollection);
    checks.put("watches a database", Client::watchesADatabase);
    checks.put("watches the cluster", Client::watchesTheCluster);
    checks.put("survives a dropped connection", Client::survivesADroppedConnection);
    checks.put("survives a labelled error", Client::survivesALabelledError);
    if (IS_OPLOGUE) {
      checks.put("reports lost history", Client::reportsLostHistory);
    }
    int exit = 0;
    for (var check : checks.entrySet()) {
      try {
        check.getValue().run();
        System.out.println("ok " + check.getKey());
      } catch (Exception | AssertionError error) {
        exit = 1;
        System.out.println("FAIL " + check.getKey() + ": " + String.valueOf(error).replace('\n', ' '));
      }
    }
    System.exit(exit);
  }
}
