#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sunder {

/// A colour as screens show it (sRGB).
struct Rgb {
    uint8_t r = 0, g = 0, b = 0;  // 0 to 255
    friend bool operator==(Rgb, Rgb) = default;
};

/// A picture, row by row from the top.
class Image {
public:
    /// All pixels have the colour `fill`.
    Image(int width, int height, Rgb fill = {})
        : width_(width), height_(height), pixels_(size_t(width) * size_t(height), fill) {}

    int width() const { return width_; }    // pixels
    int height() const { return height_; }  // pixels
    /// The pixel in column x from the left, row y from the top. Must be in the picture: nothing checks it.
    Rgb& at(int x, int y) { return pixels_[size_t(y) * size_t(width_) + size_t(x)]; }
    Rgb at(int x, int y) const { return pixels_[size_t(y) * size_t(width_) + size_t(x)]; }
    const std::vector<Rgb>& pixels() const { return pixels_; }  // row by row from the top

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
