//! What the Rust driver sees of a deployment: prints `ok NAME` or `FAIL NAME: why` a check. README.md beside this folder says which.

use mongodb::bson::{doc, Document};
use mongodb::change_stream::event::{ChangeStreamEvent, OperationType, ResumeToken};
use mongodb::error::{Error, ErrorKind};
use mongodb::options::ClientOptions;
use mongodb::sync::{ChangeStream, Client, Collection};
use std::fmt::Debug;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);
const AWAIT: Duration = Duration::from_millis(200);
const DATABASE: &str = "clients_rust";

type Failure = Box<dyn std::error::Error>;
type Checked = Result<(), Failure>;
type Event = ChangeStreamEvent<Document>;

struct Clients {
    watcher: Client,
    writer: Client,
    is_oplogue: bool,
}

fn expect<T: Debug + PartialEq>(actual: T, expected: T) -> Checked {
    if actual == expected {
        Ok(())
    } else {
        Err(format!("expected {expected:?}, came {actual:?}").into())
    }
}

/// The next `count` events of a stream; fewer when patience ends.
fn read(stream: &mut ChangeStream<Event>, count: usize) -> Result<Vec<Event>, Error> {
    let mut events = Vec::new();
    let deadline = Instant::now() + PATIENCE;
    while events.len() < count && Instant::now() < deadline {
        events.extend(stream.next_if_any()?);
    }
    Ok(events)
}

fn operations(events: &[Event]) -> Vec<OperationType> {
    events.iter().map(|event| event.operation_type.clone()).collect()
}

fn write_all(collection: &Collection<Document>) -> Checked {
    collection.insert_one(doc! {"_id": 1, "a": 1}).run()?;
    collection.update_one(doc! {"_id": 1}, doc! {"$set": {"a": 2}}).run()?;
    collection.replace_one(doc! {"_id": 1}, doc! {"a": 3}).run()?;
    collection.delete_one(doc! {"_id": 1}).run()?;
    collection.drop().run()?;
    Ok(())
}

const ALL: [OperationType; 5] =
    [OperationType::Insert, OperationType::Update, OperationType::Replace, OperationType::Delete, OperationType::Drop];

fn all_and(more: &[OperationType]) -> Vec<OperationType> {
    ALL.iter().chain(more).cloned().collect()
}

impl Clients {
    fn connect() -> Result<Clients, Error> {
        let uri = std::env::var("MONGODB_URI").expect("MONGODB_URI");
        let client = |name: &str| -> Result<Client, Error> {
            let mut options = ClientOptions::parse(&uri).run()?;
            options.app_name = Some(name.to_string());
            Client::with_options(options)
        };
        let against = std::env::var("CLIENTS_AGAINST").unwrap_or("oplogue".to_string());
        Ok(Clients { watcher: client("watcher_rust")?, writer: client("writer_rust")?, is_oplogue: against == "oplogue" })
    }

    fn fresh(&self, name: &str) -> Result<Collection<Document>, Error> {
        let database = self.writer.database(DATABASE);
        database.collection::<Document>(name).drop().run()?;
        database.create_collection(name).run()?;
        Ok(database.collection(name))
    }

    fn watch(&self, name: &str) -> Result<ChangeStream<Event>, Error> {
        self.watcher.database(DATABASE).collection::<Document>(name).watch().max_await_time(AWAIT).run()
    }

    fn connects_by_replica_set(&self) -> Checked {
        let hello = self.watcher.database("admin").run_command(doc! {"hello": 1}).run()?;
        hello.get_str("setName")?;
        expect(hello.get_bool("isWritablePrimary")?, true)
    }

    fn watches_a_collection(&self) -> Checked {
        let collection = self.fresh("whole")?;
        let mut stream = self.watch("whole")?;
        write_all(&collection)?;
        let events = read(&mut stream, 6)?;
        expect(operations(&events), all_and(&[OperationType::Invalidate]))?;
        expect(events[1].update_description.as_ref().map(|update| update.updated_fields.clone()), Some(doc! {"a": 2}))?;
        expect(events[2].full_document.clone(), Some(doc! {"_id": 1, "a": 3}))?;
        expect(events[3].document_key.clone(), Some(doc! {"_id": 1}))
    }

