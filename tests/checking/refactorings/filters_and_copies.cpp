// Kernels of filters, with windows, planes, copies and rows.
//== before Dilate
void Dilate(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            uint8_t best = 0;
            for (int i = -1; i <= 1; i++)
                for (int j = -1; j <= 1; j++) {
                    uint8_t v = src[(r + i) * rowBytes + c + j];
                    if (v > best)
                        best = v;
                }
            dst[r * rowBytes + c] = best;
        }
}
//== equal rows of maxima first
void Dilate(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    std::vector<uint8_t> across((size_t)(rows + 2) * cols);
    for (int r = 0; r < rows + 2; r++)
        for (int c = 0; c < cols; c++) {
            const uint8_t *s = src + (r - 1) * rowBytes + c;
            across[(size_t)r * cols + c] = std::max(std::max(s[-1], s[0]), s[1]);
        }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            uint8_t best = across[(size_t)r * cols + c];
            best = std::max(best, across[(size_t)(r + 1) * cols + c]);
            best = std::max(best, across[(size_t)(r + 2) * cols + c]);
            dst[r * rowBytes + c] = best;
        }
}
//== equal written out
void Dilate(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++) {
        const uint8_t *a = src + (r - 1) * rowBytes, *b = src + r * rowBytes, *d = src + (r + 1) * rowBytes;
        for (int c = 0; c < cols; c++) {
            uint8_t top = std::max(a[c - 1], std::max(a[c], a[c + 1]));
            uint8_t mid = std::max(b[c - 1], std::max(b[c], b[c + 1]));
            uint8_t low = std::max(d[c - 1], std::max(d[c], d[c + 1]));
            dst[r * rowBytes + c] = std::max(top, std::max(mid, low));
        }
    }
}
//== twin written out, a corner is missed
void Dilate(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++) {
        const uint8_t *a = src + (r - 1) * rowBytes, *b = src + r * rowBytes, *d = src + (r + 1) * rowBytes;
        for (int c = 0; c < cols; c++) {
            uint8_t top = std::max(a[c - 1], std::max(a[c], a[c + 1]));
            uint8_t mid = std::max(b[c - 1], std::max(b[c], b[c + 1]));
            uint8_t low = std::max(d[c - 1], std::max(d[c], d[c]));
            dst[r * rowBytes + c] = std::max(top, std::max(mid, low));
        }
    }
}
//== before BoxSum
void BoxSum(int *sums, const uint8_t *src, int radius, int width, int height, int sumStride, int srcStride)
{
    assert(radius >= 0 && radius <= 100 && width <= sumStride);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int acc = 0;
            for (int dy = -radius; dy <= radius; dy++)
                for (int dx = -radius; dx <= radius; dx++)
                    acc += src[(y + dy) * srcStride + (x + dx)];
            sums[y * sumStride + x] = acc;
        }
}
//== equal two nests by rows, pointers
void BoxSum(int *sums, const uint8_t *src, int radius, int width, int height, int sumStride, int srcStride)
{
    assert(radius >= 0 && radius <= 100 && width <= sumStride);
    for (int y = 0; y < height; y++) {
        int *out = sums + y * sumStride;
        for (int x = 0; x < width; x++) {
            int total = 0;
            for (int i = 0; i < 2 * radius + 1; i++) {
                const uint8_t *s = src + (y + i - radius) * srcStride + x - radius;
                for (int j = 0; j < 2 * radius + 1; j++)
                    total += s[j];
            }
            out[x] = total;
        }
    }
}
//== twin one column less
void BoxSum(int *sums, const uint8_t *src, int radius, int width, int height, int sumStride, int srcStride)
{
    assert(radius >= 0 && radius <= 100 && width <= sumStride);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int acc = 0;
            for (int dy = -radius; dy <= radius; dy++)
                for (int dx = -radius; dx < radius; dx++)
                    acc += src[(y + dy) * srcStride + (x + dx)];
            sums[y * sumStride + x] = acc;
        }
}
//== before Gray
void Gray(uint8_t *gray, const uint8_t *rgb, int width, int height, int grayStride, int rgbStride)
{
    assert(width >= 0 && height >= 0 && width <= grayStride && width <= 10000);
    for (int y = 0; y < height; y++) {
        const uint8_t *s = rgb + y * rgbStride;
        for (int x = 0; x < width; x++, s += 3)
            gray[y * grayStride + x] = (uint8_t)((77 * s[0] + 150 * s[1] + 29 * s[2] + 128) >> 8);
    }
}
//== equal weights in a table
static const int kWeights[3] = { 77, 150, 29 };
void Gray(uint8_t *gray, const uint8_t *rgb, int width, int height, int grayStride, int rgbStride)
{
    assert(width >= 0 && height >= 0 && width <= grayStride && width <= 10000);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 128;
            for (int c = 0; c < 3; c++)
                sum += kWeights[c] * rgb[y * rgbStride + 3 * x + c];
            gray[y * grayStride + x] = (uint8_t)(sum >> 8);
        }
}
//== equal a buffer of weighted channels
void Gray(uint8_t *gray, const uint8_t *rgb, int width, int height, int grayStride, int rgbStride)
{
    assert(width >= 0 && height >= 0 && width <= grayStride && width <= 10000);
    std::vector<int> part((size_t)height * width);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            part[(size_t)y * width + x] = 77 * rgb[y * rgbStride + 3 * x] + 150 * rgb[y * rgbStride + 3 * x + 1];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            gray[y * grayStride + x] = (uint8_t)((part[(size_t)y * width + x] + 29 * rgb[y * rgbStride + 3 * x + 2] + 128) >> 8);
}
//== equal unrolled by two
void Gray(uint8_t *gray, const uint8_t *rgb, int width, int height, int grayStride, int rgbStride)
{
    assert(width >= 0 && height >= 0 && width <= grayStride && width <= 10000);
    for (int y = 0; y < height; y++) {
        const uint8_t *s = rgb + y * rgbStride;
        uint8_t *d = gray + y * grayStride;
        int x = 0;
        for (; x + 1 < width; x += 2) {
            d[x] = (uint8_t)((77 * s[3 * x] + 150 * s[3 * x + 1] + 29 * s[3 * x + 2] + 128) >> 8);
            d[x + 1] = (uint8_t)((77 * s[3 * x + 3] + 150 * s[3 * x + 4] + 29 * s[3 * x + 5] + 128) >> 8);
        }
        if (x < width)
            d[x] = (uint8_t)((77 * s[3 * x] + 150 * s[3 * x + 1] + 29 * s[3 * x + 2] + 128) >> 8);
    }
}
//== twin unrolled by two, a weight of the other pixel
void Gray(uint8_t *gray, const uint8_t *rgb, int width, int height, int grayStride, int rgbStride)
{
    assert(width >= 0 && height >= 0 && width <= grayStride && width <= 10000);
    for (int y = 0; y < height; y++) {
        const uint8_t *s = rgb + y * rgbStride;
        uint8_t *d = gray + y * grayStride;
        int x = 0;
        for (; x + 1 < width; x += 2) {
            d[x] = (uint8_t)((77 * s[3 * x] + 150 * s[3 * x + 1] + 29 * s[3 * x + 2] + 128) >> 8);
            d[x + 1] = (uint8_t)((77 * s[3 * x + 3] + 150 * s[3 * x + 4] + 29 * s[3 * x + 2] + 128) >> 8);
        }
        if (x < width)
            d[x] = (uint8_t)((77 * s[3 * x] + 150 * s[3 * x + 1] + 29 * s[3 * x + 2] + 128) >> 8);
    }
}
//== before Weave
void Weave(uint8_t *rgb, const uint8_t *r, const uint8_t *g, const uint8_t *b, int n)
{
    assert(n >= 0 && n <= 1000000);
    for (int i = 0; i < n; i++) {
        rgb[3 * i] = r[i];
        rgb[3 * i + 1] = g[i];
        rgb[3 * i + 2] = b[i];
    }
}
//== equal a loop for each plane
void Weave(uint8_t *rgb, const uint8_t *r, const uint8_t *g, const uint8_t *b, int n)
{
    assert(n >= 0 && n <= 1000000);
    for (int i = 0; i < n; i++) rgb[3 * i] = r[i];
    for (int i = 0; i < n; i++) rgb[3 * i + 1] = g[i];
    for (uint8_t *p = rgb + 2; n > 0; n--, p += 3) *p = *b++;
}
//== twin two planes exchanged
void Weave(uint8_t *rgb, const uint8_t *r, const uint8_t *g, const uint8_t *b, int n)
{
    assert(n >= 0 && n <= 1000000);
    for (int i = 0; i < n; i++) rgb[3 * i] = b[i];
    for (int i = 0; i < n; i++) rgb[3 * i + 1] = g[i];
    for (int i = 0; i < n; i++) rgb[3 * i + 2] = r[i];
}
//== before Copy
void Copy(uint8_t *dst, int dstStride, const uint8_t *src, int srcStride, int rows, int cols)
{
    assert(cols >= 0 && cols <= dstStride);
    for (int r = 0; r < rows; r++) {
        memcpy(dst, src, cols);
        dst += dstStride;
        src += srcStride;
    }
}
//== equal a loop for memcpy
void Copy(uint8_t *dst, int dstStride, const uint8_t *src, int srcStride, int rows, int cols)
{
    assert(cols >= 0 && cols <= dstStride);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * dstStride + c] = src[r * srcStride + c];
}
//== twin the stride of the other
void Copy(uint8_t *dst, int dstStride, const uint8_t *src, int srcStride, int rows, int cols)
{
    assert(cols >= 0 && cols <= dstStride);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * dstStride + c] = src[r * dstStride + c];
}
//== before Encode
void Encode(float *out, const float *in, float exposure, float lift, int n)
{
    for (int i = 0; i < n; i++) {
        float v = in[i] * exposure + lift;
        out[i] = v > 0.0f ? sqrtf(v) : 0.0f;
    }
}
//== equal two passes
void Encode(float *out, const float *in, float exposure, float lift, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] * exposure + lift;
    for (int i = 0; i < n; i++)
        out[i] = out[i] > 0.0f ? sqrtf(out[i]) : 0.0f;
}
//== equal a buffer and ifs
void Encode(float *out, const float *in, float exposure, float lift, int n)
{
    std::vector<float> v(n > 0 ? n : 0);
    for (int i = 0; i < n; i++)
        v[i] = exposure * in[i] + lift;
    for (int i = 0; i < n; i++) {
        if (v[i] > 0.0f)
            out[i] = sqrtf(v[i]);
        else
            out[i] = 0.0f;
    }
}
//== twin the lift is exposed, too
void Encode(float *out, const float *in, float exposure, float lift, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (in[i] + lift) * exposure;
    for (int i = 0; i < n; i++)
        out[i] = out[i] > 0.0f ? sqrtf(out[i]) : 0.0f;
}
//== before Edges
void Edges(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    assert(w >= 1 && h >= 1 && w <= stride);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int l = x > 0 ? x - 1 : 0;
            int r = x < w - 1 ? x + 1 : w - 1;
            dst[y * stride + x] = (uint8_t)((src[y * stride + l] + src[y * stride + r] + 1) / 2);
        }
}
//== equal minima and maxima
void Edges(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    assert(w >= 1 && h >= 1 && w <= stride);
    for (int y = 0; y < h; y++) {
        const uint8_t *s = src + y * stride;
        for (int x = 0; x < w; x++)
            dst[y * stride + x] = (uint8_t)((s[std::max(x - 1, 0)] + s[std::min(x + 1, w - 1)] + 1) >> 1);
    }
}
//== equal a padded copy of the image
void Edges(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    assert(w >= 1 && h >= 1 && w <= stride);
    std::vector<uint8_t> wide((size_t)h * (w + 2));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w + 2; x++)
            wide[(size_t)y * (w + 2) + x] = src[y * stride + std::min(std::max(x - 1, 0), w - 1)];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint8_t *s = &wide[(size_t)y * (w + 2) + x];
            dst[y * stride + x] = (uint8_t)((s[0] + s[2] + 1) / 2);
        }
}
//== twin the border mirrors
void Edges(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    assert(w >= 1 && h >= 1 && w <= stride);
    for (int y = 0; y < h; y++) {
        const uint8_t *s = src + y * stride;
        for (int x = 0; x < w; x++)
            dst[y * stride + x] = (uint8_t)((s[std::max(x - 1, 0)] + s[std::min(x + 1, w)] + 1) >> 1);
    }
}
