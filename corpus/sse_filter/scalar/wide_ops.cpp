// Plain loops that the functions of wide_ops.cpp must equal bit for bit.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace insp {

void DefectMap_c(const uint8_t* img, const uint8_t* golden, const uint8_t* tolerance, uint8_t* dst,
                 size_t n)
{
    for (size_t i = 0; i < n; ++i)
        dst[i] = (uint8_t)std::max(0, abs(img[i] - golden[i]) - tolerance[i]);
}

void SmoothRow3_c(const uint8_t* src, uint8_t* dst, int n)
{
    for (int i = 0; i < n; ++i)
        dst[i] = (uint8_t)((src[i - 1] + 2 * src[i] + src[i + 1] + 2) >> 2);
}

void KeepLabels_c(int32_t* labels, int n, int32_t lo, int32_t hi)
{
    for (int i = 0; i < n; ++i)
        if (labels[i] < lo || labels[i] > hi)
            labels[i] = 0;
}

uint64_t SumU16_c(const uint16_t* src, size_t n)
{
    uint64_t s = 0;
    for (size_t i = 0; i < n; ++i)
        s += src[i];
    return s;
}

void ErodeVertical3_c(const uint8_t* src, ptrdiff_t pitch, uint8_t* dst, ptrdiff_t dstPitch, int w,
                      int h)
{
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const uint8_t* p = src + y * pitch + x;
            dst[y * dstPitch + x] = std::min(p[0], std::min(p[-pitch], p[pitch]));
        }
}

void DilateVertical3_c(const uint8_t* src, ptrdiff_t pitch, uint8_t* dst, ptrdiff_t dstPitch, int w,
                       int h)
{
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const uint8_t* p = src + y * pitch + x;
            dst[y * dstPitch + x] = std::max(p[0], std::max(p[-pitch], p[pitch]));
        }
}

}  // namespace insp
