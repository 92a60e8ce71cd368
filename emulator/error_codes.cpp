#include "emulator/error_codes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "emulator/facts/error_facts.h"

namespace emulator {
namespace {

using Row = std::pair<int, std::string_view>;
constexpr std::array rows = std::to_array<Row>({
    {1, "InternalError"},
    {2, "BadValue"},
    {4, "NoSuchKey"},
    {5, "GraphContainsCycle"},
    {6, "HostUnreachable"},
    {7, "HostNotFound"},
    {8, "UnknownError"},
    {9, "FailedToParse"},
    {10, "CannotMutateObject"},
    {11, "UserNotFound"},
    {12, "UnsupportedFormat"},
    {13, "Unauthorized"},
    {14, "TypeMismatch"},
    {15, "Overflow"},
    {16, "InvalidLength"},
    {17, "ProtocolError"},
    {18, "AuthenticationFailed"},
    {19, "CannotReuseObject"},
    {20, "IllegalOperation"},
    {21, "EmptyArrayOperation"},
    {22, "InvalidBSON"},
    {23, "AlreadyInitialized"},
    {24, "LockTimeout"},
    {25, "RemoteValidationError"},
    {26, "NamespaceNotFound"},
    {27, "IndexNotFound"},
    {28, "PathNotViable"},
    {29, "NonExistentPath"},
    {30, "InvalidPath"},
    {31, "RoleNotFound"},
    {36, "DBPathInUse"},
    {39, "CommandFailed"},
    {40, "ConflictingUpdateOperators"},
    {43, "CursorNotFound"},
    {45, "UserDataInconsistent"},
    {46, "LockBusy"},
    {47, "NoMatchingDocument"},
    {48, "NamespaceExists"},
    {50, "MaxTimeMSExpired"},
    {51, "UserAlreadyExists"},
    {52, "DollarPrefixedFieldName"},
    {53, "InvalidIdField"},
    {54, "NotSingleValueField"},
    {55, "InvalidDBRef"},
    {56, "EmptyFieldName"},
    {57, "DottedFieldName"},
    {59, "CommandNotFound"},
    {61, "ShardKeyNotFound"},
    {62, "OplogOperationUnsupported"},
    {63, "OBSOLETE_StaleShardVersion"},
    {64, "WriteConcernFailed"},
    {66, "ImmutableField"},
    {67, "CannotCreateIndex"},
    {68, "IndexAlreadyExists"},
    {69, "AuthSchemaIncompatible"},
    {70, "ShardNotFound"},
    {71, "ReplicaSetNotFound"},
    {72, "InvalidOptions"},
    {73, "InvalidNamespace"},
    {74, "NodeNotFound"},
    {75, "WriteConcernLegacyOK"},
    {76, "NoReplicationEnabled"},
    {79, "UnknownReplWriteConcern"},
    {80, "IndexBuilderFailed"},
    {82, "CannotBackup"},
    {84, "DuplicateKeyValue"},
    {85, "IndexOptionsConflict"},
    {86, "IndexKeySpecsConflict"},
    {89, "NetworkTimeout"},
    {91, "ShutdownInProgress"},
    {93, "InvalidReplicaSetConfig"},
    {94, "NotYetInitialized"},
    {96, "OperationFailed"},
    {100, "UnsatisfiableWriteConcern"},
    {101, "OutdatedClient"},
    {104, "ConfigServerUnreachable"},
    {112, "WriteConflict"},
    {115, "CommandNotSupported"},
    {117, "ConflictingOperationInProgress"},
    {121, "DocumentValidationFailure"},
    {123, "NotAReplicaSet"},
    {125, "CommandFailed"},
    {133, "FailedToSatisfyReadPreference"},
    {134, "ReadConcernMajorityNotAvailableYet"},
    {136, "CappedPositionLost"},
    {143, "CursorInUse"},
    {146, "ExceededMemoryLimit"},
    {150, "StaleEpoch"},
    {155, "TransportSessionClosed"},
    {160, "ViewDepthLimitExceeded"},
    {165, "ViewPipelineMaxSizeExceeded"},
    {166, "CommandNotSupportedOnView"},
    {167, "OptionNotSupportedOnView"},
    {168, "InvalidPipelineOperator"},
    {169, "CommandOnShardedViewNotSupportedOnMongod"},
    {173, "NoSuchSession"},
    {175, "QueryPlanKilled"},
    {183, "CannotIndexParallelArrays"},
    {186, "InvalidUUIDConflict"},
    {189, "PrimarySteppedDown"},
    {197, "InvalidIndexSpecificationOption"},
    {201, "MasterSlaveConnectionFailure"},
    {202, "NetworkInterfaceExceededTimeLimit"},
    {206, "NoSuchSession"},
    {207, "InvalidUUID"},
    {209, "NoSuchTransactionLegacy"},
    {211, "KeyNotFound"},
    {213, "DuplicateSession"},
    {214, "IncompatibleCatalogManager"},
    {215, "TransactionTooOldLegacy"},
    {216, "ElectionInProgress"},
    {217, "IncompleteTransactionHistory"},
    {222, "CloseChangeStream"},
    {225, "TransactionTooOld"},
    {226, "AtomicityFailure"},
    {228, "CannotImplicitlyCreateCollection"},
    {229, "SessionTransferIncomplete"},
    {234, "RetryChangeStream"},
    {237, "CursorKilled"},
    {238, "NotImplemented"},
    {239, "SnapshotTooOld"},
    {240, "DNSRecordTypeMismatch"},
    {241, "ConversionFailure"},
    {244, "TransactionAborted"},
    {246, "SnapshotUnavailable"},
    {249, "StaleDbVersion"},
    {251, "NoSuchTransaction"},
    {256, "TransactionCommitted"},
    {257, "TransactionTooLarge"},
    {258, "UnknownFeatureCompatibilityVersion"},
    {260, "InvalidResumeToken"},
    {261, "TooManyLogicalSessions"},
    {262, "ExceededTimeLimit"},
    {263, "OperationNotSupportedInTransaction"},
    {264, "TooManyFilesOpen"},
    {266, "FailPointSetFailed"},
    {267, "PreparedTransactionInProgress"},
    {276, "IndexBuildAborted"},
    {280, "ChangeStreamFatalError"},
    {282, "TransactionCoordinatorSteppingDown"},
    {285, "IndexBuildAlreadyInProgress"},
    {286, "ChangeStreamHistoryLost"},
    {287, "TransactionCoordinatorDeadlineTaskCanceled"},
    {288, "ChecksumMismatch"},
    {290, "TransactionExceededLifetimeLimitSeconds"},
    {302, "SplitHorizonChangeLegacy"},
    {303, "SplitHorizonChange"},
    {310, "TooManyLocks"},
    {312, "InvalidSyncSource"},
    {317, "ConnectionPoolExpired"},
    {322, "APIVersionError"},
    {323, "APIStrictError"},
    {324, "APIDeprecationError"},
    {326, "OplogQueryMinTsMissing"},
    {331, "InvalidTXNRouterState"},
    {334, "UnsupportedFormatLegacy"},
    {338, "RateLimitExceeded"},
    {346, "ChangeStreamInvalidated"},
    {348, "ChangeStreamTopologyChange"},
    {351, "ChangeStreamStartAfterInvalidate"},
    {352, "UnsupportedOpQueryCommand"},
    {354, "LoadBalancerSupportMismatch"},
    {359, "StaleClusterTime"},
    {361, "MovePrimaryInProgress"},
    {376, "ChangeStreamNotEnabled"},
    {391, "ReauthenticationRequired"},
    {398, "ShutdownClosedConnection"},
    {462, "IngressRequestRateLimitExceeded"},
    {9001, "SocketException"},
    {10003, "CannotGrowDocumentInCappedNamespace"},
    {10058, "LegacyNotPrimary"},
    {10107, "NotWritablePrimary"},
    {10334, "BSONObjectTooLarge"},
    {11000, "DuplicateKey"},
    {11600, "InterruptedAtShutdown"},
    {11601, "Interrupted"},
    {11602, "InterruptedDueToReplStateChange"},
    {12586, "BackgroundOperationInProgressForDatabase"},
    {12587, "BackgroundOperationInProgressForNamespace"},
    {13113, "MergeStageNoMatchingDocument"},
    {13297, "DatabaseDifferCase"},
    {13388, "StaleConfig"},
    {13435, "NotPrimaryNoSecondaryOk"},
    {13436, "NotPrimaryOrSecondary"},
    {14031, "OutOfDiskSpace"},
    {17280, "KeyTooLong"},
});

using Names = ErrorFacts::Names;
// What some servers call otherwise; no name: they have none for it.
struct OtherName {
  int code;
  Names first;
  Names last;
  std::string_view name;
};
constexpr std::array other_names = std::to_array<OtherName>({
    {63, Names::V4_2, Names::V5_0, "StaleShardVersion"},
    {317, Names::V4_2, Names::V4_4, ""},
    {378, Names::V6_0_27, Names::V6_0_27, "NonConformantBSON"},
    {384, Names::V6_0_27, Names::V6_0_27, "ConnectionError"},
    {10058, Names::V4_2, Names::V4_4, ""},
    {10107, Names::V4_2, Names::V4_2, "NotMaster"},
    {13435, Names::V4_2, Names::V4_2, "NotMasterNoSlaveOk"},
    {13436, Names::V4_2, Names::V4_2, "NotMasterOrSecondary"},
    {40414, Names::V6_0_27, Names::V6_0_27, "IDLFailedToParse"},
    {40415, Names::V6_0_27, Names::V6_0_27, "IDLUnknownField"},
});

// The names of 5.0 and before end here.
bool is_later_than_5_0(int code) {
  constexpr int last_named = 345;
  constexpr int first_of_old_codes = 9001;
  return code > last_named && code < first_of_old_codes;
}

std::string_view name_of(int code, const ErrorFacts& facts) {
  for (const OtherName& other : other_names)
    if (other.code == code && other.first <= facts.names && facts.names <= other.last) return other.name;
  if (facts.names <= Names::V5_0 && is_later_than_5_0(code)) return {};
  const auto row = std::lower_bound(rows.begin(), rows.end(), code, [](const Row& r, int c) { return r.first < c; });
  return row != rows.end() && row->first == code ? row->second : std::string_view();
}

template <std::size_t N>
bool in(const std::array<int, N>& codes, int code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace

std::string error_code_name(int code, const ErrorFacts& facts) {
  const std::string_view name = name_of(code, facts);
  return name.empty() ? "Location" + std::to_string(code) : std::string(name);
}

int error_code_of(std::string_view name) {
  for (const Row& row : rows)
    if (row.second == name) return row.first;
  for (const OtherName& other : other_names)
    if (!name.empty() && other.name == name) return other.code;
  return 0;
}

bool is_not_primary_error(int code) {
  static constexpr std::array codes{189, 10107, 11602, 13435, 13436};
  return in(codes, code);
}

namespace {

constexpr int connection_pool_expired = 317;
constexpr int connection_error = 384;

// 4.4 knows it, but not in a category.
bool has_category(int code, const ErrorFacts& facts) {
  return code != connection_pool_expired || facts.names > Names::V4_4;
}

}  // namespace

bool is_resumable_change_stream_error(int code, const ErrorFacts& facts) {
  static constexpr std::array codes{6,   7,   63,   89,    91,    133,   150,   189,   234,
                                    262, 317, 9001, 10107, 11600, 11602, 13388, 13435, 13436};
  if (code == connection_error) return facts.connection_error_is_resumable;
  return in(codes, code) && has_category(code, facts);
}

bool is_retriable_error(int code, const ErrorFacts& facts) {
  static constexpr std::array codes{6, 7, 89, 91, 134, 189, 262, 317, 9001, 10107, 11600, 11602, 13435, 13436};
  return in(codes, code) && has_category(code, facts);
}

bool closes_connection(int code) {
  static constexpr std::array codes{303, 354, 398};
  return in(codes, code);
}

}  // namespace emulator
