// The form of replies: what dispatch adds to a command's fields, and the one builder of error replies.
#pragma once

#include "emulator/command_error.h"
#include "emulator/context.h"

namespace emulator {

struct ErrorFacts;

// Closes the exchange's reply: its fields (and the cursor of a stream) plus ok, writeConcernError, errorLabels, $clusterTime,
// operationTime.
void finish_reply(Exchange& exchange, const Deployment& deployment);
// Answers with the error: [errorLabels], [topologyVersion], ok, errmsg, code, codeName, extra, $clusterTime, operationTime (up to 4.4
// before ok).
// Labels that the error leaves open are computed by code, command and profile.
void fail_reply(Exchange& exchange, const CommandError& error, Deployment& deployment);
// Answers with this very document.
void answer_reply(Exchange& exchange, const wire::Document& answer);

// ok: 1, and a writeConcernError where the profile's server puts it; default: there is none.
void append_ok(wire::DocumentBuilder& out, const wire::Document& write_concern_error, const Profile& profile);
// {processId, counter} of a member, where the profile has it.
void append_topology_version(wire::DocumentBuilder& out, const Deployment& deployment, const Member& member);
// $clusterTime and operationTime (nothing on a standalone).
void append_times(wire::DocumentBuilder& out, const Deployment& deployment,
                  std::optional<wire::Timestamp> operation_time);

// The labels that the server itself gives an error of this command (facts §5.2, goldens' FACTS "Labels").
// `at` tells whether a getMore had its cursor checked out.
enum class ErrorMoment { BeforeCheckout, AfterCheckout };
std::vector<std::string> error_labels(int code, const Exchange& exchange, ErrorMoment at, const ErrorFacts& facts);
// Whether the request is an aggregate whose pipeline begins with $changeStream.
bool opens_change_stream(const Request& request);

}  // namespace emulator
