// The originals of tests/emit/samples.py.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

static inline uint8_t Mul8x8Div255(uint8_t a, uint8_t b)
{
    uint32_t t = (uint32_t)a * b + 128;
    return (uint8_t)((t + (t >> 8)) >> 8);
}

void MultiplyBlend8(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            dst[c] = Mul8x8Div255(dst[c], src[c]);
        dst += rowBytes;
        src += rowBytes;
    }
}

void normal_opacity_u8(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes,
                       int opacity)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            int s = src[y * rowBytes + x];
            int d = dst[y * rowBytes + x];
            dst[y * rowBytes + x] = (d * (256 - opacity) + s * opacity) >> 8;
        }
}

void RemapPlane(uint8_t *dst, const uint8_t *src, const uint8_t *table, int rows, int cols,
                int rowBytes)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            dst[y * rowBytes + x] = table[src[y * rowBytes + x]];
}

void BoxBlurRow3(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            dst[c] = (src[c - 1] + src[c] + src[c + 1]) / 3;
        dst += rowBytes;
        src += rowBytes;
    }
}

void blur_padded(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    int *tmp = new int[rows * rowBytes];
    int *line = tmp;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            line[c] = (src[c - 1] + src[c] + src[c + 1]) / 3;
        line += rowBytes;
        src += rowBytes;
    }
    line = tmp;
    for (int r = 1; r < rows - 1; r++) {
        dst += rowBytes;
        line += rowBytes;
        for (int c = 0; c < cols; c++)
            dst[c] = (line[c - rowBytes] + line[c] + line[c + rowBytes]) / 3;
    }
    delete[] tmp;
}

void multiply_rgba(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            for (int c = 0; c < 3; c++) {
                uint8_t *d = dst + y * rowBytes + 4 * x + c;
                *d = *d * src[y * rowBytes + 4 * x + c] / 255;
            }
}

void ThresholdKeep(uint8_t *plane, int level, int rows, int cols, int rowBytes)
{
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            if (plane[c] >= level)
                plane[c] = 255;
        plane += rowBytes;
    }
}

void gamma_encode(float *out, const float *in, float exposure, int rows, int cols, int rowBytes)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            float v = in[y * rowBytes + x] * exposure;
            out[y * rowBytes + x] = v > 0.0f ? sqrtf(v) : 0.1f;
        }
}

void Histogram8(const uint8_t *src, int rows, int cols, int rowBytes, uint32_t *hist)
{
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            hist[src[c]]++;
        src += rowBytes;
    }
}

void box_sum(int *sums, const uint8_t *src, int radius, int rows, int cols, int rowBytes)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            int acc = 0;
            for (int dy = -radius; dy <= radius; dy++)
                for (int dx = -radius; dx <= radius; dx++)
                    acc += src[(y + dy) * rowBytes + x + dx];
            sums[y * rowBytes + x] = acc;
        }
}

void apply_gain(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    static const struct Gain {
        int v[256];
        Gain()
        {
            for (int i = 0; i < 256; i++)
                v[i] = i - 128;
        }
    } kGain;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            int v = src[y * rowBytes + x] + kGain.v[dst[y * rowBytes + x]];
            dst[y * rowBytes + x] = v < 0 ? 0 : v > 255 ? 255 : v;
        }
}

void blend_mode(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes, int mode)
{
    if (mode == 3) {
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < cols; x++)
                if (src[y * rowBytes + x] < dst[y * rowBytes + x])
                    dst[y * rowBytes + x] = src[y * rowBytes + x];
    } else if (mode == 5) {
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < cols; x++)
                dst[y * rowBytes + x] = abs(dst[y * rowBytes + x] - src[y * rowBytes + x]);
    }
}

void DissolveBlend8(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes,
                    int opacity)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            uint32_t h = (uint32_t)y * 73u + (uint32_t)x * 0x9E3779B1u;
            if ((int)(h & 1023) < opacity)
                dst[y * rowBytes + x] = src[y * rowBytes + x];
        }
}

// Row tables, vectors, and an array that is read after it was overwritten elsewhere.

void FlipHorizontal(uint8_t **dst, uint8_t **src, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r][c] = src[r][cols - 1 - c];
}

void brighten(std::vector<uint8_t> &dst, const std::vector<uint8_t> &src, int brightness)
{
    for (size_t i = 0; i < src.size(); i++) {
        int v = src[i] + brightness;
        dst[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}

void smear(uint8_t *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = (p[i] + p[i + 1]) / 2;
}
