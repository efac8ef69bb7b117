#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/stopwatch.h"
#include "io/mesh/mesh_io.h"

/// What every benchmark shares: medians of several runs, CPU and wall time, a table for people and JSON for machines.
namespace sunder::bench {

/// Median of several runs, s. CPU time counts all threads.
struct Seconds {
    double cpu = 0;
    double wall = 0;
};

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

/// One run to warm up, then `runs` that count.
template <class Job>
Seconds measure(int runs, Job&& job) {
    std::vector<double> cpu, wall;
    for (int run = -1; run < runs; ++run) {
        const Stopwatch watch;
        job();
        if (run < 0) continue;
        cpu.push_back(watch.cpuSeconds());
        wall.push_back(watch.wallSeconds());
    }
    return {median(cpu), median(wall)};
}

/// Keeps a result alive so that the compiler cannot drop the work that made it.
template <class T>
void keep(const T& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

/// Prints one line per comparison: a table, or with --json one object per line
/// {"name","ours","peer","peer_name","ratio","unit"}. Peers that are not there print as "-" and null.
class Report {
public:
    /// Takes --json out of the arguments; the others are left for the benchmark in arguments().
    Report(int argc, char** argv) {
        for (int i = 1; i < argc; ++i) {
            if (std::string(argv[i]) == "--json") {
                json_ = true;
            } else {
                arguments_.emplace_back(argv[i]);
            }
        }
        if (!json_) std::printf("%-52s %12s %12s %8s  %-6s %s\n", "", "ours", "peer", "ratio", "unit", "peer");
    }

    void row(const std::string& name, double ours, std::optional<double> peer, const std::string& peerName,
             const std::string& unit) const {
        const std::string peerText = peer ? number(*peer) : "", ratio = peer && *peer != 0 ? number(ours / *peer) : "";
        if (json_) {
            std::printf("{\"name\":\"%s\",\"ours\":%s,\"peer\":%s,\"peer_name\":\"%s\",\"ratio\":%s,\"unit\":\"%s\"}\n",
                        name.c_str(), number(ours).c_str(), peerText.empty() ? "null" : peerText.c_str(),
                        peerName.c_str(), ratio.empty() ? "null" : ratio.c_str(), unit.c_str());
        } else {
            std::printf("%-52s %12s %12s %8s  %-6s %s\n", name.c_str(), number(ours).c_str(),
                        peerText.empty() ? "-" : peerText.c_str(), ratio.empty() ? "-" : ratio.c_str(), unit.c_str(),
                        peerName.c_str());
        }
        std::fflush(stdout);
    }

    const std::vector<std::string>& arguments() const { return arguments_; }
    /// What follows a name, as in --plot FILE.
    std::string argument(const std::string& name, const std::string& otherwise) const {
        const auto at = std::find(arguments_.begin(), arguments_.end(), name);
        return at != arguments_.end() && at + 1 != arguments_.end() ? *(at + 1) : otherwise;
    }
    bool json() const { return json_; }

private:
    static std::string number(double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", value);
        return text;
    }

    bool json_ = false;
    std::vector<std::string> arguments_;
};

/// A file of the shared test data; empty path when it is not there.
inline std::filesystem::path sharedFile(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(SUNDER_SHARED_DATA) / name;
    return std::filesystem::exists(path) ? path : std::filesystem::path();
}

/// The mesh named on the command line, or a model of the shared test data. Ends the program with a word when there is
/// neither.
inline TriMesh meshToMeasure(const Report& report, const std::string& model) {
    const std::filesystem::path path = report.arguments().empty() ? sharedFile("meshes/models/" + model)
                                                                  : std::filesystem::path(report.arguments()[0]);
    if (path.empty()) {
        std::fprintf(stderr, "no %s in the shared test data; give a mesh file as argument\n", model.c_str());
        std::exit(1);
    }
    return readMesh(path).mesh;
}

}  // namespace sunder::bench
