// Plain loops that the functions of samples.cpp must equal bit for bit.
#include <cmath>
#include <cstdint>

namespace sample {

static uint8_t clip(long v) { return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v); }

void U8ToFloat_c(const uint8_t* src, float* dst, int n, float scale, float bias)
{
    for (int i = 0; i < n; ++i)
        dst[i] = (float)src[i] * scale + bias;
}

void FloatToU8_c(const float* src, uint8_t* dst, int n, float scale)
{
    for (int i = 0; i < n; ++i)
        dst[i] = clip(lrintf(src[i] * scale));
}

void S16ToFloat_c(const int16_t* src, float* dst, int n)
{
    for (int i = 0; i < n; ++i)
        dst[i] = (float)src[i] / 32768.0f;
}

void FloatToS16_c(const float* src, int16_t* dst, int n)
{
    for (int i = 0; i < n; ++i) {
        float v = src[i] * 32768.0f;
        v = v < -32768.0f ? -32768.0f : v > 32767.0f ? 32767.0f : v;
        dst[i] = (int16_t)v;
    }
}

void U8ToS16_c(const uint8_t* src, int16_t* dst, int n, int shift)
{
    for (int i = 0; i < n; ++i)
        dst[i] = (int16_t)((src[i] - 128) * (1 << shift));
}

void S16ToU8_c(const int16_t* src, uint8_t* dst, int n, int shift)
{
    for (int i = 0; i < n; ++i) {
        int v = src[i] + (1 << (shift - 1));
        v = v > 32767 ? 32767 : v;
        dst[i] = clip((v >> shift) + 128);
    }
}

void GainU16_c(const uint16_t* src, uint16_t* dst, int n, unsigned gain)
{
    for (int i = 0; i < n; ++i) {
        uint32_t v = (src[i] * gain + (1u << 13)) >> 14;
        dst[i] = (uint16_t)(v > 65535u ? 65535u : v);
    }
}

}  // namespace sample
