// A well-behaved change-stream consumer on libmongoc: prints a line an event, keeps its resume token, resumes when its
// connection is lost, and starts afresh when the server has lost the history it needs. tools/try puts it on trial.
//
// MONGODB_URI names the deployment. OPLOGUE_WATCH (default shop.orders) is the collection, OPLOGUE_BEFORE (default
// whenAvailable) the fullDocumentBeforeChange it asks for. Ends on SIGTERM and SIGINT.
#include <mongoc/mongoc.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace {

constexpr std::uint32_t change_stream_history_lost = 286;
constexpr std::int64_t wait_milliseconds = 500;  // a stop is noticed after this at the latest
constexpr std::chrono::milliseconds retry_pause{100};

volatile std::sig_atomic_t is_stopping = 0;

template <class T, void (*destroy)(T*)>
struct Destroy {
  void operator()(T* object) const { destroy(object); }
};
using Uri = std::unique_ptr<mongoc_uri_t, Destroy<mongoc_uri_t, mongoc_uri_destroy>>;
using Client = std::unique_ptr<mongoc_client_t, Destroy<mongoc_client_t, mongoc_client_destroy>>;
using Collection = std::unique_ptr<mongoc_collection_t, Destroy<mongoc_collection_t, mongoc_collection_destroy>>;
using Stream = std::unique_ptr<mongoc_change_stream_t, Destroy<mongoc_change_stream_t, mongoc_change_stream_destroy>>;

// A document that this program owns; libmongoc's own are only ever borrowed.
class Document {
 public:
  Document() { bson_init(&bson_); }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
  ~Document() { bson_destroy(&bson_); }
  bson_t* get() { return &bson_; }
  void assign(const bson_t& other) {
    bson_destroy(&bson_);
    bson_copy_to(&other, &bson_);
  }
  void clear() { bson_reinit(&bson_); }

 private:
  bson_t bson_;
};

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

std::string_view text_at(const bson_t& document, const char* path) {
  bson_iter_t top;
  bson_iter_t found;
  if (!bson_iter_init(&top, &document) || !bson_iter_find_descendant(&top, path, &found) ||
      !BSON_ITER_HOLDS_UTF8(&found)) {
    return {};
  }
  std::uint32_t length = 0;
  const char* text = bson_iter_utf8(&found, &length);
  return {text, length};
}

std::string json_at(const bson_t& document, const char* path) {
  bson_iter_t found;
  if (!bson_iter_init_find(&found, &document, path) || !BSON_ITER_HOLDS_DOCUMENT(&found)) return "-";
  const std::uint8_t* bytes = nullptr;
  std::uint32_t length = 0;
  bson_iter_document(&found, &length, &bytes);
  bson_t inner;
  if (!bson_init_static(&inner, bytes, length)) return "-";
  const std::unique_ptr<char, Destroy<void, bson_free>> json(bson_as_relaxed_extended_json(&inner, nullptr));
  return json.get();
}

// A token's first byte says that a timestamp follows: four bytes of seconds, four of a counter, highest first.
std::string cluster_time(std::string_view token_hex) {
  if (token_hex.size() < 18 || token_hex.substr(0, 2) != "82") return "a token of another kind";
  const auto number = [&](std::size_t at) { return std::stoul(std::string(token_hex.substr(at, 8)), nullptr, 16); };
  return "Timestamp(" + std::to_string(number(2)) + ", " + std::to_string(number(10)) + ")";
}

// Called by libmongoc before each command: shows the opens, also those by which the driver resumes on its own.
void show_open(const mongoc_apm_command_started_t* event) {
  if (std::string_view(mongoc_apm_command_started_get_command_name(event)) != "aggregate") return;
  const bson_t* command = mongoc_apm_command_started_get_command(event);
  std::string_view token = text_at(*command, "pipeline.0.$changeStream.resumeAfter._data");
  if (token.empty()) token = text_at(*command, "pipeline.0.$changeStream.startAfter._data");
  say(token.empty() ? "opens the stream" : "resumes after " + cluster_time(token));
}

