#include "io/files/escaped.h"

#include <gtest/gtest.h>

namespace sunder {
namespace {

TEST(Escaped, TerminalsSeeWhatTheyWouldObey) {
    EXPECT_EQ(forTerminal("glass \xc3\xbc 1"), "glass \xc3\xbc 1");
    EXPECT_EQ(forTerminal("\x1b]0;title\x07\nnext"), "\\x1b]0;title\\x07\\x0anext");
    EXPECT_EQ(forTerminal("a\r\nb", LineFeeds::Keep), "a\\x0d\nb");
    // the same commands as one character of UTF-8, and as a byte that is none
    EXPECT_EQ(forTerminal("\xc2\x9b"
                          "2J"),
              "\\xc2\\x9b2J");
    EXPECT_EQ(forTerminal("\x9b"
                          "2J\x7f"),
              "\\x9b2J\\x7f");
    EXPECT_EQ(forTerminal("cut \xe2\x82"), "cut \\xe2\\x82");
}

TEST(Escaped, SpreadsheetsSeeNoFormula) {
    EXPECT_EQ(forCsv("wall/p3"), "wall/p3");
    EXPECT_EQ(forCsv("=cmd|' /C calc'!A0"), "\"'=cmd|' /C calc'!A0\"");
    for (const char* start : {"+", "-", "@", "\t"}) EXPECT_EQ(forCsv(start + std::string("1"))[1], '\'') << start;
    EXPECT_EQ(forCsv("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
    EXPECT_EQ(forCsv(""), "");
}

TEST(Escaped, LanguagesKeepTheirEnds) {
    EXPECT_EQ(forXml("<a b=\"c\">&'\x01"), "&#60;a b=&#34;c&#34;&#62;&#38;&#39;?");
    EXPECT_EQ(forUsd("a\"b\\\nc\x01"), "\"a\\\"b\\\\\\nc\"");
    EXPECT_EQ(forComment("wall.json\n#fopen F \"x\" write\r"), "wall.json #fopen F \"x\" write ");
}

}  // namespace
}  // namespace sunder
