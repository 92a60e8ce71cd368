import com.mongodb.CursorType;
import com.mongodb.MongoClient;
import com.mongodb.MongoClientURI;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.BsonTimestamp;
import org.bson.Document;

/**
 * Follows local.oplog.rs the way change-data subscribers of old do: the newest entry's ts, then everything later through a tailable,
 * waiting cursor, and a new cursor at the last ts whenever the old one fails.
 *
 * <pre>OplogTail URI WRITE-URI [reconnect]</pre>
 *
 * A second client, at WRITE-URI, runs a fixed workload; the dropping of golden.last ends the program. With "reconnect" the cursor is given up after
 * the third entry, and a new one opened.
 */
public final class OplogTail {
    /** Long enough for an empty wait of the tail. */
    private static final long QUIET_MS = 1500;
    private static final int ENTRIES_BEFORE_RECONNECT = 3;

    private final CountDownLatch prepared = new CountDownLatch(1);
    private final CountDownLatch positioned = new CountDownLatch(1);
    private final String uri;
    private final String writeUri;
    private final boolean reconnects;
    private BsonTimestamp position;
    private boolean ended;
    private int shown;

    private OplogTail(String uri, String writeUri, boolean reconnects) {
        this.uri = uri;
        this.writeUri = writeUri;
        this.reconnects = reconnects;
    }

    public static void main(String[] args) throws Exception {
        OplogTail tail = new OplogTail(args[0], args[1], args.length > 2 && args[2].equals("reconnect"));
        Thread writer = new Thread(tail::write);
        writer.setDaemon(true);
        writer.start();
        tail.prepared.await();
        tail.follow();
        writer.join();
    }

    private void write() {
        try (MongoClient client = new MongoClient(new MongoClientURI(writeUri))) {
            client.getDatabase("golden").drop();
            prepared.countDown();
            positioned.await();
            Thread.sleep(QUIET_MS);
            workload(client.getDatabase("golden"));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void follow() throws InterruptedException {
        try (MongoClient client = new MongoClient(new MongoClientURI(uri))) {
            MongoCollection<Document> oplog = client.getDatabase("local").getCollection("oplog.rs");
            position = (BsonTimestamp) oplog.find().sort(new Document("$natural", -1)).limit(1).first().get("ts");
            positioned.countDown();
            while (!ended) {
                try (MongoCursor<Document> cursor = later(oplog)) {
                    read(cursor);
                } catch (RuntimeException failure) {
                    System.out.println("failed: " + failure.getClass().getName() + ": " + failure.getMessage());
                    Thread.sleep(100);
                }
            }
        }
    }

    private MongoCursor<Document> later(MongoCollection<Document> oplog) {
        return oplog.find(new Document("ts", new Document("$gt", position)))
                .cursorType(CursorType.TailableAwait)
                .noCursorTimeout(true)
                .oplogReplay(true)
                .maxAwaitTime(1, TimeUnit.SECONDS)
                .iterator();
    }

    private void read(MongoCursor<Document> cursor) {
        while (!ended && cursor.hasNext()) {
            Document entry = cursor.next();
            position = (BsonTimestamp) entry.get("ts");
            if (entry.getString("op").equals("n")) {
                continue; // the server's own periodic entries
            }
            show(entry);
            if (reconnects && ++shown == ENTRIES_BEFORE_RECONNECT) {
                System.out.println("-- new cursor");
                return;
            }
        }
    }

    private void show(Document entry) {
        String op = entry.getString("op");
        Document what = (Document) entry.get("o");
        ended = op.equals("c") && "last".equals(what.get("drop"));
        Document which = null;
        if (op.equals("u")) {
            which = (Document) entry.get("o2");
            what = (Document) what.get("$set");
        }
        System.out.println("time:       " + position.getTime());
        System.out.println("operation:  " + op);
        System.out.println("namespace:  " + entry.getString("ns"));
        System.out.println("condition:  " + json(which));
        System.out.println("document:   " + json(what));
        System.out.println("whole:      " + json(entry));
        System.out.println();
    }

    private static String json(Document document) {
        return document == null ? "null" : document.toJson();
    }

    private static Document doc(String name, Object value) {
        return new Document(name, value);
    }

    private static void workload(MongoDatabase db) {
        MongoCollection<Document> c = db.getCollection("c");
        db.createCollection("c");
        c.insertOne(doc("_id", 1).append("a", 1).append("s", "text").append("n", doc("x", 1).append("y", 2)));
        c.insertMany(List.of(doc("_id", 2).append("a", 2), doc("_id", 3).append("a", 3)));
        c.updateOne(doc("_id", 1), doc("$set", doc("a", 10).append("n.x", 11)));
        c.updateOne(doc("_id", 1), doc("$unset", doc("s", "")));
        c.updateOne(doc("_id", 2), doc("$inc", doc("a", 5)).append("$set", doc("new", true)));
        c.updateOne(doc("_id", 2), doc("$set", doc("a", 7))); // changes nothing
        c.replaceOne(doc("_id", 3), doc("b", 30));
        c.deleteOne(doc("_id", 2));
        c.drop();
        db.createCollection("last");
        db.getCollection("last").drop();
    }
}
