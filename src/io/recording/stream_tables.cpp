#include "io/recording/stream_tables.h"

#include <fmt/format.h>

#include "io/recording/recording_format.h"

namespace sunder {

void makeStreamTables(SqlDatabase& database, std::span<const RecordStream> streams) {
    for (const RecordStream& stream : streams)
        database.execute(
            fmt::format("CREATE TABLE IF NOT EXISTS {}({} INTEGER PRIMARY KEY, {} INTEGER NOT NULL, "
                        "data BLOB NOT NULL)",
                        stream.name, stream.key(), stream.items));
}

void writeEntry(SqlDatabase& database, const RecordStream& stream, int64_t key, const StreamEntry& entry) {
    const std::vector<std::byte> packed = compressed(entry.bytes);
    database.prepare(fmt::format("INSERT INTO {} VALUES (?, ?, ?)", stream.name))
        .bind(0, key)
        .bind(1, static_cast<int64_t>(entry.items))
        .bind(2, std::span<const std::byte>(packed))
        .run();
}

void dropEntriesAfter(SqlDatabase& database, const RecordStream& stream, uint64_t frame) {
    database.execute(fmt::format(
        "DELETE FROM {} WHERE {}", stream.name,
        stream.ofFrames() ? fmt::format("frame > {}", frame) : std::string("event NOT IN (SELECT id FROM event)")));
}

std::optional<std::vector<std::byte>> readEntry(const SqlDatabase& database, const RecordStream& stream, int64_t key) {
    if (!hasTable(database, stream.name)) return {};
    SqlStatement row = database.prepare(fmt::format("SELECT data FROM {} WHERE {} = ?", stream.name, stream.key()));
    if (!row.bind(0, key).step()) return {};
    std::vector<std::byte> bytes = decompressed(row.bytes(0));
    stream.check(bytes);
    return bytes;
}

size_t countItems(const SqlDatabase& database, const RecordStream& stream) {
    if (!hasTable(database, stream.name)) return 0;
    return static_cast<size_t>(
        database.integer(fmt::format("SELECT ifnull(sum({}), 0) FROM {}", stream.items, stream.name)));
}

void forEachEntry(const SqlDatabase& database, const RecordStream& stream,
                  const std::function<void(const std::string& key, std::span<const std::byte> packed)>& use) {
    if (!hasTable(database, stream.name)) return;
    SqlStatement row =
        database.prepare(fmt::format("SELECT {0}, data FROM {1} ORDER BY {0}", stream.key(), stream.name));
    while (row.step()) use(row.text(0), row.bytes(1));
}

bool hasTable(const SqlDatabase& database, const std::string& name) {
    SqlStatement row = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
    return row.bind(0, std::string_view(name)).step();
}

}  // namespace sunder
