// What the filters promise, on small images; the status is the number of broken promises.

#include "filters.h"

#include <cstdio>
#include <vector>

static int broken = 0;

static void expect(bool holds, const char *promise)
{
    if (!holds) {
        std::printf("broken: %s\n", promise);
        broken++;
    }
}

int main()
{
    const int width = 67, height = 19, stride = 80;
    std::vector<uint8_t> image(stride * height), before;
    for (size_t i = 0; i < image.size(); i++)
        image[i] = (uint8_t)(i * 37 + i / 11);
    before = image;

    darkroom::invert(image.data(), width, height, stride);
    expect(image[0] == 255 - before[0], "invert: a byte becomes 255 minus itself");
    expect(image[width] == before[width], "invert: what is between rows stays");
    darkroom::invert(image.data(), width, height, stride);
    expect(image == before, "invert: twice is nothing");

    darkroom::brighten(image.data(), width, height, stride, 300);
    expect(image[5] == 255, "brighten: clamped above");
    darkroom::brighten(image.data(), width, height, stride, -300);
    expect(image[5] == 0, "brighten: clamped below");

    std::vector<uint8_t> flat(stride * height, 90), to(stride * height, 1);
    darkroom::blur(to.data(), flat.data(), width, height, stride);
    expect(to[stride + 1] == 90, "blur: one value stays that value");
    expect(to[0] == 1 && to[stride + width - 1] == 1, "blur: the frame stays");
    image = before;
    darkroom::blur(image.data(), image.data(), width, height, stride);  // overlapping: the original
    expect(image[0] == before[0], "blur: in place, too, it keeps the frame");

    const uint8_t rgb[6] = {255, 255, 255, 0, 255, 0};
    uint8_t gray[2] = {};
    darkroom::to_gray(gray, rgb, 2, 1, 2, 6);
    expect(gray[0] == 255 && gray[1] == 149, "to_gray: white is white, green is 149");
    return broken;
}
