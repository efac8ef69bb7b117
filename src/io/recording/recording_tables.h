#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/files/sqlite.h"
#include "io/recording/record_stream.h"

namespace sunder {

/// The tables that every recording has, as docs/recording.md lists them.
void makeRecordingTables(SqlDatabase& database);
/// Those that the first recordings of this version have not.
void makeLaterTables(SqlDatabase& database, std::span<const RecordStream> streams);

/// Throws InputError unless the file has these tables with their columns, and nothing that would act by itself: views,
/// triggers, virtual tables, columns that are computed. Tables that are not known are passed over.
void checkTables(const SqlDatabase& database, std::span<const RecordStream> streams);

}  // namespace sunder
