// Every bound of the emulator, with MongoDB's own where it has one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulator {

inline constexpr std::int32_t document_bytes_max = 16 * 1024 * 1024;  // BSONObjMaxUserSize, said in hello
inline constexpr std::int32_t document_internal_bytes_max = 16 * 1024 * 1024 + 16 * 1024;  // BSONObjMaxInternalSize
inline constexpr std::int32_t message_bytes_max = 48'000'000;                              // MaxMessageSizeBytes
inline constexpr std::int32_t write_batch_max = 100'000;                                   // maxWriteBatchSize
inline constexpr std::size_t batch_bytes_max = 16 * 1024 * 1024;  // FindCommon::kMaxBytesToReturnToClientAtOnce
inline constexpr int first_batch_default = 101;                   // query_request_helper::kDefaultBatchSize
inline constexpr std::size_t document_depth_max = 180;            // BSONDepth::kDefaultMaxAllowableDepth for storage

inline constexpr std::size_t insert_group_documents_max = 500;     // internalInsertMaxBatchSize
inline constexpr std::size_t insert_group_bytes_max = 256 * 1024;  // insertVectorMaxBytes

inline constexpr std::size_t oplog_bytes_default = std::size_t{256} << 20;
inline constexpr std::size_t store_bytes_default = std::size_t{512} << 20;
inline constexpr std::size_t history_share_of_store = 8;  // beside the store, for snapshot reads: 64 MiB by default
inline constexpr std::size_t image_bytes_default = std::size_t{128} << 20;
inline constexpr std::size_t journal_bytes_default = std::size_t{16} << 20;
inline constexpr std::size_t unsent_bytes_max = std::size_t{64} << 20;  // per connection: above it nothing more is read
inline constexpr std::size_t connections_default = 20'000;
inline constexpr std::size_t cursors_default = 100'000;
inline constexpr std::size_t sessions_default = 100'000;
inline constexpr int cursor_timeout_minutes = 10;

}  // namespace emulator
