#include "io/recording/recording_tables.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "io/files/source.h"
#include "io/recording/stream_tables.h"

namespace sunder {

namespace {

constexpr const char* kTables = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE mesh(id INTEGER PRIMARY KEY, hash TEXT UNIQUE NOT NULL, vertices INTEGER NOT NULL,
    triangles INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE body(id INTEGER PRIMARY KEY, name TEXT NOT NULL, parent INTEGER, root INTEGER NOT NULL,
    generation INTEGER NOT NULL, mesh INTEGER, mass REAL NOT NULL, volume REAL NOT NULL, cx REAL NOT NULL,
    cy REAL NOT NULL, cz REAL NOT NULL, kind TEXT NOT NULL, material TEXT NOT NULL, method TEXT NOT NULL,
    born INTEGER NOT NULL, died INTEGER);
CREATE INDEX body_died ON body(died) WHERE died IS NOT NULL;
CREATE TABLE frame(number INTEGER PRIMARY KEY, time REAL NOT NULL, key INTEGER NOT NULL, moved INTEGER NOT NULL,
    poses BLOB NOT NULL, figures TEXT NOT NULL, state_hash TEXT NOT NULL, seconds TEXT NOT NULL);
CREATE INDEX frame_key ON frame(number) WHERE key = 1;
CREATE TABLE event(id INTEGER PRIMARY KEY, frame INTEGER NOT NULL, kind TEXT NOT NULL, body INTEGER,
    data TEXT NOT NULL);
CREATE INDEX event_frame ON event(frame);
CREATE TABLE checkpoint(frame INTEGER PRIMARY KEY, state BLOB NOT NULL);
)";

using Columns = std::vector<std::string>;

/// In the order of the table; a column that is computed has a word behind its name, so that it is none of ours.
Columns columnsOf(const SqlDatabase& database, const std::string& table) {
    Columns columns;
    SqlStatement row = database.prepare("SELECT name, hidden FROM pragma_table_xinfo(?)");
    row.bind(0, std::string_view(table));
    while (row.step()) columns.push_back(row.text(0) + (row.integer(1) != 0 ? " (computed)" : ""));
    return columns;
}

std::vector<std::string> tablesIn(const SqlDatabase& database) {
    std::vector<std::string> tables;
    SqlStatement row = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
    while (row.step()) tables.push_back(row.text(0));
    return tables;
}

/// By table. Asked of a database that is made for it, so that the columns are written down once.
std::map<std::string, Columns> expectedColumns(std::span<const RecordStream> streams) {
    SqlDatabase model(":memory:", SqlDatabase::Mode::Create);
    makeRecordingTables(model);
    makeLaterTables(model, streams);
    std::map<std::string, Columns> expected;
    for (const std::string& table : tablesIn(model)) expected[table] = columnsOf(model, table);
    return expected;
}

}  // namespace

void makeRecordingTables(SqlDatabase& database) { database.execute(kTables); }

void makeLaterTables(SqlDatabase& database, std::span<const RecordStream> streams) {
    database.execute("CREATE TABLE IF NOT EXISTS solid(body INTEGER PRIMARY KEY, mesh INTEGER NOT NULL)");
    makeStreamTables(database, streams);
}

void checkTables(const SqlDatabase& database, std::span<const RecordStream> streams) {
    // nothing that acts by itself, whatever it is called
    SqlStatement row = database.prepare("SELECT type, name, ifnull(sql, '') FROM sqlite_master");
    while (row.step()) {
        const std::string type = row.text(0), name = row.text(1);
        const bool isVirtual = equalIgnoringCase(row.text(2).substr(0, 14), "CREATE VIRTUAL");
        if ((type == "table" || type == "index") && !isVirtual) continue;
        throw InputError(database.path(), fmt::format("holds the {} {}, which no recording has; it was changed by "
                                                      "somebody else: make it again with sunder run",
                                                      isVirtual ? "virtual table" : type, inQuotes(name)));
    }
    // what is there is as we make it; what later programs added need not be there
    const std::vector<std::string> there = tablesIn(database);
    for (const auto& [table, columns] : expectedColumns(streams)) {
        const bool isThere = std::ranges::find(there, table) != there.end();
        const bool isLater = table == "solid" || std::ranges::any_of(streams, [&, name = table](const RecordStream& s) {
                                 return name == s.name;
                             });
        if (!isThere && isLater) continue;
        if (isThere && columnsOf(database, table) == columns) continue;
        throw InputError(database.path(), fmt::format("is damaged: its table {} {}; make it again with sunder run",
                                                      table, isThere ? "has other columns" : "is missing"));
    }
}

}  // namespace sunder
