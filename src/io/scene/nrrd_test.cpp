#include "io/scene/nrrd.h"

#include <algorithm>
#include <zlib.h>

#include <gtest/gtest.h>

#include "io/files/byte_order.h"

namespace sunder {
namespace {

using fracture::VolumeTexture;

VolumeTexture read(const std::string& bytes) { return readNrrd(Source{"weak.nrrd", bytes, {}}); }

std::string refusalOf(const std::string& bytes) {
    try {
        read(bytes);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// Without the empty line that ends it.
std::string header(const std::string& type, const std::string& sizes, const std::string& encoding,
                   const std::string& more = "") {
    return "NRRD0004\n# made by hand\ntype: " + type + "\ndimension: 3\nsizes: " + sizes + "\nencoding: " + encoding +
           "\n" + more;
}

template <class T>
std::string bytesOf(const std::vector<T>& values, bool big = false) {
    std::string bytes;
    for (const T value : values) {
        std::string one;
        store(one, value);
        if (big) std::reverse(one.begin(), one.end());
        bytes += one;
    }
    return bytes;
}

std::string zipped(const std::string& plain) {
    std::string packed(plain.size() + 1000, '\0');
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(plain.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

const std::vector<double> kSix{1, 0.5, 0.25, 0, 2, 1.5};
const std::vector<float> kSixAsRead{1, 0.5, 0.25, 0, 2, 1.5};

TEST(Nrrd, WholeNumbersArePercentAndTheFirstAxisRunsFastest) {
    const VolumeTexture volume = read(header("uint8", "3 2 1", "ascii") + "\n100 50 25\n0 200 150\n");
    EXPECT_EQ(volume.count, (Int3{3, 2, 1}));
    EXPECT_EQ(volume.values, kSixAsRead);
    EXPECT_FALSE(volume.placement);
    EXPECT_FALSE(volume.samplesAtEnds);
    EXPECT_EQ(
        read(header("unsigned char", "3 2 1", "raw") + "\n" + bytesOf<uint8_t>({100, 50, 25, 0, 200, 150})).values,
        kSixAsRead);
    for (const bool big : {false, true}) {
        const std::string endian = std::string("endian: ") + (big ? "big" : "little") + "\n";
        EXPECT_EQ(
            read(header("ushort", "1 2 3", "raw", endian) + "\n" + bytesOf<uint16_t>({100, 50, 25, 0, 200, 150}, big))
                .values,
            kSixAsRead);
    }
}

TEST(Nrrd, BrokenNumbersAreTimesTheStrengthInAllEncodings) {
    for (const bool big : {false, true}) {
        const std::string endian = std::string("endian: ") + (big ? "big" : "little") + "\n";
        const std::string plain = bytesOf(kSix, big);
        EXPECT_EQ(read(header("double", "3 2 1", "raw", endian) + "\n" + plain).values, kSixAsRead);
        EXPECT_EQ(read(header("double", "3 2 1", "gzip", endian) + "\n" + zipped(plain)).values, kSixAsRead);
        EXPECT_EQ(read(header("float", "3 2 1", "gz", endian) + "\n" + zipped(bytesOf(kSixAsRead, big))).values,
                  kSixAsRead);
    }
    EXPECT_EQ(read(header("float", "3 2 1", "text") + "\n1 .5 2.5e-1 0 2 1.5").values, kSixAsRead);
}

TEST(Nrrd, LiesWhereItsSpaceSays) {
    const auto placed = [](const std::string& lines) {
        return read(header("uint8", "1 1 1", "ascii", lines) + "\n100").placement;
    };
    const auto directions = placed(
        "space: left-posterior-superior\nspace directions: (0.1,0,0) (0, 0.2, 0) (0,0.05,-0.3)\nspace origin: "
        "(1,2,-3)\nkinds: domain domain domain\nsomebody:=a note\n");
    ASSERT_TRUE(directions);
    EXPECT_EQ(directions->origin, Vec3(1, 2, -3));
    EXPECT_EQ(Vec3(directions->steps.col(2)), Vec3(0, 0.05, -0.3));
    const auto millimetres = placed(
        "space dimension: 3\nspace units: \"mm\" \"mm\" \"mm\"\nspace origin: (10,0,0)\n"
        "space directions: (1,0,0) (0,1,0) (0,0,1)\n");
    ASSERT_TRUE(millimetres);
    EXPECT_NEAR(millimetres->origin.x(), 0.01, 1e-15);
    EXPECT_NEAR(millimetres->steps(1, 1), 0.001, 1e-15);
    const auto spacings = placed("spacings: 0.1 0.2 0.3\n");
    ASSERT_TRUE(spacings);
    EXPECT_EQ(Vec3(spacings->steps.diagonal()), Vec3(0.1, 0.2, 0.3));
    EXPECT_FALSE(placed("spacings: nan nan nan\n"));
    EXPECT_TRUE(read(header("uint8", "1 1 1", "ascii", "centerings: node node node\n") + "\n100").samplesAtEnds);
}

TEST(Nrrd, LinesMayEndAsOnWindows) {
    std::string text = header("uint8", "1 1 2", "ascii") + "\n100 50\n", windows;
    for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_EQ(read(windows).values, (std::vector<float>{1, 0.5}));
}

TEST(Nrrd, WhatIsWrongIsSaidInASentence) {
    const auto one = [](const std::string& lines) { return header("uint8", "1 1 1", "ascii", lines) + "\n100"; };
    const std::pair<std::string, std::string> cases[] = {
        {"", "the file starts with ''; a volume is an NRRD file"},
        {"solid cube", "the file starts with 'solid cu'; a volume is an NRRD file"},
        {"NRRD0004", "the file ends within the header"},
        {"NRRD0004\ntype: uint8\n", "the file ends within the header"},
        {"NRRD0004\nhello\n\n", "line 2: 'hello' in the header"},
        {"NRRD0004\n\n", "the header has no line 'dimension'"},
        {one("type: float\n"), "'type' is given twice"},
        {one("data file: values.raw\n"), "the values are in another file"},
        {one("byte skip: -1\n"), "byte skip of '-1'; allowed is 0"},
        {header("int16", "1 1 1", "raw") + "\n  ", "line 3: type 'int16'; allowed are uint8 and uint16 (percent"},
        {header("block", "1 1 1", "raw") + "\n  ", "type 'block'; allowed are"},
        {"NRRD0004\ntype: float\ndimension: 4\nsizes: 3 8 8 8\nencoding: raw\n\n", "dimension '4'; a volume"},
        {header("uint8", "8 8", "raw") + "\n", "sizes '8 8'; three whole numbers of 1 or more"},
        {header("uint8", "8 8 0", "raw") + "\n", "sizes '8 8 0'; three whole numbers of 1 or more"},
        {header("uint8", "8 8 2.5", "raw") + "\n", "sizes '8 8 2.5'; three whole numbers"},
        {header("uint8", "513 512 512", "raw") + "\n", "are 1.345e+08 samples; allowed are 134217728"},
        {header("uint8", "1e99 1e99 1e99", "raw") + "\n", "resample it coarser"},
        {header("uint8", "512 512 512", "ascii") + "\n100", "3 bytes of text cannot hold as many"},
        {header("uint8", "512 512 512", "raw") + "\n100", "are 134217728 bytes of values, but there are 3"},
        {header("uint8", "512 512 512", "gzip") + "\n" + zipped("100"), "bytes that hold them in gzip"},
        {header("uint8", "2 2 2", "raw") + "\n123456789", "are 8 bytes of values, but there are 9"},
        {header("uint8", "2 2 2", "gzip") + "\n" + zipped("1234567"), "are 8 bytes of values, but there are 7"},
        {header("uint8", "2 2 2", "gzip") + "\n" + zipped("123456789"), "are 8 bytes of values, but there are more"},
        {header("uint8", "2 2 2", "gzip") + "\n" + zipped("12345678").substr(0, 12), "bytes of values, but there are"},
        {header("uint8", "2 2 2", "gzip") + "\n12345678", "no gzip stream, or a damaged one"},
        {header("uint8", "2 2 2", "bzip2") + "\n12345678", "encoding 'bzip2'; allowed are raw, gzip and ascii"},
        {header("float", "1 1 1", "raw") + "\n1234", "the header has no line 'endian'"},
        {header("float", "1 1 1", "raw", "endian: middle\n") + "\n1234", "endian 'middle'; allowed are little and big"},
        {header("uint8", "1 1 3", "ascii") + "\n100 100", "the file ends after 2 of 3 values"},
        {header("uint8", "1 1 1", "ascii") + "\n100 100", "more than the 1 values"},
        {header("uint8", "1 1 1", "ascii") + "\nmuch", "'much' is no value of type uint8"},
        {header("uint8", "1 1 1", "ascii") + "\n256", "'256' is no value of type uint8"},
        {header("uint8", "1 1 1", "ascii") + "\n0.5", "'0.5' is no value of type uint8"},
        {header("float", "2 3 2", "ascii") + "\n1 1 1 1 1 1 1 1 1 -2 1 1",
         "sample (1, 1, 1) is -2; allowed are 0 to 1000"},
        {header("float", "1 1 1", "ascii") + "\nnan", "sample (0, 0, 0) is nan; allowed are 0 to 1000"},
        {header("double", "1 1 1", "raw", "endian: little\n") + "\n" + bytesOf<double>({3e6}),
         "sample (0, 0, 0) is 3000000"},
        {one("space directions: (1,0,0) (0,1,0)\n"), "three vectors are expected"},
        {one("space directions: none (0,1,0) (0,0,1)\n"), "three vectors are expected"},
        {one("space directions: (1,0,0) (0,1,0) (0,0,nan)\n"), "three vectors are expected"},
        {one("space directions: (1,0,0) (0,1,0) (1,1,0)\n"), "do not span space"},
        {one("space directions:\n"), "three vectors are expected"},
        {one("spacings: 1 1\n"), "three numbers are expected"},
        {one("spacings: 1 0 1\n"), "do not span space"},
        {one("spacings: 1 1 1\nspace origin: 0 0 0\n"), "space origin '0 0 0'; a point is expected"},
        {one("spacings: 1 1 1\nunits: \"furlong\" \"m\" \"m\"\n"), "allowed are \"m\", \"cm\" or \"mm\""},
    };
    for (const auto& [bytes, words] : cases) {
        const std::string told = refusalOf(bytes);
        EXPECT_NE(told.find(words), std::string::npos) << "wanted: " << words << "\ntold: " << told;
        EXPECT_EQ(told.find("weak.nrrd"), 0u) << told;
        EXPECT_EQ(told.find('\n'), std::string::npos) << "one sentence: " << told;
    }
}

TEST(Nrrd, EveryCutOffFileIsRefused) {
    const std::string whole =
        header("double", "3 2 1", "gzip", "endian: little\nspacings: 1 1 1\n") + "\n" + zipped(bytesOf(kSix));
    for (size_t length = 0; length < whole.size(); ++length)
        EXPECT_NE(refusalOf(whole.substr(0, length)), "") << length;
    EXPECT_EQ(refusalOf(whole), "");
}

}  // namespace
}  // namespace sunder
