#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/files/sqlite.h"
#include "io/recording/record_stream.h"

namespace sunder {

/// Streams in the file of a recording: one table for each.

/// Makes those that are not there yet.
void makeStreamTables(SqlDatabase& database, std::span<const RecordStream> streams);
void writeEntry(SqlDatabase& database, const RecordStream& stream, int64_t key, const StreamEntry& entry);
/// Drops entries of frames after one, and of events that are gone.
void dropEntriesAfter(SqlDatabase& database, const RecordStream& stream, uint64_t frame);

/// Uncompressed and whole; nothing: there is no such entry. Throws std::runtime_error when it is damaged.
std::optional<std::vector<std::byte>> readEntry(const SqlDatabase& database, const RecordStream& stream, int64_t key);
/// The number of items in all entries together.
size_t countItems(const SqlDatabase& database, const RecordStream& stream);
/// By key, ascending; `packed`: as it is stored.
void forEachEntry(const SqlDatabase& database, const RecordStream& stream,
                  const std::function<void(const std::string& key, std::span<const std::byte> packed)>& use);

bool hasTable(const SqlDatabase& database, const std::string& name);

}  // namespace sunder
