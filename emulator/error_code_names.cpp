// The names of error codes by server, as mongod 4.2.6, 4.4.2, 5.0.4, 6.0.5 and 6.0.27 themselves say them (failCommand with each code);
// 303, 354 and those of 7.0 from error_codes.yml. Codes that only newer servers name are not known to older ones.
#include <algorithm>
#include <array>

#include "emulator/error_codes.h"
#include "emulator/facts/error_facts.h"

namespace emulator {
namespace {

using Names = ErrorFacts::Names;

struct Row {
  int code;
  std::string_view name;
  Names first = Names::V4_2;
  Names last = Names::V7_0;
};

// clang-format off
constexpr std::array rows = std::to_array<Row>({
    {1, "InternalError"}, {2, "BadValue"}, {3, "OBSOLETE_DuplicateKey"}, {4, "NoSuchKey"}, {5, "GraphContainsCycle"},
    {6, "HostUnreachable"}, {7, "HostNotFound"}, {8, "UnknownError"}, {9, "FailedToParse"},
    {10, "CannotMutateObject"}, {11, "UserNotFound"}, {12, "UnsupportedFormat"}, {13, "Unauthorized"},
    {14, "TypeMismatch"}, {15, "Overflow"}, {16, "InvalidLength"}, {17, "ProtocolError"},
    {18, "AuthenticationFailed"}, {19, "CannotReuseObject"}, {20, "IllegalOperation"}, {21, "EmptyArrayOperation"},
    {22, "InvalidBSON"}, {23, "AlreadyInitialized"}, {24, "LockTimeout"}, {25, "RemoteValidationError"},
    {26, "NamespaceNotFound"}, {27, "IndexNotFound"}, {28, "PathNotViable"}, {29, "NonExistentPath"},
    {30, "InvalidPath"}, {31, "RoleNotFound"}, {32, "RolesNotRelated"}, {33, "PrivilegeNotFound"},
    {34, "CannotBackfillArray"}, {35, "UserModificationFailed"}, {36, "RemoteChangeDetected"},
    {37, "FileRenameFailed"}, {38, "FileNotOpen"}, {39, "FileStreamFailed"}, {40, "ConflictingUpdateOperators"},
    {41, "FileAlreadyOpen"}, {42, "LogWriteFailed"}, {43, "CursorNotFound"}, {45, "UserDataInconsistent"},
    {46, "LockBusy"}, {47, "NoMatchingDocument"}, {48, "NamespaceExists"}, {49, "InvalidRoleModification"},
    {50, "MaxTimeMSExpired"}, {51, "ManualInterventionRequired"}, {52, "DollarPrefixedFieldName"},
    {53, "InvalidIdField"}, {54, "NotSingleValueField"}, {55, "InvalidDBRef"}, {56, "EmptyFieldName"},
    {57, "DottedFieldName"}, {58, "RoleModificationFailed"}, {59, "CommandNotFound"},
    {60, "OBSOLETE_DatabaseNotFound"}, {61, "ShardKeyNotFound"}, {62, "OplogOperationUnsupported"},
    {63, "StaleShardVersion", Names::V4_2, Names::V5_0}, {63, "OBSOLETE_StaleShardVersion", Names::V6_0},
    {64, "WriteConcernFailed"}, {65, "MultipleErrorsOccurred"}, {66, "ImmutableField"}, {67, "CannotCreateIndex"},
    {68, "IndexAlreadyExists"}, {69, "AuthSchemaIncompatible"}, {70, "ShardNotFound"}, {71, "ReplicaSetNotFound"},
    {72, "InvalidOptions"}, {73, "InvalidNamespace"}, {74, "NodeNotFound"}, {75, "WriteConcernLegacyOK"},
    {76, "NoReplicationEnabled"}, {77, "OperationIncomplete"}, {78, "CommandResultSchemaViolation"},
    {79, "UnknownReplWriteConcern"}, {80, "RoleDataInconsistent"}, {81, "NoMatchParseContext"},
    {82, "NoProgressMade"}, {83, "RemoteResultsUnavailable"}, {84, "DuplicateKeyValue", Names::V4_2, Names::V4_4},
    {84, "OBSOLETE_DuplicateKeyValue", Names::V5_0}, {85, "IndexOptionsConflict"}, {86, "IndexKeySpecsConflict"},
    {87, "CannotSplit"}, {88, "SplitFailed_OBSOLETE", Names::V4_2, Names::V4_4},
    {88, "OBSOLETE_SplitFailed", Names::V5_0}, {89, "NetworkTimeout"}, {90, "CallbackCanceled"},
    {91, "ShutdownInProgress"}, {92, "SecondaryAheadOfPrimary"}, {93, "InvalidReplicaSetConfig"},
    {94, "NotYetInitialized"}, {95, "NotSecondary"}, {96, "OperationFailed"}, {97, "NoProjectionFound"},
    {98, "DBPathInUse"}, {100, "UnsatisfiableWriteConcern"}, {101, "OutdatedClient"},
    {102, "IncompatibleAuditMetadata"}, {103, "NewReplicaSetConfigurationIncompatible"}, {104, "NodeNotElectable"},
    {105, "IncompatibleShardingMetadata"}, {106, "DistributedClockSkewed"}, {107, "LockFailed"},
    {108, "InconsistentReplicaSetNames"}, {109, "ConfigurationInProgress"}, {110, "CannotInitializeNodeWithData"},
    {111, "NotExactValueField"}, {112, "WriteConflict"}, {113, "InitialSyncFailure"},
    {114, "InitialSyncOplogSourceMissing"}, {115, "CommandNotSupported"}, {116, "DocTooLargeForCapped"},
    {117, "ConflictingOperationInProgress"}, {118, "NamespaceNotSharded"}, {119, "InvalidSyncSource"},
    {120, "OplogStartMissing"}, {121, "DocumentValidationFailure"}, {122, "OBSOLETE_ReadAfterOptimeTimeout"},
    {123, "NotAReplicaSet"}, {124, "IncompatibleElectionProtocol"}, {125, "CommandFailed"},
    {126, "RPCProtocolNegotiationFailed"}, {127, "UnrecoverableRollbackError"}, {128, "LockNotFound"},
    {129, "LockStateChangeFailed"}, {130, "SymbolNotFound"}, {132, "OBSOLETE_ConfigServersInconsistent"},
    {133, "FailedToSatisfyReadPreference"}, {134, "ReadConcernMajorityNotAvailableYet"}, {135, "StaleTerm"},
    {136, "CappedPositionLost"}, {137, "IncompatibleShardingConfigVersion"}, {138, "RemoteOplogStale"},
    {139, "JSInterpreterFailure"}, {140, "InvalidSSLConfiguration"}, {141, "SSLHandshakeFailed"},
    {142, "JSUncatchableError"}, {143, "CursorInUse"}, {144, "IncompatibleCatalogManager"},
    {145, "PooledConnectionsDropped"}, {146, "ExceededMemoryLimit"}, {147, "ZLibError"},
    {148, "ReadConcernMajorityNotEnabled"}, {149, "NoConfigMaster", Names::V4_2, Names::V4_2},
    {149, "NoConfigPrimary", Names::V4_4}, {150, "StaleEpoch"}, {151, "OperationCannotBeBatched"},
    {152, "OplogOutOfOrder"}, {153, "ChunkTooBig"}, {154, "InconsistentShardIdentity"},
    {155, "CannotApplyOplogWhilePrimary"}, {156, "OBSOLETE_NeedsDocumentMove"}, {157, "CanRepairToDowngrade"},
    {158, "MustUpgrade"}, {159, "DurationOverflow"}, {160, "MaxStalenessOutOfRange"},
    {161, "IncompatibleCollationVersion"}, {162, "CollectionIsEmpty"}, {163, "ZoneStillInUse"},
    {164, "InitialSyncActive"}, {165, "ViewDepthLimitExceeded"}, {166, "CommandNotSupportedOnView"},
    {167, "OptionNotSupportedOnView"}, {168, "InvalidPipelineOperator"},
    {169, "CommandOnShardedViewNotSupportedOnMongod"}, {170, "TooManyMatchingDocuments"},
    {171, "CannotIndexParallelArrays"}, {172, "TransportSessionClosed"}, {173, "TransportSessionNotFound"},
    {174, "TransportSessionUnknown"}, {175, "QueryPlanKilled"}, {176, "FileOpenFailed"}, {177, "ZoneNotFound"},
    {178, "RangeOverlapConflict"}, {179, "WindowsPdhError"}, {180, "BadPerfCounterPath"},
    {181, "AmbiguousIndexKeyPattern"}, {182, "InvalidViewDefinition"}, {183, "ClientMetadataMissingField"},
    {184, "ClientMetadataAppNameTooLarge"}, {185, "ClientMetadataDocumentTooLarge"},
    {186, "ClientMetadataCannotBeMutated"}, {187, "LinearizableReadConcernError"}, {188, "IncompatibleServerVersion"},
    {189, "PrimarySteppedDown"}, {190, "MasterSlaveConnectionFailure"}, {191, "OBSOLETE_BalancerLostDistributedLock"},
    {192, "FailPointEnabled"}, {193, "NoShardingEnabled"}, {194, "BalancerInterrupted"},
    {195, "ViewPipelineMaxSizeExceeded"}, {197, "InvalidIndexSpecificationOption"},
    {198, "OBSOLETE_ReceivedOpReplyMessage"}, {199, "ReplicaSetMonitorRemoved"}, {200, "ChunkRangeCleanupPending"},
    {201, "CannotBuildIndexKeys"}, {202, "NetworkInterfaceExceededTimeLimit"}, {203, "ShardingStateNotInitialized"},
    {204, "TimeProofMismatch"}, {205, "ClusterTimeFailsRateLimiter"}, {206, "NoSuchSession"}, {207, "InvalidUUID"},
    {208, "TooManyLocks"}, {209, "StaleClusterTime"}, {210, "CannotVerifyAndSignLogicalTime"}, {211, "KeyNotFound"},
    {212, "IncompatibleRollbackAlgorithm"}, {213, "DuplicateSession"}, {214, "AuthenticationRestrictionUnmet"},
    {215, "DatabaseDropPending"}, {216, "ElectionInProgress"}, {217, "IncompleteTransactionHistory"},
    {218, "UpdateOperationFailed"}, {219, "FTDCPathNotSet"}, {220, "FTDCPathAlreadySet"}, {221, "IndexModified"},
    {222, "CloseChangeStream"}, {223, "IllegalOpMsgFlag"}, {224, "QueryFeatureNotAllowed"},
    {225, "TransactionTooOld"}, {226, "AtomicityFailure"}, {227, "CannotImplicitlyCreateCollection"},
    {228, "SessionTransferIncomplete"}, {229, "MustDowngrade"}, {230, "DNSHostNotFound"}, {231, "DNSProtocolError"},
    {232, "MaxSubPipelineDepthExceeded"}, {233, "TooManyDocumentSequences"}, {234, "RetryChangeStream"},
    {235, "InternalErrorNotSupported"}, {236, "ForTestingErrorExtraInfo"}, {237, "CursorKilled"},
    {238, "NotImplemented"}, {239, "SnapshotTooOld"}, {240, "DNSRecordTypeMismatch"}, {241, "ConversionFailure"},
    {242, "CannotCreateCollection"}, {243, "IncompatibleWithUpgradedServer"},
    {244, "NOT_YET_AVAILABLE_TransactionAborted"}, {245, "BrokenPromise"}, {246, "SnapshotUnavailable"},
    {247, "ProducerConsumerQueueBatchTooLarge"}, {248, "ProducerConsumerQueueEndClosed"}, {249, "StaleDbVersion"},
    {250, "StaleChunkHistory"}, {251, "NoSuchTransaction"}, {252, "ReentrancyNotAllowed"},
    {253, "FreeMonHttpInFlight", Names::V4_2, Names::V6_0},
    {254, "FreeMonHttpTemporaryFailure", Names::V4_2, Names::V6_0},
    {255, "FreeMonHttpPermanentFailure", Names::V4_2, Names::V6_0}, {256, "TransactionCommitted"},
    {257, "TransactionTooLarge"}, {258, "UnknownFeatureCompatibilityVersion"}, {259, "KeyedExecutorRetry"},
    {260, "InvalidResumeToken"}, {261, "TooManyLogicalSessions"}, {262, "ExceededTimeLimit"},
    {263, "OperationNotSupportedInTransaction"}, {264, "TooManyFilesOpen"}, {265, "OrphanedRangeCleanUpFailed"},
    {266, "FailPointSetFailed"}, {267, "PreparedTransactionInProgress"}, {268, "CannotBackup"},
    {269, "DataModifiedByRepair"}, {270, "RepairedReplicaSetNode"}, {271, "JSInterpreterFailureWithStack"},
    {272, "MigrationConflict"}, {273, "ProducerConsumerQueueProducerQueueDepthExceeded"},
    {274, "ProducerConsumerQueueConsumed"}, {275, "ExchangePassthrough"}, {276, "IndexBuildAborted"},
    {277, "AlarmAlreadyFulfilled"}, {278, "UnsatisfiableCommitQuorum"}, {279, "ClientDisconnect"},
    {280, "ChangeStreamFatalError"}, {281, "TransactionCoordinatorSteppingDown"},
    {282, "TransactionCoordinatorReachedAbortDecision"}, {283, "WouldChangeOwningShard"},
    {284, "ForTestingErrorExtraInfoWithExtraInfoInNamespace"}, {285, "IndexBuildAlreadyInProgress"},
    {286, "ChangeStreamHistoryLost"}, {287, "TransactionCoordinatorDeadlineTaskCanceled"}, {288, "ChecksumMismatch"},
    {289, "WaitForMajorityServiceEarlierOpTimeAvailable"},
    {290, "TransactionExceededLifetimeLimitSeconds", Names::V4_4}, {291, "NoQueryExecutionPlans"},
    {292, "QueryExceededMemoryLimitNoDiskUseAllowed", Names::V4_4}, {293, "InvalidSeedList", Names::V4_4},
    {294, "InvalidTopologyType", Names::V4_4}, {295, "InvalidHeartBeatFrequency", Names::V4_4},
    {296, "TopologySetNameRequired", Names::V4_4}, {297, "HierarchicalAcquisitionLevelViolation"},
    {298, "InvalidServerType", Names::V4_4}, {299, "OCSPCertificateStatusRevoked", Names::V4_4},
    {300, "RangeDeletionAbandonedBecauseCollectionWithUUIDDoesNotExist", Names::V4_4},
    {301, "DataCorruptionDetected", Names::V4_4}, {302, "OCSPCertificateStatusUnknown", Names::V4_4},
    {303, "SplitHorizonChange", Names::V4_4}, {304, "ShardInvalidatedForTargeting", Names::V4_4},
    {305, "ReadThroughCacheKeyNotFound", Names::V4_4, Names::V4_4},
    {306, "ReadThroughCacheLookupCanceled", Names::V4_4},
    {307, "RangeDeletionAbandonedBecauseTaskDocumentDoesNotExist", Names::V4_4},
    {308, "CurrentConfigNotCommittedYet", Names::V4_4}, {309, "ExhaustCommandFinished", Names::V4_4},
    {310, "PeriodicJobIsStopped", Names::V4_4}, {311, "TransactionCoordinatorCanceled", Names::V4_4},
    {312, "OperationIsKilledAndDelisted", Names::V4_4}, {313, "ResumableRangeDeleterDisabled", Names::V4_4},
    {314, "ObjectIsBusy", Names::V5_0}, {315, "TooStaleToSyncFromSource", Names::V5_0},
    {316, "QueryTrialRunCompleted", Names::V5_0}, {317, "ConnectionPoolExpired", Names::V5_0},
    {318, "ForTestingOptionalErrorExtraInfo", Names::V5_0}, {319, "MovePrimaryInProgress", Names::V4_4},
    {320, "TenantMigrationConflict", Names::V5_0}, {321, "TenantMigrationCommitted", Names::V5_0},
    {322, "APIVersionError", Names::V5_0}, {323, "APIStrictError", Names::V5_0},
    {324, "APIDeprecationError", Names::V5_0}, {325, "TenantMigrationAborted", Names::V5_0},
    {326, "OplogQueryMinTsMissing", Names::V4_4}, {327, "NoSuchTenantMigration", Names::V5_0},
    {328, "TenantMigrationAccessBlockerShuttingDown", Names::V5_0}, {329, "TenantMigrationInProgress", Names::V5_0},
    {331, "FailedToRunWithReplyBuilder", Names::V5_0}, {332, "CannotDowngrade", Names::V5_0},
    {333, "ServiceExecutorInShutdown", Names::V5_0}, {334, "MechanismUnavailable", Names::V5_0},
    {335, "TenantMigrationForgotten", Names::V5_0}, {336, "TimeseriesBucketCleared", Names::V5_0},
    {337, "AuthenticationAbandoned", Names::V5_0}, {338, "ReshardCollectionInProgress", Names::V5_0},
    {339, "NoSuchReshardCollection", Names::V5_0}, {340, "ReshardCollectionCommitted", Names::V5_0},
    {341, "ReshardCollectionAborted", Names::V5_0}, {342, "ReshardingCriticalSectionTimeout", Names::V5_0},
    {343, "ShardCannotRefreshDueToLocksHeld", Names::V5_0}, {344, "AuditingNotEnabled", Names::V5_0},
    {345, "RuntimeAuditConfigurationNotEnabled", Names::V5_0}, {346, "ChangeStreamInvalidated", Names::V5_0},
    {347, "APIMismatchError", Names::V5_0}, {348, "ChangeStreamTopologyChange", Names::V6_0},
    {349, "KeyPatternShorterThanBound", Names::V5_0}, {350, "ReshardCollectionTruncatedError", Names::V5_0},
    {351, "ChangeStreamStartAfterInvalidate", Names::V6_0}, {352, "UnsupportedOpQueryCommand", Names::V6_0},
    {353, "NonRetryableTenantMigrationConflict", Names::V5_0}, {354, "LoadBalancerSupportMismatch", Names::V5_0},
    {355, "InterruptedDueToStorageChange", Names::V6_0}, {356, "TxnRetryCounterTooOld", Names::V6_0},
    {357, "InvalidBSONType", Names::V6_0}, {358, "InternalTransactionNotSupported", Names::V6_0},
    {359, "CannotConvertIndexToUnique", Names::V6_0}, {360, "ShardVersionRefreshCanceled", Names::V6_0},
    {361, "CollectionUUIDMismatch", Names::V6_0}, {362, "FutureAlreadyRetrieved", Names::V6_0},
    {363, "RetryableTransactionInProgress", Names::V6_0}, {364, "TxnRetryCounterNotSupported", Names::V6_0},
    {365, "TemporarilyUnavailable", Names::V6_0}, {366, "WouldChangeOwningShardDeletedNoDocument", Names::V6_0},
    {367, "FLECompactionPlaceholder", Names::V6_0}, {369, "FLETransactionAbort", Names::V6_0},
    {370, "CannotDropShardKeyIndex", Names::V6_0}, {371, "UserWritesBlocked", Names::V6_0},
    {373, "InternalTransactionsExhaustiveFindHasMore", Names::V6_0},
    {374, "TransactionAPIMustRetryTransaction", Names::V6_0}, {375, "TransactionAPIMustRetryCommit", Names::V6_0},
    {377, "FLEMaxTagLimitExceeded", Names::V6_0}, {378, "NonConformantBSON", Names::V6_0_27},
    {379, "DatabaseMetadataRefreshCanceled", Names::V6_0}, {384, "ConnectionError", Names::V6_0_27},
    {387, "EncounteredFLEPayloadWhileApplyingHmac", Names::V6_0_27},
    {388, "TransactionTooLargeForCache", Names::V6_0}, {391, "ReauthenticationRequired", Names::V7_0},
    {396, "IndexInformationTooLarge", Names::V6_0_27}, {398, "ShutdownClosedConnection", Names::V7_0},
    {408, "CannotInsertTimeseriesBucketsWithMixedSchema", Names::V6_0_27},
    {462, "IngressRequestRateLimitExceeded", Names::V7_0}, {9001, "SocketException"},
    {10003, "CannotGrowDocumentInCappedNamespace"}, {10058, "LegacyNotPrimary", Names::V5_0},
    {10107, "NotMaster", Names::V4_2, Names::V4_2}, {10107, "NotWritablePrimary", Names::V4_4},
    {10334, "BSONObjectTooLarge"}, {11000, "DuplicateKey"}, {11600, "InterruptedAtShutdown"}, {11601, "Interrupted"},
    {11602, "InterruptedDueToReplStateChange"}, {12586, "BackgroundOperationInProgressForDatabase"},
    {12587, "BackgroundOperationInProgressForNamespace"}, {13113, "MergeStageNoMatchingDocument"},
    {13297, "DatabaseDifferCase"}, {13388, "StaleConfig"}, {13435, "NotMasterNoSlaveOk", Names::V4_2, Names::V4_2},
    {13435, "NotPrimaryNoSecondaryOk", Names::V4_4}, {13436, "NotMasterOrSecondary", Names::V4_2, Names::V4_2},
    {13436, "NotPrimaryOrSecondary", Names::V4_4}, {14031, "OutOfDiskSpace"},
    {17280, "KeyTooLong", Names::V4_2, Names::V4_2}, {17280, "OSBELETE_KeyTooLong", Names::V4_4, Names::V4_4},
    {17280, "OBSOLETE_KeyTooLong", Names::V5_0}, {40414, "IDLFailedToParse", Names::V6_0_27},
    {40415, "IDLUnknownField", Names::V6_0_27}, {46841, "ClientMarkedKilled", Names::V4_4},
    {50915, "BackupCursorOpenConflictWithCheckpoint", Names::V6_0},
});
// clang-format on

struct Extra {
  int code;
  Names first;
};
constexpr std::array extras = std::to_array<Extra>(
    {{65, Names::V6_0},   {121, Names::V6_0}, {169, Names::V4_2}, {227, Names::V4_2}, {236, Names::V4_2},
     {249, Names::V4_2},  {271, Names::V4_2}, {283, Names::V4_2}, {284, Names::V4_2}, {304, Names::V4_4},
     {320, Names::V5_0},  {343, Names::V5_0}, {346, Names::V5_0}, {348, Names::V6_0}, {351, Names::V6_0},
     {353, Names::V5_0},  {356, Names::V6_0}, {359, Names::V6_0}, {361, Names::V6_0}, {11000, Names::V4_2},
     {13388, Names::V4_2}});

}  // namespace

std::string error_code_name(int code, const ErrorFacts& facts) {
  for (auto row = std::ranges::lower_bound(rows, code, {}, &Row::code); row != rows.end() && row->code == code; ++row)
    if (row->first <= facts.names && facts.names <= row->last) return std::string(row->name);
  return "Location" + std::to_string(code);
}

int error_code_of(std::string_view name) {
  const auto row = std::ranges::find(rows, name, &Row::name);
  return row == rows.end() ? 0 : row->code;
}

bool requires_extra_info(int code, const ErrorFacts& facts) {
  return std::ranges::any_of(extras,
                             [&](const Extra& extra) { return extra.code == code && extra.first <= facts.names; });
}

}  // namespace emulator
