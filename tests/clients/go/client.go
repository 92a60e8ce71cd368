// What the Go driver sees of a deployment: prints `ok NAME` or `FAIL NAME: why` a check. README.md beside this folder says which.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

const (
	patience = 20 * time.Second
	database = "clients_go"
)

var (
	isOplogue = os.Getenv("CLIENTS_AGAINST") == "" || os.Getenv("CLIENTS_AGAINST") == "oplogue"
	ctx       = context.Background()
	watcher   = connect("watcher_go")
	writer    = connect("writer_go")
)

type event struct {
	ID                bson.Raw `bson:"_id"`
	OperationType     string   `bson:"operationType"`
	DocumentKey       bson.M   `bson:"documentKey"`
	FullDocument      bson.M   `bson:"fullDocument"`
	UpdateDescription struct {
		UpdatedFields bson.M `bson:"updatedFields"`
	} `bson:"updateDescription"`
}

func connect(name string) *mongo.Client {
	client, err := mongo.Connect(options.Client().ApplyURI(os.Getenv("MONGODB_URI")).SetAppName(name))
	if err != nil {
		panic(err)
	}
	return client
}

// first gives the first error of several statements.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func expect(actual, expected any) error {
	if !reflect.DeepEqual(actual, expected) {
		return fmt.Errorf("expected %v, came %v", expected, actual)
	}
	return nil
}

func awaiting() *options.ChangeStreamOptionsBuilder {
	return options.ChangeStream().SetMaxAwaitTime(200 * time.Millisecond)
}

// read gives the next count events of a stream; fewer when patience ends.
func read(stream *mongo.ChangeStream, count int) ([]event, error) {
	var events []event
	for deadline := time.Now().Add(patience); len(events) < count && time.Now().Before(deadline); {
		if stream.TryNext(ctx) {
			var next event
			if err := stream.Decode(&next); err != nil {
				return nil, err
			}
			events = append(events, next)
		} else if stream.Err() != nil {
			return events, stream.Err()
		}
	}
	return events, nil
}

func operations(events []event) []string {
	var names []string
	for _, each := range events {
		names = append(names, each.OperationType)
	}
	return names
}

func fresh(name string) (*mongo.Collection, error) {
	err := first(writer.Database(database).Collection(name).Drop(ctx), writer.Database(database).CreateCollection(ctx, name))
	return writer.Database(database).Collection(name), err
}

func writeAll(collection *mongo.Collection) error {
	_, inserted := collection.InsertOne(ctx, bson.M{"_id": 1, "a": 1})
	_, updated := collection.UpdateOne(ctx, bson.M{"_id": 1}, bson.M{"$set": bson.M{"a": 2}})
	_, replaced := collection.ReplaceOne(ctx, bson.M{"_id": 1}, bson.M{"a": 3})
	_, deleted := collection.DeleteOne(ctx, bson.M{"_id": 1})
	return first(inserted, updated, replaced, deleted, collection.Drop(ctx))
}

func connectsByReplicaSet() error {
	var hello struct {
		SetName           string `bson:"setName"`
		IsWritablePrimary bool   `bson:"isWritablePrimary"`
	}
	err := watcher.Database("admin").RunCommand(ctx, bson.M{"hello": 1}).Decode(&hello)
	if err == nil && (hello.SetName == "" || !hello.IsWritablePrimary) {
		err = fmt.Errorf("no writable primary of a replica set: %+v", hello)
	}
	return err
}

func watchesACollection() error {
	collection, err := fresh("whole")
	if err != nil {
		return err
	}
	stream, err := watcher.Database(database).Collection("whole").Watch(ctx, mongo.Pipeline{}, awaiting())
	if err != nil {
		return err
	}
	defer stream.Close(ctx)
	if err = writeAll(collection); err != nil {
		return err
	}
	events, err := read(stream, 6)
	if err = first(err, expect(operations(events), []string{"insert", "update", "replace", "delete", "drop", "invalidate"})); err != nil {
		return err
	}
	return first(expect(events[1].UpdateDescription.UpdatedFields, bson.M{"a": int32(2)}),
		expect(events[2].FullDocument, bson.M{"_id": int32(1), "a": int32(3)}),
		expect(events[3].DocumentKey, bson.M{"_id": int32(1)}))
}

func watchesADatabase() error {
	dropped := writer.Database(database).Drop(ctx)
	collection, err := fresh("of_database")
	if err = first(dropped, err); err != nil {
		return err
	}
	stream, err := watcher.Database(database).Watch(ctx, mongo.Pipeline{}, awaiting())
	if err != nil {
		return err
	}
	defer stream.Close(ctx)
	if err = first(writeAll(collection), writer.Database(database).Drop(ctx)); err != nil {
		return err
	}
	events, err := read(stream, 7)
	return first(err, expect(operations(events),
		[]string{"insert", "update", "replace", "delete", "drop", "dropDatabase", "invalidate"}))
}

