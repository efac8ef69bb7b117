#include "io/files/sqlite.h"

#include <cerrno>

#include <sqlite3.h>

#include "base/assert.h"
#include "base/error.h"
#include "io/files/file_access.h"

namespace sunder {

namespace {

constexpr int kPatience = 10'000;  // ms: somebody else reads or writes

constexpr int kStepsAtOnce = 1000;
constexpr int64_t kMostSteps = 300'000;  // thousands, for one row: seconds; a sum over a million rows is 10 of them

/// Not 0: SQLite gives up.
int countSteps(void* patience) { return --*static_cast<SqlPatience*>(patience) <= 0 ? 1 : 0; }

/// A file that could not grow is an error of reading and writing to SQLite when it is the one beside a recording that
/// is being made, by which its readers know of each other (-shm).
bool isFullDisk(sqlite3* database, int code) {
    if ((code & 0xff) == SQLITE_FULL) return true;
    return database != nullptr && (code & 0xff) == SQLITE_IOERR &&
           (sqlite3_extended_errcode(database) == SQLITE_IOERR_SHMSIZE || sqlite3_system_errno(database) == ENOSPC);
}

/// What SQLite's code means for the user, and what can be done about it.
std::string describe(sqlite3* database, int code) {
    // the low byte is the kind of error; the bits above only refine it
    const std::string detail = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
    if (isFullDisk(database, code))
        return "the disk is full; what was recorded so far is kept: make room and go on with --resume";
    switch (code & 0xff) {
        case SQLITE_NOTADB:
            return "is no recording: it is not an SQLite file";
        case SQLITE_CORRUPT:
            return "is damaged (" + detail + "); make it again";
        case SQLITE_IOERR:
            return "cannot be read or written (" + detail + "); is its disk still there?";
        case SQLITE_READONLY:
            return "cannot be written (" + detail + ")";
        case SQLITE_CANTOPEN:
            return "cannot be opened; is the path right, and may it be read?";
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return "is being written by another program; wait for it, or choose another name";
        case SQLITE_INTERRUPT:
            return "takes longer to read than any recording of its size; it is damaged: make it again";
        case SQLITE_CONSTRAINT:
            return "holds other things than expected; does another program record into it at the same time? (" +
                   detail + ")";
        default:
            return "SQLite: " + detail;
    }
}

}  // namespace

void SqlStatement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void SqlStatement::fail(int code) const { throw InputError(path_, describe(database_, code)); }

SqlStatement::SqlStatement(sqlite3* database, SqlPatience& patience, const std::string& path, std::string_view sql)
    : database_(database), patience_(&patience), path_(path) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    statement_.reset(statement);
    if (code != SQLITE_OK) fail(code);
}

SqlStatement& SqlStatement::bind(int at, int64_t value) {
    if (const int code = sqlite3_bind_int64(statement_.get(), at + 1, value); code != SQLITE_OK) fail(code);
    return *this;
}
SqlStatement& SqlStatement::bind(int at, double value) {
    if (const int code = sqlite3_bind_double(statement_.get(), at + 1, value); code != SQLITE_OK) fail(code);
    return *this;
}
SqlStatement& SqlStatement::bind(int at, std::string_view text) {
    const char* data = text.empty() ? "" : text.data();  // null would be taken for NULL
    const int code = sqlite3_bind_text64(statement_.get(), at + 1, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    if (code != SQLITE_OK) fail(code);
    return *this;
}
SqlStatement& SqlStatement::bind(int at, std::span<const std::byte> bytes) {
    // an empty span may be null, which SQLite would take for NULL
    const void* data = bytes.empty() ? "" : static_cast<const void*>(bytes.data());
    const int code = sqlite3_bind_blob64(statement_.get(), at + 1, data, bytes.size(), SQLITE_TRANSIENT);
    if (code != SQLITE_OK) fail(code);
    return *this;
}
SqlStatement& SqlStatement::bindNull(int at) {
    if (const int code = sqlite3_bind_null(statement_.get(), at + 1); code != SQLITE_OK) fail(code);
    return *this;
}

bool SqlStatement::step() {
    *patience_ = kMostSteps;
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    fail(code);
}
void SqlStatement::run() {
    while (step()) {
    }
    reset();
}
void SqlStatement::reset() { sqlite3_reset(statement_.get()); }

int64_t SqlStatement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double SqlStatement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::string SqlStatement::text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    return data != nullptr ? std::string(data, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column)))
                           : "";
}
std::span<const std::byte> SqlStatement::bytes(int column) const {
    ASSERT(column >= 0 && column < sqlite3_column_count(statement_.get()));
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
    return {data, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}
bool SqlStatement::isNull(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

void SqlDatabase::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

SqlDatabase::SqlDatabase(const std::filesystem::path& path, Mode mode)
    : path_(path.string()), patience_(std::make_unique<SqlPatience>(kMostSteps)) {
    if (mode != Mode::Create) checkRegularFile(path);
    const int flags = mode == Mode::ReadOnly    ? SQLITE_OPEN_READONLY
                      : mode == Mode::ReadWrite ? SQLITE_OPEN_READWRITE
                                                : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(path_.c_str(), &database, flags, nullptr);
    database_.reset(database);
    if (code != SQLITE_OK) throw InputError(path_, describe(nullptr, code));
    sqlite3_busy_timeout(database, kPatience);
    // what stands in the file is data, no program
    sqlite3_progress_handler(database, kStepsAtOnce, countSteps, patience_.get());
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

void SqlDatabase::execute(const std::string& sql) {
    *patience_ = kMostSteps;
    const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) throw InputError(path_, describe(database_.get(), code));
}

bool SqlDatabase::tryExecute(const std::string& sql) {
    *patience_ = kMostSteps;
    sqlite3_busy_timeout(database_.get(), 0);
    const bool done = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    sqlite3_busy_timeout(database_.get(), kPatience);
    return done;
}

int64_t SqlDatabase::integer(const std::string& sql) const {
    SqlStatement statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

SqlTransaction::SqlTransaction(SqlDatabase& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }
SqlTransaction::~SqlTransaction() {
    if (!open_) return;
    try {
        database_.execute("ROLLBACK");
    } catch (const InputError&) {
        // SQLite has rolled it back by itself
    }
}
void SqlTransaction::commit() {
    ASSERT(open_);
    database_.execute("COMMIT");
    open_ = false;
}

}  // namespace sunder
