#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace sunder {

/// What SQLite may still do before it has to have an answer, in thousands of steps of its machine.
using SqlPatience = std::atomic<int64_t>;

/// One prepared statement. Columns and parameters count from 0. A row that takes more steps than any file of ours makes
/// necessary is an InputError.
class SqlStatement {
public:
    /// For SqlDatabase::prepare(). `path` is for messages. The database outlives the statement.
    SqlStatement(sqlite3* database, SqlPatience& patience, const std::string& path, std::string_view sql);

    /// Gives a parameter its value, which stays until it is given another. Text and bytes are copied.
    SqlStatement& bind(int at, int64_t value);
    SqlStatement& bind(int at, double value);
    SqlStatement& bind(int at, std::string_view text);
    SqlStatement& bind(int at, std::span<const std::byte> bytes);
    /// The same with SQL's NULL.
    SqlStatement& bindNull(int at);

    /// The next row; false when there is none.
    bool step();
    /// For statements without rows: runs it and makes it ready for the next use.
    void run();
    /// Goes back to before the first row; parameters keep their values.
    void reset();

    /// Columns of the row that step() came to. NULL is 0 or empty.
    int64_t integer(int column) const;
    /// The same as a floating-point number.
    double real(int column) const;
    /// The same as UTF-8.
    std::string text(int column) const;
    /// Good until the next step or reset.
    std::span<const std::byte> bytes(int column) const;
    bool isNull(int column) const;  // told from 0 and from empty

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    [[noreturn]] void fail(int code) const;

    sqlite3* database_;
    SqlPatience* patience_;
    std::string path_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// An SQLite file. What goes wrong with it is an InputError that names the file and says what to do. The file is data:
/// views and triggers in it are not obeyed, and what is no regular file is not opened.
class SqlDatabase {
public:
    /// ReadWrite and ReadOnly want a file that is there; Create makes one where there is none.
    enum class Mode { Create, ReadWrite, ReadOnly };
    /// Opens the file. Whether it is a database shows with the first question.
    SqlDatabase(const std::filesystem::path& path, Mode mode);

    /// Statements without rows, one or several. Waits up to ten seconds for others who use the file.
    void execute(const std::string& sql);
    /// False when it cannot be done now; does not wait for others.
    bool tryExecute(const std::string& sql);
    /// One statement, ready to be given its parameters. It ends before the database does.
    SqlStatement prepare(std::string_view sql) const { return {database_.get(), *patience_, path_, sql}; }
    int64_t integer(const std::string& sql) const;     // the first column of the first row; 0 when there is none
    const std::string& path() const { return path_; }  // as it was opened

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::string path_;
    std::unique_ptr<SqlPatience> patience_;
    std::unique_ptr<sqlite3, Close> database_;
};

/// Either all that happens in its life is in the file, or nothing: commit() at the end.
class SqlTransaction {
public:
    /// Waits up to ten seconds for another writer.
    explicit SqlTransaction(SqlDatabase& database);
    ~SqlTransaction();
    SqlTransaction(const SqlTransaction&) = delete;
    SqlTransaction& operator=(const SqlTransaction&) = delete;
    /// Without it the destructor takes everything back.
    void commit();

private:
    SqlDatabase& database_;
    bool open_ = true;
};

}  // namespace sunder
