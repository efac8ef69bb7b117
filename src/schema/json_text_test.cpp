#include "schema/json_text.h"

#include <gtest/gtest.h>

namespace sunder::schema {
namespace {

std::string nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonText, IsReadUpToItsDepthAndNoFurther) {
    EXPECT_TRUE(jsonIfGood(nested(kMaxDepth)));
    EXPECT_FALSE(jsonIfGood(nested(kMaxDepth + 1)));
    EXPECT_FALSE(jsonIfGood(nested(1'000'000)));
    EXPECT_FALSE(jsonIfGood(std::string(1'000'000, '{')));
    try {
        jsonOf("{\"a\": " + nested(200) + "}");
        ADD_FAILURE();
    } catch (const BadJson& error) {
        EXPECT_EQ(error.byte, 6 + kMaxDepth - 1);
        EXPECT_STREQ(error.what(), "objects and arrays are nested more than 64 deep");
    }
}

TEST(JsonText, BracketsInStringsAreNoDepth) {
    EXPECT_TRUE(jsonIfGood("\"" + std::string(1000, '[') + "\""));
    EXPECT_TRUE(jsonIfGood("\"\\\"" + std::string(1000, '{') + "\\\\\""));
    EXPECT_TRUE(jsonIfGood("[" + std::string(999, ' ') + "[], [], []]"));
}

TEST(JsonText, WhatIsWrongIsSaidWithoutWordsOfTheLibrary) {
    for (const char* text : {"", "{", "[1,]", "nan", "{\"a\" 1}", "1e999", "\xff", "[1] 2"}) {
        try {
            jsonOf(text);
            ADD_FAILURE() << text;
        } catch (const BadJson& error) {
            EXPECT_EQ(std::string(error.what()).find("json.exception"), std::string::npos) << text;
        }
    }
    EXPECT_EQ(jsonOf<nlohmann::json>("[1, {\"a\": 2}]")[1]["a"], 2);
}

TEST(JsonText, APointerThatLeadsNowhereGivesNull) {
    const Json json = jsonOf(R"({"energy": [1], "mass": {"error": 2}, "text": "x"})");
    EXPECT_EQ(valueAt(json, "/mass/error"), 2);
    for (const char* pointer : {"/energy/taken", "/energy/7", "/text/a", "/none", "/mass/error/a"})
        EXPECT_TRUE(valueAt(json, pointer).is_null()) << pointer;
    EXPECT_TRUE(valueAt(Json(), "/a").is_null());
}

}  // namespace
}  // namespace sunder::schema
