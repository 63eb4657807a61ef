// Images in memory, and in files of the formats P5 (gray) and P6 (red, green, blue).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct Image {
    int width = 0, height = 0, channels = 0;
    std::vector<uint8_t> bytes;

    int stride() const { return width * channels; }
};

// Both throw std::runtime_error, with the file's name, for what can't be read or written.
Image read_ppm(const std::string &path);
void write_ppm(const std::string &path, const Image &image);
