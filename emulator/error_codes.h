// MongoDB's error codes by name, and the categories that decide labels and topologyVersion. Source: the server's error_codes.yml.
#pragma once

#include <string>
#include <string_view>

namespace emulator {

// Those that the emulator itself raises.
namespace code {
inline constexpr int bad_value = 2;
inline constexpr int failed_to_parse = 9;
inline constexpr int user_not_found = 11;
inline constexpr int unauthorized = 13;
inline constexpr int type_mismatch = 14;
inline constexpr int overflow = 15;
inline constexpr int invalid_length = 16;
inline constexpr int protocol_error = 17;
inline constexpr int authentication_failed = 18;
inline constexpr int illegal_operation = 20;
inline constexpr int invalid_bson = 22;
inline constexpr int namespace_not_found = 26;
inline constexpr int cursor_not_found = 43;
inline constexpr int no_matching_document = 47;
inline constexpr int namespace_exists = 48;
inline constexpr int max_time_ms_expired = 50;
inline constexpr int command_not_found = 59;
inline constexpr int write_concern_failed = 64;
inline constexpr int immutable_field = 66;
inline constexpr int invalid_options = 72;
inline constexpr int invalid_namespace = 73;
inline constexpr int operation_failed = 96;
inline constexpr int write_conflict = 112;
inline constexpr int capped_position_lost = 136;
inline constexpr int cursor_in_use = 143;
inline constexpr int command_not_supported_on_view = 166;
inline constexpr int cursor_killed = 237;
inline constexpr int not_implemented = 238;
inline constexpr int invalid_resume_token = 260;
inline constexpr int operation_not_supported_in_transaction = 263;
inline constexpr int change_stream_fatal_error = 280;
inline constexpr int change_stream_history_lost = 286;
inline constexpr int api_strict_error = 323;
inline constexpr int mechanism_unavailable = 334;
inline constexpr int not_writable_primary = 10107;
inline constexpr int interrupted = 11601;
inline constexpr int duplicate_key = 11000;
inline constexpr int not_primary_no_secondary_ok = 13435;
inline constexpr int not_primary_or_secondary = 13436;
inline constexpr int out_of_disk_space = 14031;
inline constexpr int object_too_large = 10334;
inline constexpr int unknown_field = 40415;
inline constexpr int missing_field = 40414;
inline constexpr int unsupported_legacy_opcode = 5739101;
}  // namespace code

struct ErrorFacts;

// "CursorNotFound", or "Location40571" for a code without a name on that server.
std::string error_code_name(int code, const ErrorFacts& facts);
// The code of a name; 0 when there is none.
int error_code_of(std::string_view name);
// An error of this code cannot be made without extra info (StaleConfig, DuplicateKey, …).
bool requires_extra_info(int code, const ErrorFacts& facts);

// NotPrimary category: the reply carries topologyVersion.
bool is_not_primary_error(int code);
// The categories that make a change stream's aggregate or getMore resumable (facts §5.2).
bool is_resumable_change_stream_error(int code, const ErrorFacts& facts);
bool is_retriable_error(int code, const ErrorFacts& facts);
// The server closes the socket instead of replying.
bool closes_connection(int code);

}  // namespace emulator
