package programs.spring;

import static org.springframework.data.mongodb.core.aggregation.Aggregation.match;
import static org.springframework.data.mongodb.core.aggregation.Aggregation.newAggregation;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;
import static programs.Checks.expect;
import static programs.Checks.take;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.FullDocument;
import com.mongodb.client.model.changestream.FullDocumentBeforeChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.messaging.ChangeStreamRequest;
import org.springframework.data.mongodb.core.messaging.DefaultMessageListenerContainer;
import org.springframework.data.mongodb.core.messaging.Message;
import org.springframework.data.mongodb.core.messaging.MessageListener;
import org.springframework.data.mongodb.core.messaging.MessageListenerContainer;
import org.springframework.data.mongodb.core.messaging.Subscription;
import org.springframework.data.mongodb.core.messaging.SubscriptionRequest;
import org.springframework.data.mongodb.core.messaging.TailableCursorRequest;
import org.springframework.data.mongodb.core.query.Query;
import programs.Checks;
import programs.Deployment;

/**
 * Spring Data's message listener container listens to change streams and to a capped collection's tail. Every message is
 * expected, in order: what comes twice or too much is found by what is taken after it.
 */
public final class Program {
  private static final String APP = "spring";
  private static final int CAPPED_POSITION_LOST = 136;
  private static final int HISTORY_LOST = 286;
  private static final long CAPPED_BYTES = 1 << 16;

  /** What a template reads and writes. */
  public record Order(@Id int id, String item, Integer n) {}

  /** What a subscription gave: messages as lines, and errors; the last change as it was on the wire. */
  private static final class Heard {
    final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    final BlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
    volatile ChangeStreamDocument<Document> last;

    private final Semaphore held = new Semaphore(1);

    /** Until its release the listener does not return from a message. */
    void hold() throws InterruptedException {
      held.acquire();
    }

    void release() {
      held.release();
    }

    void awaitRelease() {
      held.acquireUninterruptibly();
      held.release();
    }

    void expectMessages(String... expected) throws InterruptedException {
      expect(take(messages, expected.length), List.of(expected));
      expect(List.copyOf(errors), List.of());
    }

    void expectError(int code) throws InterruptedException {
      Throwable error = errors.poll(Checks.PATIENCE_SECONDS, TimeUnit.SECONDS);
      expect(NestedExceptionUtils.getMostSpecificCause(error) instanceof MongoException cause ? cause.getCode() : error, code);
    }
  }

  private final Deployment server;
  private final MongoTemplate template;
  private final MongoTemplate watching;
  private final MessageListenerContainer container;
  private final List<Subscription> subscriptions = new ArrayList<>();

  private Program(String uri) {
    server = new Deployment(uri, APP);
    server.createWithImages("orders");
    template = new MongoTemplate(server.client(), server.database().getName());
    watching = new MongoTemplate(MongoClients.create(server.watcherUri()), server.database().getName());
    container = new DefaultMessageListenerContainer(watching);
    container.start();
  }

  public static void main(String[] arguments) {
    new Program(arguments[0]).run();
  }

  private void run() {
    Map<String, Checks.Check> checks = new LinkedHashMap<>();
    checks.put("hears each kind of write", this::hearsEachKindOfWrite);
    checks.put("hears what its filter lets through", this::hearsWhatItsFilterLetsThrough);
    checks.put("hears a whole database", this::hearsAWholeDatabase);
    checks.put("goes on after a token", this::goesOnAfterAToken);
    checks.put("survives a dropped connection", () -> hearsEachOnce(100, server::dropConnections));
    checks.put("survives a labelled error", () -> hearsEachOnce(200, server::failGetMore));
    checks.put("tells its error handler of lost history", this::tellsOfLostHistory);
    checks.put("follows a capped collection", this::followsACappedCollection);
    checks.put("follows a capped collection from its first document on", this::followsAnEmptyCappedCollection);
    checks.put("follows a capped collection again after a dropped connection", this::followsAgain);
    checks.put("tells its error handler when a capped collection overtakes it", this::tellsOfALostPosition);
    checks.replaceAll((name, check) -> () -> runAndRemove(check));
    Checks.run(checks);
  }

