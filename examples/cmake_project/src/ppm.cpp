#include "ppm.h"

#include <fstream>
#include <stdexcept>

Image read_ppm(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    std::string magic;
    Image image;
    int largest = 0;
    file >> magic >> image.width >> image.height >> largest;
    file.get();
    const bool known = magic == "P5" || magic == "P6";
    const bool sized = image.width > 0 && image.width <= 30000 && image.height > 0 && image.height <= 30000;
    if (!file || !known || !sized || largest != 255)
        throw std::runtime_error(path + ": no P5 or P6 image with 8 bits");
    image.channels = magic == "P5" ? 1 : 3;
    image.bytes.resize((size_t)image.stride() * image.height);
    if (!file.read((char *)image.bytes.data(), (std::streamsize)image.bytes.size()))
        throw std::runtime_error(path + ": the file ends too early");
    return image;
}

void write_ppm(const std::string &path, const Image &image)
{
    std::ofstream file(path, std::ios::binary);
    file << (image.channels == 1 ? "P5\n" : "P6\n") << image.width << " " << image.height << "\n255\n";
    file.write((const char *)image.bytes.data(), (std::streamsize)image.bytes.size());
    if (!file.flush())
        throw std::runtime_error(path + ": can't be written");
}
