#pragma once

#include <string>
#include <vector>

namespace sunder::bench {

/// Lines over a number line, written as SVG.
struct Plot {
    struct Line {
        std::string name;
        std::vector<double> x, y;
        bool dots = false;  // a mark at each point instead of a line
    };
    std::string title, xLabel, yLabel;
    std::vector<Line> lines;
    bool logarithmic = false;  // the y axis
};

/// Throws std::runtime_error when the file cannot be written.
void writeSvg(const Plot& plot, const std::string& path);

}  // namespace sunder::bench
