#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sunder {

struct Rgb {
    uint8_t r = 0, g = 0, b = 0;
    friend bool operator==(Rgb, Rgb) = default;
};

/// A picture, row by row from the top.
class Image {
public:
    Image(int width, int height, Rgb fill = {})
        : width_(width), height_(height), pixels_(size_t(width) * size_t(height), fill) {}

    int width() const { return width_; }
    int height() const { return height_; }
    Rgb& at(int x, int y) { return pixels_[size_t(y) * size_t(width_) + size_t(x)]; }
    Rgb at(int x, int y) const { return pixels_[size_t(y) * size_t(width_) + size_t(x)]; }
    const std::vector<Rgb>& pixels() const { return pixels_; }

private:
    int width_;
    int height_;
    std::vector<Rgb> pixels_;
};

/// Throws InputError when the file cannot be written.
void writePng(const Image& image, const std::filesystem::path& path);
/// Throws InputError when the file is not a readable PNG.
Image readPng(const std::filesystem::path& path);

/// Pictures of one size side by side, `columns` to a row, with a gap between.
Image contactSheet(const std::vector<Image>& images, int columns, int gap, Rgb background);

}  // namespace sunder
