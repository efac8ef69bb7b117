#include "bench/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace sunder::bench {
namespace {

constexpr double kWidth = 900, kHeight = 480, kLeft = 80, kRight = 170, kTop = 40, kBottom = 50;  // px

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

/// Steps of 1, 2 or 5 times a power of ten, about five of them.
double tickStep(double range) {
    const double raw = range / 5, power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw) return factor * power;
    }
    return 10 * power;
}

struct Axis {
    double low = 0, high = 1;  // in the axis' own scale
    double fromPixel = 0, toPixel = 1;
    bool logarithmic = false;

    double scaled(double value) const { return logarithmic ? std::log10(std::max(value, 1e-12)) : value; }
    double pixel(double value) const {
        return fromPixel + (scaled(value) - low) / (high - low) * (toPixel - fromPixel);
    }
    std::vector<double> ticks() const {
        std::vector<double> ticks;
        if (logarithmic) {
            for (double power = std::ceil(low); power <= high + 1e-9; ++power) ticks.push_back(std::pow(10.0, power));
        } else {
            const double step = tickStep(high - low);
            for (double tick = std::ceil(low / step) * step; tick <= high + 1e-9 * step; tick += step) {
                ticks.push_back(tick);
            }
        }
        return ticks;
    }
};

Axis axisOver(const std::vector<Plot::Line>& lines, std::vector<double> Plot::Line::*values, bool logarithmic) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Plot::Line& line : lines) {
        for (const double value : line.*values) {
            if (logarithmic && !(value > 0)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    Axis axis;
    axis.logarithmic = logarithmic;
    if (!(low <= high)) return axis;
    axis.low = logarithmic ? std::floor(std::log10(low)) : std::min(0.0, low);
    axis.high = logarithmic ? std::ceil(std::log10(high)) : high;
    if (!(axis.high > axis.low)) axis.high = axis.low + 1;
    return axis;
}

std::string text(double x, double y, const std::string& anchor, const std::string& content,
                 const std::string& more = "") {
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" +
           content + "</text>\n";
}

std::string rule(double x1, double y1, double x2, double y2, const std::string& colour) {
    return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) +
           "\" stroke=\"" + colour + "\"/>\n";
}

std::string dot(double x, double y, const std::string& colour) {
    return "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"2.5\" fill=\"" + colour + "\"/>\n";
}

}  // namespace

void writeSvg(const Plot& plot, const std::string& path) {
    static constexpr std::array kColours = {"#1f6fb4", "#d1495b", "#2e8b57", "#8a5fbf", "#c98a1b", "#444444"};

    Axis x = axisOver(plot.lines, &Plot::Line::x, false), y = axisOver(plot.lines, &Plot::Line::y, plot.logarithmic);
    x.fromPixel = kLeft, x.toPixel = kWidth - kRight;
    y.fromPixel = kHeight - kBottom, y.toPixel = kTop;

    std::string svg =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"480\" font-family=\"sans-serif\" "
        "font-size=\"13\">\n<rect width=\"900\" height=\"480\" fill=\"white\"/>\n";
    svg += text(kLeft, 24, "start", plot.title, " font-size=\"16\"");
    for (const double tick : x.ticks()) {
        svg += rule(x.pixel(tick), y.fromPixel, x.pixel(tick), y.toPixel, "#e4e4e4");
        svg += text(x.pixel(tick), y.fromPixel + 18, "middle", number(tick));
    }
    for (const double tick : y.ticks()) {
        svg += rule(x.fromPixel, y.pixel(tick), x.toPixel, y.pixel(tick), "#e4e4e4");
        svg += text(x.fromPixel - 6, y.pixel(tick) + 4, "end", number(tick));
    }
    svg += rule(x.fromPixel, y.fromPixel, x.toPixel, y.fromPixel, "black");
    svg += rule(x.fromPixel, y.fromPixel, x.fromPixel, y.toPixel, "black");
    svg += text(0.5 * (x.fromPixel + x.toPixel), kHeight - 12, "middle", plot.xLabel);
    svg += text(18, 0.5 * (y.fromPixel + y.toPixel), "middle", plot.yLabel,
                " transform=\"rotate(-90 18 " + number(0.5 * (y.fromPixel + y.toPixel)) + ")\"");

    for (size_t i = 0; i < plot.lines.size(); ++i) {
        const Plot::Line& line = plot.lines[i];
        const std::string colour = kColours[i % kColours.size()];
        const double row = kTop + 10 + 20 * static_cast<double>(i);
        if (line.dots) {
            for (size_t k = 0; k < line.x.size(); ++k) svg += dot(x.pixel(line.x[k]), y.pixel(line.y[k]), colour);
            svg += dot(x.toPixel + 22, row, colour);
        } else {
            svg += "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"" + colour + "\" points=\"";
            for (size_t k = 0; k < line.x.size(); ++k)
                svg += number(x.pixel(line.x[k])) + "," + number(y.pixel(line.y[k])) + " ";
            svg += "\"/>\n";
            svg += rule(x.toPixel + 12, row, x.toPixel + 32, row, colour);
        }
        svg += text(x.toPixel + 38, row + 4, "start", line.name);
    }
    svg += "</svg>\n";

    std::ofstream file(path);
    file << svg;
    if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace sunder::bench
