#include "io/files/sqlite.h"

#include <functional>
#include <sys/stat.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "io/files/test_scratch.h"

namespace sunder {
namespace {

using Sql = test::ScratchTest;

std::string complaint(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST_F(Sql, AQueryWithoutEndEnds) {
    const SqlDatabase database(file("a"), SqlDatabase::Mode::Create);
    const Stopwatch watch;
    const std::string said = complaint([&] {
        database.integer("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c");
    });
    EXPECT_NE(said.find("takes longer to read"), std::string::npos) << said;
    EXPECT_LT(watch.wallSeconds(), 60);
}

TEST_F(Sql, AMillionRowsAreNoQueryWithoutEnd) {
    SqlDatabase database(file("a"), SqlDatabase::Mode::Create);
    database.execute(
        "CREATE TABLE t(x INTEGER PRIMARY KEY, y); INSERT INTO t WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + "
        "1 FROM c LIMIT 1000000) SELECT x, x FROM c");
    EXPECT_EQ(database.integer("SELECT sum(y) FROM t"), 500000500000);
    database.execute("DELETE FROM t WHERE x NOT IN (SELECT y FROM t WHERE y % 2 = 0)");
    EXPECT_EQ(database.integer("SELECT count(*) FROM t"), 500000);
}

TEST_F(Sql, ViewsAndTriggersInTheFileAreNotObeyed) {
    SqlDatabase database(file("a"), SqlDatabase::Mode::Create);
    database.execute("CREATE TABLE t(x); CREATE TABLE log(x); CREATE VIEW v AS SELECT 7 AS x");
    database.execute("CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1); END");
    database.execute("INSERT INTO t VALUES (1)");
    EXPECT_EQ(database.integer("SELECT count(*) FROM log"), 0);
    EXPECT_NE(complaint([&] { database.integer("SELECT x FROM v"); }), "");
}

TEST_F(Sql, WhatIsNoFileIsNotOpened) {
    mkfifo(file("pipe").c_str(), 0600);
    EXPECT_NE(complaint([&] { SqlDatabase(file("pipe"), SqlDatabase::Mode::ReadOnly); }).find("is a pipe"),
              std::string::npos);
    EXPECT_NE(complaint([&] { SqlDatabase(folder(), SqlDatabase::Mode::ReadWrite); }).find("is a folder"),
              std::string::npos);
}

}  // namespace
}  // namespace sunder
