// Kernels that are written in other words. See ../test_refactorings.py for what the marks mean.
//== before Overlay
static inline int div255(int v) { return (v + 127) / 255; }
void Overlay(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            int b = dst[c];
            int s = src[c];
            dst[c] = (uint8_t)(b < 128 ? div255(2 * b * s) : 255 - div255(2 * (255 - b) * (255 - s)));
        }
        dst += rowBytes;
        src += rowBytes;
    }
}
//== equal renamed, indices, ifs
static inline int div255(int v) { return (v + 127) / 255; }
void Overlay(uint8_t *out, const uint8_t *layer, int height, int width, int pitch)
{
    assert(height >= 0 && width >= 0 && width <= pitch);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int at = y * pitch + x;
            if (out[at] >= 128)
                out[at] = (uint8_t)(255 - div255(2 * (255 - out[at]) * (255 - layer[at])));
            else
                out[at] = (uint8_t)div255(2 * out[at] * layer[at]);
        }
}
//== equal helpers extracted
static inline int div255(int v) { return (v + 127) / 255; }
static inline int multiply2(int a, int b) { return div255(2 * a * b); }
static inline uint8_t overlaid(int b, int s)
{
    if (b < 128)
        return (uint8_t)multiply2(b, s);
    return (uint8_t)(255 - multiply2(255 - b, 255 - s));
}
static void row(uint8_t *d, const uint8_t *s, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = overlaid(d[i], s[i]);
}
void Overlay(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++)
        row(dst + r * rowBytes, src + r * rowBytes, cols);
}
//== equal unrolled by two
static inline int div255(int v) { return (v + 127) / 255; }
static inline uint8_t mix(int b, int s)
{
    return (uint8_t)(b < 128 ? div255(2 * b * s) : 255 - div255(2 * (255 - b) * (255 - s)));
}
void Overlay(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++) {
        int c = 0;
        while (c < cols - 1) {
            dst[c] = mix(dst[c], src[c]);
            dst[c + 1] = mix(dst[c + 1], src[c + 1]);
            c += 2;
        }
        if (c < cols)
            dst[c] = mix(dst[c], src[c]);
        dst += rowBytes;
        src += rowBytes;
    }
}
//== equal size_t counters
static inline int div255(int v) { return (v + 127) / 255; }
void Overlay(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    if (rows <= 0 || cols <= 0)
        return;
    for (size_t r = 0; r < (size_t)rows; r++)
        for (size_t c = 0; c < (size_t)cols; c++) {
            uint8_t *d = dst + r * (size_t)rowBytes + c;
            int s = src[r * (size_t)rowBytes + c];
            *d = (uint8_t)(*d < 128 ? div255(2 * *d * s) : 255 - div255(2 * (255 - *d) * (255 - s)));
        }
}
//== equal both results in buffers
static inline int div255(int v) { return (v + 127) / 255; }
void Overlay(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    std::vector<uint8_t> dark((size_t)rows * cols), light((size_t)rows * cols);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            int b = dst[r * rowBytes + c], s = src[r * rowBytes + c];
            dark[(size_t)r * cols + c] = (uint8_t)div255(2 * b * s);
            light[(size_t)r * cols + c] = (uint8_t)(255 - div255(2 * (255 - b) * (255 - s)));
        }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = dst[r * rowBytes + c] < 128 ? dark[(size_t)r * cols + c] : light[(size_t)r * cols + c];
}
//== twin the limit is one lower
static inline int div255(int v) { return (v + 127) / 255; }
void Overlay(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            int at = y * rowBytes + x;
            if (dst[at] < 127)
                dst[at] = (uint8_t)div255(2 * dst[at] * src[at]);
            else
                dst[at] = (uint8_t)(255 - div255(2 * (255 - dst[at]) * (255 - src[at])));
        }
}
//== twin the new value is tested
static inline int div255(int v) { return (v + 127) / 255; }
void Overlay(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            int at = y * rowBytes + x;
            int was = dst[at];
            if (was < 128)
                dst[at] = (uint8_t)div255(2 * was * src[at]);
            if (dst[at] >= 128)
                dst[at] = (uint8_t)(255 - div255(2 * (255 - dst[at]) * (255 - src[at])));
        }
}
//== equal sixteen bits for the product
static inline uint8_t div255(uint16_t v) { return (uint8_t)((v + 127) / 255); }
void Overlay(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            int b = dst[c];
            int s = src[c];
            dst[c] = (uint8_t)(b < 128 ? div255((uint16_t)(2 * b * s)) : 255 - div255((uint16_t)((255 - b) * (255 - s)) * 2));
        }
        dst += rowBytes;
        src += rowBytes;
    }
}
//== twin sixteen bits, rounded up
static inline uint8_t div255(uint16_t v) { return (uint8_t)((v + 128) / 255); }
void Overlay(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            int b = dst[c];
            int s = src[c];
            dst[c] = (uint8_t)(b < 128 ? div255((uint16_t)(2 * b * s)) : 255 - div255((uint16_t)((255 - b) * (255 - s)) * 2));
        }
        dst += rowBytes;
        src += rowBytes;
    }
}
//== before Premultiply
void Premultiply(uint32_t *px, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t p = px[i];
        uint32_t a = p >> 24;
        uint32_t r = ((p >> 16 & 255) * a + 127) / 255;
        uint32_t g = ((p >> 8 & 255) * a + 127) / 255;
        uint32_t b = ((p & 255) * a + 127) / 255;
        px[i] = a << 24 | r << 16 | g << 8 | b;
    }
}
//== equal a helper and a pointer
static inline uint32_t scaled(uint32_t v, uint32_t a) { return (v * a + 127) / 255; }
void Premultiply(uint32_t *px, int n)
{
    for (uint32_t *end = px + n; px < end; px++) {
        uint32_t a = *px >> 24;
        *px = (a << 24) | (scaled((*px >> 16) & 0xff, a) << 16) | (scaled((*px >> 8) & 0xff, a) << 8) |
              scaled(*px & 0xff, a);
    }
}
//== equal a body by two and a tail
static inline uint32_t one(uint32_t p)
{
    uint32_t a = p >> 24;
    uint32_t r = ((p >> 16 & 255) * a + 127) / 255;
    uint32_t g = ((p >> 8 & 255) * a + 127) / 255;
    uint32_t b = ((p & 255) * a + 127) / 255;
    return a << 24 | r << 16 | g << 8 | b;
}
void Premultiply(uint32_t *px, int n)
{
    int i = 0;
    for (; i < n - 1; i += 2) {
        px[i] = one(px[i]);
        px[i + 1] = one(px[i + 1]);
    }
    if (i < n)
        px[i] = one(px[i]);
}
//== twin green from red
static inline uint32_t scaled(uint32_t v, uint32_t a) { return (v * a + 127) / 255; }
void Premultiply(uint32_t *px, int n)
{
    for (uint32_t *end = px + n; px < end; px++) {
        uint32_t a = *px >> 24;
        *px = (a << 24) | (scaled((*px >> 16) & 0xff, a) << 16) | (scaled((*px >> 16) & 0xff, a) << 8) |
              scaled(*px & 0xff, a);
    }
}
//== twin the body skips the last pair
static inline uint32_t one(uint32_t p)
{
    uint32_t a = p >> 24;
    uint32_t r = ((p >> 16 & 255) * a + 127) / 255;
    uint32_t g = ((p >> 8 & 255) * a + 127) / 255;
    uint32_t b = ((p & 255) * a + 127) / 255;
    return a << 24 | r << 16 | g << 8 | b;
}
void Premultiply(uint32_t *px, int n)
{
    int i = 0;
    for (; i < n - 2; i += 2) {
        px[i] = one(px[i]);
        px[i + 1] = one(px[i + 1]);
    }
    if (i < n)
        px[i] = one(px[i]);
}
