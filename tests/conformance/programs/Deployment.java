package programs;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ChangeStreamPreAndPostImagesOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import java.util.Arrays;
import java.util.List;
import org.bson.Document;

/**
 * The server that a program reads from, as seen by who writes to it and troubles it. What only Oplogue can do is done to
 * a mongod as near as its fail points come, so that a check means the same on both.
 */
public final class Deployment {
  private static final int COMMAND_NOT_FOUND = 59;

  private final String uri;
  private final String app;
  private final MongoClient client;
  private final List<Integer> version;

  /** `app` is the name that the program under test connects by. */
  public Deployment(String uri, String app) {
    this.uri = uri;
    this.app = app;
    this.client = MongoClients.create(uri);
    this.version = client.getDatabase("admin").runCommand(new Document("buildInfo", 1)).getList("versionArray", Integer.class);
    database().drop();
  }

  /** What the program under test connects to. */
  public String watcherUri() {
    String separator = uri.contains("?") ? "&" : uri.endsWith("/") ? "?" : "/?";
    return uri + separator + "appName=" + app;
  }

  public MongoClient client() {
    return client;
  }

  public MongoDatabase database() {
    return client.getDatabase("programs_" + app);
  }

  public MongoCollection<Document> collection(String name) {
    return database().getCollection(name);
  }

  /** The collection keeps images where the server can: from 6.0 on. */
  public MongoCollection<Document> createWithImages(String name) {
    CreateCollectionOptions options = new CreateCollectionOptions();
    if (keepsImages()) {
      options.changeStreamPreAndPostImagesOptions(new ChangeStreamPreAndPostImagesOptions(true));
    }
    database().createCollection(name, options);
    return collection(name);
  }

  public boolean keepsImages() {
    return isAtLeast(6, 0);
  }

  /** $changeStreamSplitLargeEvent. */
  public boolean splitsLargeEvents() {
    return isAtLeast(6, 0, 9);
  }

  private boolean isAtLeast(Integer... wanted) {
    return Arrays.compare(version.toArray(Integer[]::new), wanted) >= 0;
  }

  /** All connections of the program end, its monitors' too. */
  public void dropConnections() {
    if (!administered("dropConnections", new Document("app", app))) {
      fail("getMore", new Document("closeConnection", true));
    }
  }

  /** The program's next getMore fails with a code that only its label makes resumable; before labels, from 4.4 on, with one that is. */
  public void failGetMore() {
    fail("getMore", isAtLeast(4, 4) ? new Document("errorCode", 8).append("errorLabels", List.of("ResumableChangeStreamError"))
        : new Document("errorCode", 6));
  }

  /** No token given until now can be resumed from: 286. (4.2 finds out only when another event comes.) */
  public void loseHistory() {
    if (!isAtLeast(4, 4) || !administered("loseHistory", new Document())) {
      fail("aggregate", new Document("errorCode", 286));
    }
  }

  private boolean administered(String step, Document argument) {
    try {
      client.getDatabase("admin").runCommand(new Document("oplogue", new Document(step, argument)));
      return true;
    } catch (MongoCommandException error) {
      if (error.getErrorCode() == COMMAND_NOT_FOUND) {
        return false;
      }
      throw error;
    }
  }

  private void fail(String command, Document failure) {
    client.getDatabase("admin").runCommand(new Document("configureFailPoint", "failCommand")
        .append("mode", new Document("times", 1))
        .append("data", failure.append("failCommands", List.of(command)).append("appName", app)));
  }
}
