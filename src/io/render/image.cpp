#include "io/render/image.h"

#include <algorithm>
#include <png.h>
#include <string>

#include "base/assert.h"
#include "base/error.h"
#include "io/files/file_access.h"

namespace sunder {

namespace {

constexpr uint32_t kMostPixels = 32768;  // in a row or column

png_image pngHeader(int width, int height) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(width);
    header.height = static_cast<png_uint_32>(height);
    header.format = PNG_FORMAT_RGB;
    return header;
}

}  // namespace

void writePng(const Image& image, const std::filesystem::path& path) {
    // into memory first, so that the file appears whole or not at all
    png_image header = pngHeader(image.width(), image.height());
    png_alloc_size_t size = 0;
    const auto write = [&](void* memory) {
        if (png_image_write_to_memory(&header, memory, &size, 0, image.pixels().data(), 0, nullptr) == 0)
            throw InputError(path.string(), std::string("cannot write the picture: ") + header.message);
    };
    write(nullptr);
    std::string bytes(size, '\0');
    write(bytes.data());
    writeFileAtomically(path, std::string_view(bytes).substr(0, size));
}

Image readPng(const std::filesystem::path& path) {
    const std::string bytes = readWholeFile(path);
    const auto bad = [&](const char* why) {
        return InputError(path.string(), std::string("not a readable PNG: ") + why);
    };
    // a header may claim any size
    png_image header = pngHeader(0, 0);
    if (png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()) == 0) throw bad(header.message);
    if (header.width > kMostPixels || header.height > kMostPixels) {
        png_image_free(&header);
        throw bad("it is too large");
    }
    header.format = PNG_FORMAT_RGB;
    Image image(static_cast<int>(header.width), static_cast<int>(header.height));
    if (png_image_finish_read(&header, nullptr, &image.at(0, 0), 0, nullptr) == 0) throw bad(header.message);
    return image;
}

Image contactSheet(const std::vector<Image>& images, int columns, int gap, Rgb background) {
    ASSERT(!images.empty() && columns > 0);
    const int width = images[0].width(), height = images[0].height();
    columns = std::min(columns, static_cast<int>(images.size()));
    const int rows = (static_cast<int>(images.size()) + columns - 1) / columns;
    Image sheet(columns * width + (columns + 1) * gap, rows * height + (rows + 1) * gap, background);
    for (int n = 0; n < static_cast<int>(images.size()); ++n) {
        const Image& image = images[static_cast<size_t>(n)];
        ASSERT(image.width() == width && image.height() == height);
        const int left = gap + (n % columns) * (width + gap), top = gap + (n / columns) * (height + gap);
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) sheet.at(left + x, top + y) = image.at(x, y);
        }
    }
    return sheet;
}

}  // namespace sunder