func watchesTheCluster() error {
	collection, err := fresh("of_cluster")
	if err != nil {
		return err
	}
	pipeline := mongo.Pipeline{{{Key: "$match", Value: bson.M{"ns.db": database}}}}
	stream, err := watcher.Watch(ctx, pipeline, awaiting())
	if err != nil {
		return err
	}
	defer stream.Close(ctx)
	if err = writeAll(collection); err != nil {
		return err
	}
	events, err := read(stream, 5)
	return first(err, expect(operations(events), []string{"insert", "update", "replace", "delete", "drop"}))
}

// The driver resumes by itself once. When its monitor loses its connection in the same moment, it clears the pool under that one
// try, and the error reaches the consumer, who goes on from the stream's token.
func isConnectionLoss(err error) bool {
	return err != nil && (mongo.IsNetworkError(err) || strings.Contains(err.Error(), "was cleared because another operation failed"))
}

func readsEachOnce(name string, disturb func() error) error {
	collection, err := fresh(name)
	if err != nil {
		return err
	}
	stream, err := watcher.Database(database).Collection(name).Watch(ctx, mongo.Pipeline{}, awaiting())
	if err != nil {
		return err
	}
	defer stream.Close(ctx)
	_, inserted := collection.InsertOne(ctx, bson.M{"_id": 1})
	before, err := read(stream, 1)
	if err = first(inserted, err, disturb()); err != nil {
		return err
	}
	_, inserted = collection.InsertMany(ctx, []bson.M{{"_id": 2}, {"_id": 3}})
	after, err := read(stream, 2)
	if isConnectionLoss(err) {
		stream, err = watcher.Database(database).Collection(name).Watch(ctx, mongo.Pipeline{}, awaiting().SetResumeAfter(stream.ResumeToken()))
		if err != nil {
			return err
		}
		defer stream.Close(ctx)
		var rest []event
		rest, err = read(stream, 2-len(after))
		after = append(after, rest...)
	}
	if err = first(inserted, err); err != nil {
		return err
	}
	var ids []any
	for _, each := range append(before, after...) {
		ids = append(ids, each.DocumentKey["_id"])
	}
	return first(expect(stream.TryNext(ctx), false), expect(ids, []any{int32(1), int32(2), int32(3)}))
}

func failGetMore(data bson.M) error {
	data["failCommands"] = []string{"getMore"}
	data["appName"] = "watcher_go"
	return writer.Database("admin").RunCommand(ctx, bson.D{{Key: "configureFailPoint", Value: "failCommand"},
		{Key: "mode", Value: bson.M{"times": 1}}, {Key: "data", Value: data}}).Err()
}

func dropConnections() error {
	if !isOplogue {
		return failGetMore(bson.M{"closeConnection": true})
	}
	return writer.Database("admin").RunCommand(ctx, bson.M{"oplogue": bson.M{"dropConnections": bson.M{"app": "watcher_go"}}}).Err()
}

func survivesADroppedConnection() error { return readsEachOnce("dropped", dropConnections) }

func survivesALabelledError() error {
	return readsEachOnce("labelled", func() error {
		return failGetMore(bson.M{"errorCode": 8, "errorLabels": []string{"ResumableChangeStreamError"}})
	})
}

func reportsLostHistory() error {
	collection, err := fresh("lost")
	if err != nil {
		return err
	}
	watched := watcher.Database(database).Collection("lost")
	stream, err := watched.Watch(ctx, mongo.Pipeline{}, awaiting())
	if err != nil {
		return err
	}
	_, inserted := collection.InsertOne(ctx, bson.M{"_id": 1})
	events, err := read(stream, 1)
	if err = first(inserted, err, stream.Close(ctx)); err != nil || len(events) != 1 {
		return fmt.Errorf("%d events, error %v", len(events), err)
	}
	_, inserted = collection.InsertOne(ctx, bson.M{"_id": 2})
	lost := writer.Database("admin").RunCommand(ctx, bson.M{"oplogue": bson.M{"loseHistory": bson.M{}}}).Err()
	if err = first(inserted, lost); err != nil {
		return err
	}
	late, err := watched.Watch(ctx, mongo.Pipeline{}, awaiting().SetResumeAfter(events[0].ID))
	if err == nil {
		defer late.Close(ctx)
		late.TryNext(ctx)
		err = late.Err()
	}
	var refused mongo.CommandError
	if !errors.As(err, &refused) || refused.Code != 286 {
		return fmt.Errorf("expected error 286, came %v", err)
	}
	return nil
}

func main() {
	checks := []struct {
		name string
		run  func() error
	}{
		{"connects by replica set", connectsByReplicaSet}, {"watches a collection", watchesACollection},
		{"watches a database", watchesADatabase}, {"watches the cluster", watchesTheCluster},
		{"survives a dropped connection", survivesADroppedConnection}, {"survives a labelled error", survivesALabelledError},
		{"reports lost history", reportsLostHistory},
	}
	if !isOplogue {
		checks = checks[:len(checks)-1]
	}
	exit := 0
	for _, check := range checks {
		if err := check.run(); err != nil {
			exit = 1
			fmt.Printf("FAIL %s: %s\n", check.name, strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Printf("ok %s\n", check.name)
		}
	}
	os.Exit(exit)
}