void show_event(const bson_t& event) {
  const std::string_view operation = text_at(event, "operationType");
  std::string line(operation);
  line += " " + json_at(event, "documentKey") + " at " + cluster_time(text_at(event, "_id._data"));
  bson_iter_t before;
  if (bson_iter_init_find(&before, &event, "fullDocumentBeforeChange")) {
    line += BSON_ITER_HOLDS_NULL(&before) ? ", its pre-image is missing"
                                          : ", before " + json_at(event, "fullDocumentBeforeChange");
  }
  say(line);
}

class Consumer {
 public:
  Consumer(mongoc_collection_t* collection, std::string before) : collection_(collection), before_(std::move(before)) {}

  void run() {
    while (!is_stopping) {
      const Stream stream = open();
      read(stream.get());
    }
  }

 private:
  Stream open() {
    Document options;
    Document pipeline;
    BSON_APPEND_UTF8(options.get(), "fullDocumentBeforeChange", before_.c_str());
    BSON_APPEND_INT64(options.get(), "maxAwaitTimeMS", wait_milliseconds);
    if (!bson_empty(token_.get()))
      BSON_APPEND_DOCUMENT(options.get(), was_invalidated_ ? "startAfter" : "resumeAfter", token_.get());
    return Stream(mongoc_collection_watch(collection_, pipeline.get(), options.get()));
  }

  // Reads until the stream ends with an error that the driver could not resume from, or the program is told to stop.
  void read(mongoc_change_stream_t* stream) {
    while (!is_stopping) {
      const bson_t* event = nullptr;
      if (mongoc_change_stream_next(stream, &event)) {
        show_event(*event);
        was_invalidated_ = text_at(*event, "operationType") == "invalidate";
      }
      bson_error_t error;
      const bson_t* reply = nullptr;
      if (mongoc_change_stream_error_document(stream, &error, &reply)) {
        recover(error);
        return;
      }
      if (const bson_t* token = mongoc_change_stream_get_resume_token(stream)) token_.assign(*token);
      if (event != nullptr && was_invalidated_) return;  // nothing follows in this stream
    }
  }

  void recover(const bson_error_t& error) {
    if (error.code == change_stream_history_lost) {
      say("history was lost (286): starts afresh, what happened in between is unknown");
      token_.clear();
      was_invalidated_ = false;
      return;
    }
    say("the stream ended: " + std::string(error.message) + " (" + std::to_string(error.code) + ")");
    std::this_thread::sleep_for(retry_pause);
  }

  mongoc_collection_t* collection_;
  std::string before_;
  Document token_;
  bool was_invalidated_ = false;  // then only startAfter may name the token
};

int consume() {
  bson_error_t error;
  const Uri uri(mongoc_uri_new_with_error(environment("MONGODB_URI", "mongodb://127.0.0.1:27017").c_str(), &error));
  if (!uri) {
    std::fprintf(stderr, "quickstart_consumer: MONGODB_URI: %s\n", error.message);
    return 2;
  }
  const std::string watched = environment("OPLOGUE_WATCH", "shop.orders");
  const std::size_t dot = watched.find('.');
  if (dot == std::string::npos) {
    std::fprintf(stderr, "quickstart_consumer: OPLOGUE_WATCH is DATABASE.COLLECTION, not \"%s\"\n", watched.c_str());
    return 2;
  }
  const Client client(mongoc_client_new_from_uri(uri.get()));
  mongoc_client_set_appname(client.get(), "quickstart");
  mongoc_client_set_error_api(client.get(), MONGOC_ERROR_API_VERSION_2);
  const std::unique_ptr<mongoc_apm_callbacks_t, Destroy<mongoc_apm_callbacks_t, mongoc_apm_callbacks_destroy>>
      callbacks(mongoc_apm_callbacks_new());
  mongoc_apm_set_command_started_cb(callbacks.get(), show_open);
  mongoc_client_set_apm_callbacks(client.get(), callbacks.get(), nullptr);
  const Collection collection(
      mongoc_client_get_collection(client.get(), watched.substr(0, dot).c_str(), watched.substr(dot + 1).c_str()));
  Consumer(collection.get(), environment("OPLOGUE_BEFORE", "whenAvailable")).run();
  return 0;
}

}  // namespace

int main() {
  std::signal(SIGTERM, [](int) { is_stopping = 1; });
  std::signal(SIGINT, [](int) { is_stopping = 1; });
  mongoc_init();
  const int exit_code = consume();
  mongoc_cleanup();
  return exit_code;
}
