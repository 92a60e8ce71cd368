// What libmongoc sees of a deployment: prints `ok NAME` or `FAIL NAME: why` a check. README.md beside this folder says
// which.
#include <mongoc/mongoc.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr std::chrono::seconds patience{20};
constexpr const char* database_name = "clients_libmongoc";

template <class T, void (*destroy)(T*)>
struct Destroy {
  void operator()(T* object) const { destroy(object); }
};
using Client = std::unique_ptr<mongoc_client_t, Destroy<mongoc_client_t, mongoc_client_destroy>>;
using Collection = std::unique_ptr<mongoc_collection_t, Destroy<mongoc_collection_t, mongoc_collection_destroy>>;
using Database = std::unique_ptr<mongoc_database_t, Destroy<mongoc_database_t, mongoc_database_destroy>>;
using Stream = std::unique_ptr<mongoc_change_stream_t, Destroy<mongoc_change_stream_t, mongoc_change_stream_destroy>>;

struct Failed : std::runtime_error {
  explicit Failed(const bson_error_t& error)
      : std::runtime_error(std::string(error.message) + " (" + std::to_string(error.code) + ")"), code(error.code) {}
  std::uint32_t code;
};

// A document made from JSON, or copied.
class Document {
 public:
  explicit Document(std::string_view json) {
    bson_error_t error;
    if (!bson_init_from_json(&bson_, json.data(), static_cast<ssize_t>(json.size()), &error)) throw Failed(error);
  }
  explicit Document(const bson_t& other) { bson_copy_to(&other, &bson_); }
  Document(const Document& other) : Document(other.bson_) {}
  Document& operator=(const Document&) = delete;
  ~Document() { bson_destroy(&bson_); }
  const bson_t* get() const { return &bson_; }
  bson_t* get() { return &bson_; }

  // The field's value as relaxed Extended JSON within {"value": …}; "" when there is none.
  std::string at(const char* path) const {
    bson_iter_t top;
    bson_iter_t found;
    if (!bson_iter_init(&top, &bson_) || !bson_iter_find_descendant(&top, path, &found)) return "";
    if (BSON_ITER_HOLDS_UTF8(&found)) return bson_iter_utf8(&found, nullptr);
    bson_t value = BSON_INITIALIZER;
    bson_append_iter(&value, "value", -1, &found);
    const std::unique_ptr<char, Destroy<void, bson_free>> json(bson_as_relaxed_extended_json(&value, nullptr));
    bson_destroy(&value);
    return json.get();
  }

 private:
  bson_t bson_;
};

void expect(const std::string& actual, const std::string& expected) {
  if (actual != expected) throw std::runtime_error("expected " + expected + ", came " + actual);
}

void require(bool is_done, const bson_error_t& error) {
  if (!is_done) throw Failed(error);
}

Client connect(const char* name) {
  Client client(mongoc_client_new(std::getenv("MONGODB_URI")));
  if (!client) throw std::runtime_error("MONGODB_URI is not a connection string");
  mongoc_client_set_error_api(client.get(), MONGOC_ERROR_API_VERSION_2);
  mongoc_client_set_appname(client.get(), name);
  return client;
}

// The next event, or none when the server's wait ended without one.
std::unique_ptr<Document> next(mongoc_change_stream_t* stream) {
  const bson_t* event = nullptr;
  if (mongoc_change_stream_next(stream, &event)) return std::make_unique<Document>(*event);
  bson_error_t error;
  const bson_t* reply = nullptr;
  if (mongoc_change_stream_error_document(stream, &error, &reply)) throw Failed(error);
  return nullptr;
}

// The next `count` events of a stream; fewer when patience ends.
std::vector<Document> read(const Stream& stream, std::size_t count) {
  std::vector<Document> events;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (events.size() < count && std::chrono::steady_clock::now() < deadline) {
    if (const auto event = next(stream.get())) events.push_back(*event);
  }
  return events;
}

std::string joined(const std::vector<Document>& events, const char* path) {
  std::string all;
  for (const Document& event : events) all += (all.empty() ? "" : " ") + event.at(path);
  return all;
}

class Checks {
 public:
  int run() {
    std::vector<std::pair<const char*, void (Checks::*)()>> checks{
        {"connects by replica set", &Checks::connects_by_replica_set},
        {"watches a collection", &Checks::watches_a_collection},
        {"watches a database", &Checks::watches_a_database},
        {"watches the cluster", &Checks::watches_the_cluster},
        {"survives a dropped connection", &Checks::survives_a_dropped_connection},
        {"survives a labelled error", &Checks::survives_a_labelled_error}};
    if (is_oplogue_) checks.emplace_back("reports lost history", &Checks::reports_lost_history);
    int exit_code = 0;
    for (const auto& [name, check] : checks) {
      try {
        (this->*check)();
        std::printf("ok %s\n", name);
      } catch (const std::exception& error) {
        exit_code = 1;
        std::printf("FAIL %s: %s\n", name, error.what());
      }
      std::fflush(stdout);
    }
    return exit_code;
  }

 private:
  Document command(const Client& client, const char* database, std::string_view json) {
    bson_t reply;
    bson_error_t error;
    const bool is_done =
        mongoc_client_command_simple(client.get(), database, Document(json).get(), nullptr, &reply, &error);
    Document copy(reply);
    bson_destroy(&reply);
    require(is_done, error);
    return copy;
  }

  Collection collection(const Client& client, const char* name) {
    return Collection(mongoc_client_get_collection(client.get(), database_name, name));
  }