  /** What a check that failed still listens to would take the trouble that is made for another. */
  private void runAndRemove(Checks.Check check) throws Exception {
    try {
      check.run();
    } finally {
      subscriptions.forEach(container::remove);
      subscriptions.clear();
    }
  }

  private ChangeStreamRequest.ChangeStreamRequestBuilder<Order> changes(Heard heard) {
    MessageListener<ChangeStreamDocument<Document>, Order> listener = message -> {
      heard.last = message.getRaw();
      heard.messages.add(line(message));
    };
    return ChangeStreamRequest.builder(listener).maxAwaitTime(Duration.ofMillis(200));
  }

  private void open(Heard heard, ChangeStreamRequest<Order> request) throws InterruptedException {
    expect(register(request, heard).await(Duration.ofSeconds(Checks.PATIENCE_SECONDS)), true);
  }

  private Subscription register(SubscriptionRequest<?, ? super Order, ?> request, Heard heard) {
    subscriptions.add(container.register(request, Order.class, heard.errors::add));
    return subscriptions.get(subscriptions.size() - 1);
  }

  /** A change in one line: operation, collection, key, what was and what is, as the template reads it. */
  private static String line(Message<ChangeStreamDocument<Document>, Order> message) {
    ChangeStreamDocument<Document> raw = message.getRaw();
    BsonDocument key = raw.getDocumentKey();
    return raw.getOperationType().getValue() + " " + message.getProperties().getCollectionName()
        + (key == null ? "" : " " + key.getInt32("_id").getValue())
        + shown(" before ", message.getBodyBeforeChange()) + shown(" after ", message.getBody());
  }

  private static String shown(String label, Order order) {
    return order == null ? "" : label + order.item() + " " + order.n();
  }

  private static Query byId(int id) {
    return query(where("_id").is(id));
  }

  private MongoCollection<Document> orders() {
    return server.collection("orders");
  }

  private void insert(int id) {
    template.insert(new Order(id, "pen", id), "orders");
  }

  private static String inserted(int id) {
    return "insert orders " + id + " after pen " + id;
  }

  private void hearsEachKindOfWrite() throws Exception {
    Heard heard = new Heard();
    ChangeStreamRequest.ChangeStreamRequestBuilder<Order> changes = changes(heard).collection("orders");
    changes = server.keepsImages()
        ? changes.fullDocumentLookup(FullDocument.REQUIRED).fullDocumentBeforeChangeLookup(FullDocumentBeforeChange.REQUIRED)
        : changes.fullDocumentLookup(FullDocument.UPDATE_LOOKUP);
    open(heard, changes.build());
    insert(1);
    heard.expectMessages(inserted(1));
    orders().updateOne(new Document("_id", 1), new Document("$inc", new Document("n", 1)));
    heard.expectMessages("update orders 1" + was("pen 1") + " after pen 2");
    template.save(new Order(1, "ink", 3), "orders");
    template.remove(byId(1), "orders");
    heard.expectMessages("replace orders 1" + was("pen 2") + " after ink 3", "delete orders 1" + was("ink 3"));
  }

  /** The document before a change, where the server kept it. */
  private String was(String order) {
    return server.keepsImages() ? " before " + order : "";
  }

  private void hearsWhatItsFilterLetsThrough() throws Exception {
    Heard heard = new Heard();
    open(heard, changes(heard).collection("orders").fullDocumentLookup(FullDocument.UPDATE_LOOKUP)
        .filter(newAggregation(Order.class, match(where("operationType").in("insert", "update").and("n").gte(10)))).build());
    insert(9);
    insert(10);
    orders().updateMany(new Document(), new Document("$inc", new Document("n", 1)));
    heard.expectMessages(inserted(10), "update orders 9 after pen 10", "update orders 10 after pen 11");
    orders().deleteOne(new Document("_id", 10));
    insert(11);
    heard.expectMessages(inserted(11));
  }

  private void hearsAWholeDatabase() throws Exception {
    Heard heard = new Heard();
    open(heard, changes(heard).database(server.database().getName()).build());
    insert(20);
    template.insert(new Order(20, "pad", 1), "items");
    template.dropCollection("items");
    heard.expectMessages(inserted(20), "insert items 20 after pad 1", "drop items");
  }