    fn watches_a_database(&self) -> Checked {
        self.writer.database(DATABASE).drop().run()?;
        let collection = self.fresh("of_database")?;
        let mut stream: ChangeStream<Event> = self.watcher.database(DATABASE).watch().max_await_time(AWAIT).run()?;
        write_all(&collection)?;
        self.writer.database(DATABASE).drop().run()?;
        expect(operations(&read(&mut stream, 7)?), all_and(&[OperationType::DropDatabase, OperationType::Invalidate]))
    }

    fn watches_the_cluster(&self) -> Checked {
        let collection = self.fresh("of_cluster")?;
        let pipeline = [doc! {"$match": {"ns.db": DATABASE}}];
        let mut stream: ChangeStream<Event> = self.watcher.watch().pipeline(pipeline).max_await_time(AWAIT).run()?;
        write_all(&collection)?;
        expect(operations(&read(&mut stream, 5)?), all_and(&[]))
    }

    fn reads_each_once(&self, name: &str, disturb: impl Fn() -> Checked) -> Checked {
        let collection = self.fresh(name)?;
        let mut stream = self.watch(name)?;
        collection.insert_one(doc! {"_id": 1}).run()?;
        let mut events = read(&mut stream, 1)?;
        disturb()?;
        collection.insert_many([doc! {"_id": 2}, doc! {"_id": 3}]).run()?;
        events.extend(read(&mut stream, 2)?);
        expect(stream.next_if_any()?.is_some(), false)?;
        let ids: Vec<_> = events.iter().filter_map(|event| event.document_key.clone()).collect();
        expect(ids, vec![doc! {"_id": 1}, doc! {"_id": 2}, doc! {"_id": 3}])
    }

    fn administer(&self, command: Document) -> Checked {
        self.writer.database("admin").run_command(command).run()?;
        Ok(())
    }

    fn fail_get_more(&self, mut data: Document) -> Checked {
        data.extend(doc! {"failCommands": ["getMore"], "appName": "watcher_rust"});
        self.administer(doc! {"configureFailPoint": "failCommand", "mode": {"times": 1}, "data": data})
    }

    fn survives_a_dropped_connection(&self) -> Checked {
        self.reads_each_once("dropped", || match self.is_oplogue {
            true => self.administer(doc! {"oplogue": {"dropConnections": {"app": "watcher_rust"}}}),
            false => self.fail_get_more(doc! {"closeConnection": true}),
        })
    }

    fn survives_a_labelled_error(&self) -> Checked {
        let error = doc! {"errorCode": 8, "errorLabels": ["ResumableChangeStreamError"]};
        self.reads_each_once("labelled", || self.fail_get_more(error.clone()))
    }

    fn reports_lost_history(&self) -> Checked {
        let collection = self.fresh("lost")?;
        let mut stream = self.watch("lost")?;
        collection.insert_one(doc! {"_id": 1}).run()?;
        let token: ResumeToken = read(&mut stream, 1)?.pop().ok_or("no event")?.id;
        drop(stream);
        collection.insert_one(doc! {"_id": 2}).run()?;
        self.administer(doc! {"oplogue": {"loseHistory": {}}})?;
        let watched = self.watcher.database(DATABASE).collection::<Document>("lost");
        let late = watched.watch().resume_after(token).max_await_time(AWAIT).run();
        match late.and_then(|mut stream| stream.next_if_any()) {
            Ok(event) => Err(format!("expected error 286, came {event:?}").into()),
            Err(error) => match *error.kind {
                ErrorKind::Command(refused) => expect(refused.code, 286),
                other => Err(format!("expected error 286, came {other}").into()),
            },
        }
    }
}

type Check = fn(&Clients) -> Checked;

fn main() {
    let clients = Clients::connect().expect("MONGODB_URI");
    let mut checks: Vec<(&str, Check)> = vec![
        ("connects by replica set", Clients::connects_by_replica_set),
        ("watches a collection", Clients::watches_a_collection),
        ("watches a database", Clients::watches_a_database),
        ("watches the cluster", Clients::watches_the_cluster),
        ("survives a dropped connection", Clients::survives_a_dropped_connection),
        ("survives a labelled error", Clients::survives_a_labelled_error),
    ];
    if clients.is_oplogue {
        checks.push(("reports lost history", Clients::reports_lost_history));
    }
    let mut exit = 0;
    for (name, check) in checks {
        match check(&clients) {
            Ok(()) => println!("ok {name}"),
            Err(error) => {
                exit = 1;
                println!("FAIL {name}: {}", error.to_string().replace('\n', " "));
            }
        }
    }
    std::process::exit(exit);
}
