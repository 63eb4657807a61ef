// darkroom IN OUT FILTER...: invert, gray, blur, brighten=N, one after the other.

#include "filters.h"
#include "ppm.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

static void apply(Image &image, const std::string &filter)
{
    uint8_t *pixels = image.bytes.data();
    if (filter == "invert") {
        darkroom::invert(pixels, image.stride(), image.height, image.stride());
    } else if (filter.compare(0, 9, "brighten=") == 0) {
        darkroom::brighten(pixels, image.stride(), image.height, image.stride(),
                           std::atoi(filter.c_str() + 9));
    } else if (filter == "gray" && image.channels == 3) {
        Image gray{image.width, image.height, 1, {}};
        gray.bytes.resize((size_t)gray.stride() * gray.height);
        darkroom::to_gray(gray.bytes.data(), pixels, image.width, image.height, gray.stride(),
                          image.stride());
        image = gray;
    } else if (filter == "blur" && image.channels == 1) {
        Image blurred = image;
        darkroom::blur(blurred.bytes.data(), pixels, image.width, image.height, image.stride());
        image = blurred;
    } else {
        throw std::runtime_error(filter + ": no such filter for this image");
    }
}

int main(int count, char **arguments)
{
    if (count < 3) {
        std::fprintf(stderr, "darkroom IN OUT [invert|brighten=N|gray|blur]...\n");
        return 2;
    }
    try {
        Image image = read_ppm(arguments[1]);
        for (int i = 3; i < count; i++)
            apply(image, arguments[i]);
        write_ppm(arguments[2], image);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "darkroom: %s\n", error.what());
        return 1;
    }
    return 0;
}