  private void goesOnAfterAToken() throws Exception {
    Heard heard = new Heard();
    open(heard, changes(heard).collection("orders").build());
    insert(30);
    heard.expectMessages(inserted(30));
    container.remove(subscriptions.remove(0));
    insert(31);
    insert(32);
    Heard again = new Heard();
    open(again, changes(again).collection("orders").resumeAfter(heard.last.getResumeToken()).build());
    insert(33);
    again.expectMessages(inserted(31), inserted(32), inserted(33));
  }

  private void hearsEachOnce(int first, Checks.Check disturb) throws Exception {
    Heard heard = new Heard();
    open(heard, changes(heard).collection("orders").build());
    insert(first);
    heard.expectMessages(inserted(first));
    disturb.run();
    insert(first + 1);
    insert(first + 2);
    heard.expectMessages(inserted(first + 1), inserted(first + 2));
    insert(first + 3);
    heard.expectMessages(inserted(first + 3));
  }

  private void tellsOfLostHistory() throws Exception {
    Heard heard = new Heard();
    open(heard, changes(heard).collection("orders").build());
    insert(40);
    heard.expectMessages(inserted(40));
    container.remove(subscriptions.remove(0));
    server.loseHistory();
    Heard late = new Heard();
    register(changes(late).collection("orders").resumeAfter(heard.last.getResumeToken()).build(), late);
    late.expectError(HISTORY_LOST);
  }

  private void createCapped(String name) {
    server.database().createCollection(name, new CreateCollectionOptions().capped(true).sizeInBytes(CAPPED_BYTES));
  }

  private Subscription follow(Heard heard, String name, Query filter) {
    MessageListener<Document, Order> listener = message -> {
      heard.messages.add(message.getBody().id() + " " + message.getBody().item());
      heard.awaitRelease();
    };
    return register(TailableCursorRequest.builder(listener).collection(name).filter(filter).build(), heard);
  }

  private void log(String name, int id, String item) {
    template.insert(new Order(id, item, null), name);
  }

  private void followsACappedCollection() throws Exception {
    createCapped("log");
    log("log", 1, "warn");
    log("log", 2, "info");
    Heard heard = new Heard();
    follow(heard, "log", query(where("item").is("warn")));
    heard.expectMessages("1 warn");
    log("log", 3, "info");
    log("log", 4, "warn");
    log("log", 5, "warn");
    heard.expectMessages("4 warn", "5 warn");
  }

  /** A tailable cursor of an empty collection is dead at once, and the container asks again. */
  private void followsAnEmptyCappedCollection() throws Exception {
    createCapped("young");
    Heard heard = new Heard();
    expect(follow(heard, "young", new Query()).await(Duration.ofMillis(500)), false);
    log("young", 1, "a");
    heard.expectMessages("1 a");
    log("young", 2, "b");
    heard.expectMessages("2 b");
  }

  /** Nothing resumes a tailable cursor: the handler is told, and who asks again gets all that is there. */
  private void followsAgain() throws Exception {
    createCapped("cut");
    log("cut", 1, "a");
    Heard heard = new Heard();
    follow(heard, "cut", new Query());
    heard.expectMessages("1 a");
    server.dropConnections();
    expect(heard.errors.poll(Checks.PATIENCE_SECONDS, TimeUnit.SECONDS) != null, true);
    log("cut", 2, "b");
    Heard again = new Heard();
    follow(again, "cut", new Query());
    again.expectMessages("1 a", "2 b");
    expect(List.copyOf(heard.messages), List.of());
  }

  /** The listener holds its cursor at the first document until that is gone. */
  private void tellsOfALostPosition() throws Exception {
    createCapped("small");
    log("small", 1, "a");
    Heard heard = new Heard();
    heard.hold();
    follow(heard, "small", query(where("item").is("a")));
    heard.expectMessages("1 a");
    String filler = "b".repeat((int) CAPPED_BYTES / 4);
    for (int id = 2; id <= 5; ++id) {
      log("small", id, filler);
    }
    heard.release();
    heard.expectError(CAPPED_POSITION_LOST);
  }
}