  Collection fresh(const char* name) {
    Collection made = collection(writer_, name);
    bson_error_t error;
    mongoc_collection_drop(made.get(), &error);  // may not be there
    command(writer_, database_name, std::string(R"({"create": ")") + name + "\"}");
    return made;
  }

  Stream watch(const char* name, const std::string& more = "") {
    return Stream(mongoc_collection_watch(collection(watcher_, name).get(), Document("{}").get(), options(more).get()));
  }

  static Document options(const std::string& more) { return Document(R"({"maxAwaitTimeMS": 200)" + more + "}"); }

  static void insert(const Collection& into, const char* json) {
    bson_error_t error;
    require(mongoc_collection_insert_one(into.get(), Document(json).get(), nullptr, nullptr, &error), error);
  }

  static void write_all(const Collection& into) {
    bson_error_t error;
    const Document first(R"({"_id": 1})");
    insert(into, R"({"_id": 1, "a": 1})");
    require(mongoc_collection_update_one(into.get(), first.get(), Document(R"({"$set": {"a": 2}})").get(), nullptr,
                                         nullptr, &error),
            error);
    require(
        mongoc_collection_replace_one(into.get(), first.get(), Document(R"({"a": 3})").get(), nullptr, nullptr, &error),
        error);
    require(mongoc_collection_delete_one(into.get(), first.get(), nullptr, nullptr, &error), error);
    require(mongoc_collection_drop(into.get(), &error), error);
  }

  void connects_by_replica_set() {
    const Document hello = command(watcher_, "admin", R"({"hello": 1})");
    expect(hello.at("isWritablePrimary"), R"({ "value" : true })");
    if (hello.at("setName").empty()) throw std::runtime_error("hello names no replica set");
  }

  void watches_a_collection() {
    const Collection into = fresh("whole");
    const Stream stream = watch("whole");
    write_all(into);
    const std::vector<Document> events = read(stream, 6);
    expect(joined(events, "operationType"), "insert update replace delete drop invalidate");
    expect(events[1].at("updateDescription.updatedFields"), R"({ "value" : { "a" : 2 } })");
    expect(events[2].at("fullDocument"), R"({ "value" : { "_id" : 1, "a" : 3 } })");
    expect(events[3].at("documentKey"), R"({ "value" : { "_id" : 1 } })");
  }

  void watches_a_database() {
    command(writer_, database_name, R"({"dropDatabase": 1})");
    const Collection into = fresh("of_database");
    const Database watched(mongoc_client_get_database(watcher_.get(), database_name));
    const Stream stream(mongoc_database_watch(watched.get(), Document("{}").get(), options("").get()));
    write_all(into);
    command(writer_, database_name, R"({"dropDatabase": 1})");
    expect(joined(read(stream, 7), "operationType"), "insert update replace delete drop dropDatabase invalidate");
  }

  void watches_the_cluster() {
    const Collection into = fresh("of_cluster");
    const Document pipeline(std::string(R"({"pipeline": [{"$match": {"ns.db": ")") + database_name + R"("}}]})");
    const Stream stream(mongoc_client_watch(watcher_.get(), pipeline.get(), options("").get()));
    write_all(into);
    expect(joined(read(stream, 5), "operationType"), "insert update replace delete drop");
  }

  void reads_each_once(const char* name, const std::function<void()>& disturb) {
    const Collection into = fresh(name);
    const Stream stream = watch(name);
    insert(into, R"({"_id": 1})");
    std::string ids = joined(read(stream, 1), "documentKey._id");
    disturb();
    insert(into, R"({"_id": 2})");
    insert(into, R"({"_id": 3})");
    ids += " " + joined(read(stream, 2), "documentKey._id");
    expect(ids, R"({ "value" : 1 } { "value" : 2 } { "value" : 3 })");
    if (next(stream.get())) throw std::runtime_error("an event came twice");
  }

  void fail_get_more(const std::string& what) {
    command(writer_, "admin",
            R"({"configureFailPoint": "failCommand", "mode": {"times": 1}, "data": )"
            R"({"failCommands": ["getMore"], "appName": "watcher_libmongoc", )" +
                what + "}}");
  }

  void survives_a_dropped_connection() {
    reads_each_once("dropped", [this] {
      if (is_oplogue_) {
        command(writer_, "admin", R"({"oplogue": {"dropConnections": {"app": "watcher_libmongoc"}}})");
      } else {
        fail_get_more(R"("closeConnection": true)");
      }
    });
  }

  void survives_a_labelled_error() {
    reads_each_once("labelled",
                    [this] { fail_get_more(R"("errorCode": 8, "errorLabels": ["ResumableChangeStreamError"])"); });
  }

  void reports_lost_history() {
    const Collection into = fresh("lost");
    std::string token;
    {
      const Stream stream = watch("lost");
      insert(into, R"({"_id": 1})");
      token = read(stream, 1).at(0).at("_id._data");
    }
    insert(into, R"({"_id": 2})");
    command(writer_, "admin", R"({"oplogue": {"loseHistory": {}}})");
    try {
      const Stream late = watch("lost", R"(, "resumeAfter": {"_data": ")" + token + "\"}");
      next(late.get());
    } catch (const Failed& error) {
      expect(std::to_string(error.code), "286");
      return;
    }
    throw std::runtime_error("expected error 286, none came");
  }

  Client watcher_ = connect("watcher_libmongoc");
  Client writer_ = connect("writer_libmongoc");
  bool is_oplogue_ =
      std::getenv("CLIENTS_AGAINST") == nullptr || std::string_view(std::getenv("CLIENTS_AGAINST")) == "oplogue";
};

}  // namespace

int main() {
  mongoc_init();
  const int exit_code = Checks().run();
  mongoc_cleanup();
  return exit_code;
}
