// Buffers that are inlined or introduced, and borders. See ../test_refactorings.py for what the marks mean.
//== before Smooth
void Smooth(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    std::vector<int> tmp((size_t)(rows + 2) * cols);
    for (int y = 0; y < rows + 2; y++)
        for (int x = 0; x < cols; x++) {
            const uint8_t *s = src + (y - 1) * rowBytes + x;
            tmp[y * cols + x] = s[-1] + 2 * s[0] + s[1];
        }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            dst[y * rowBytes + x] =
                (uint8_t)((tmp[y * cols + x] + 2 * tmp[(y + 1) * cols + x] + tmp[(y + 2) * cols + x] + 8) >> 4);
}
//== equal the buffer is inlined
void Smooth(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            const uint8_t *a = src + (y - 1) * rowBytes + x;
            const uint8_t *b = src + y * rowBytes + x;
            const uint8_t *c = src + (y + 1) * rowBytes + x;
            int sum = (a[-1] + 2 * a[0] + a[1]) + 2 * (b[-1] + 2 * b[0] + b[1]) + (c[-1] + 2 * c[0] + c[1]);
            dst[y * rowBytes + x] = (uint8_t)((sum + 8) >> 4);
        }
}
//== equal columns first
void Smooth(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    std::vector<int> tmp((size_t)rows * (cols + 2));
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols + 2; x++) {
            const uint8_t *s = src + y * rowBytes + x - 1;
            tmp[y * (cols + 2) + x] = s[-rowBytes] + 2 * s[0] + s[rowBytes];
        }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            const int *t = &tmp[y * (cols + 2) + x];
            dst[y * rowBytes + x] = (uint8_t)((t[0] + 2 * t[1] + t[2] + 8) >> 4);
        }
}
//== equal the buffer has the stride of the image
void Smooth(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    uint16_t *tmp = new uint16_t[(rows + 2) * rowBytes];
    for (int y = 0; y < rows + 2; y++)
        for (int x = 0; x < cols; x++) {
            const uint8_t *s = src + (y - 1) * rowBytes + x;
            tmp[y * rowBytes + x] = (uint16_t)(s[-1] + 2 * s[0] + s[1]);
        }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            dst[y * rowBytes + x] =
                (uint8_t)((tmp[y * rowBytes + x] + 2 * tmp[(y + 1) * rowBytes + x] + tmp[(y + 2) * rowBytes + x] + 8) / 16);
    delete[] tmp;
}
//== equal one more buffer, for the sums
void Smooth(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    std::vector<int> tmp((size_t)(rows + 2) * cols);
    std::vector<int> sum((size_t)rows * cols);
    for (int y = 0; y < rows + 2; y++)
        for (int x = 0; x < cols; x++) {
            const uint8_t *s = src + (y - 1) * rowBytes + x;
            tmp[y * cols + x] = s[-1] + 2 * s[0] + s[1];
        }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            sum[y * cols + x] = tmp[y * cols + x] + 2 * tmp[(y + 1) * cols + x] + tmp[(y + 2) * cols + x];
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            dst[y * rowBytes + x] = (uint8_t)((sum[y * cols + x] + 8) >> 4);
}
//== twin inlined, a neighbour is wrong
void Smooth(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            const uint8_t *a = src + (y - 1) * rowBytes + x;
            const uint8_t *b = src + y * rowBytes + x;
            const uint8_t *c = src + (y + 1) * rowBytes + x;
            int sum = (a[-1] + 2 * a[0] + a[1]) + 2 * (b[-1] + 2 * b[0] + b[1]) + (c[0] + 2 * c[0] + c[1]);
            dst[y * rowBytes + x] = (uint8_t)((sum + 8) >> 4);
        }
}
//== twin columns first, rounded in both passes
void Smooth(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    std::vector<int> tmp((size_t)rows * (cols + 2));
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols + 2; x++) {
            const uint8_t *s = src + y * rowBytes + x - 1;
            tmp[y * (cols + 2) + x] = (s[-rowBytes] + 2 * s[0] + s[rowBytes] + 2) >> 2;
        }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            const int *t = &tmp[y * (cols + 2) + x];
            dst[y * rowBytes + x] = (uint8_t)((t[0] + 2 * t[1] + t[2] + 2) >> 2);
        }
}
//== before Blur3
void Blur3(uint8_t *dst, const uint8_t *src, int n)
{
    assert(n >= 2);
    for (int i = 1; i < n - 1; i++)
        dst[i] = (uint8_t)((src[i - 1] + src[i] + src[i + 1]) / 3);
    if (n > 0) {
        dst[0] = src[0];
        dst[n - 1] = src[n - 1];
    }
}
//== equal the ends first
void Blur3(uint8_t *dst, const uint8_t *src, int n)
{
    assert(n >= 2);
    if (n > 0) {
        dst[0] = src[0];
        dst[n - 1] = src[n - 1];
    }
    for (int i = 1; i < n - 1; i++)
        dst[i] = (uint8_t)((src[i - 1] + src[i] + src[i + 1]) / 3);
}
//== equal a test in the loop
void Blur3(uint8_t *dst, const uint8_t *src, int n)
{
    assert(n >= 2);
    for (int i = 0; i < n; i++) {
        if (i == 0 || i == n - 1)
            dst[i] = src[i];
        else
            dst[i] = (uint8_t)((src[i - 1] + src[i] + src[i + 1]) / 3);
    }
}
//== twin a test in the loop, for the last but one
void Blur3(uint8_t *dst, const uint8_t *src, int n)
{
    assert(n >= 2);
    for (int i = 0; i < n; i++) {
        if (i == 0 || i == n - 2 || i == n - 1)
            dst[i] = src[i];
        else
            dst[i] = (uint8_t)((src[i - 1] + src[i] + src[i + 1]) / 3);
    }
}
//== twin the last one is left out
void Blur3(uint8_t *dst, const uint8_t *src, int n)
{
    assert(n >= 2);
    for (int i = 0; i < n - 1; i++) {
        if (i == 0)
            dst[i] = src[i];
        else
            dst[i] = (uint8_t)((src[i - 1] + src[i] + src[i + 1]) / 3);
    }
}
//== before Contrast
void Contrast(uint8_t *p, int contrast, int width, int height, int stride)
{
    assert(contrast >= 0 && contrast <= 1024);
    uint8_t lut[256];
    for (int i = 0; i < 256; i++) {
        int v = (((i - 128) * contrast) >> 6) + 128;
        lut[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            p[y * stride + x] = lut[p[y * stride + x]];
}
//== equal without the table
void Contrast(uint8_t *p, int contrast, int width, int height, int stride)
{
    assert(contrast >= 0 && contrast <= 1024);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int v = (((p[y * stride + x] - 128) * contrast) >> 6) + 128;
            if (v < 0) v = 0;
            if (v > 255) v = 255;
            p[y * stride + x] = (uint8_t)v;
        }
}
//== equal the table is filled by pointer, ifs for ternaries
void Contrast(uint8_t *p, int contrast, int width, int height, int stride)
{
    assert(contrast >= 0 && contrast <= 1024);
    uint8_t table[256], *t = table;
    for (int i = -128; i < 128; i++) {
        int v = ((i * contrast) >> 6) + 128;
        if (v < 0) v = 0;
        else if (v > 255) v = 255;
        *t++ = (uint8_t)v;
    }
    for (int y = 0; y < height; y++, p += stride)
        for (int x = 0; x < width; x++)
            p[x] = table[p[x]];
}
//== twin without the table, and without the clamp at 0
void Contrast(uint8_t *p, int contrast, int width, int height, int stride)
{
    assert(contrast >= 0 && contrast <= 1024);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int v = (((p[y * stride + x] - 128) * contrast) >> 6) + 128;
            if (v > 255) v = 255;
            p[y * stride + x] = (uint8_t)v;
        }
}
//== before Down2
void Down2(uint8_t *dst, const uint8_t *src, int width, int height, int dstStride, int srcStride)
{
    assert(width >= 0 && height >= 0);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const uint8_t *s = src + 2 * y * srcStride + 2 * x;
            dst[y * dstStride + x] = (uint8_t)((s[0] + s[1] + s[srcStride] + s[srcStride + 1] + 2) >> 2);
        }
}
//== equal a row of column sums
void Down2(uint8_t *dst, const uint8_t *src, int width, int height, int dstStride, int srcStride)
{
    assert(width >= 0 && height >= 0);
    std::vector<int> sums((size_t)height * (2 * width));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < 2 * width; x++)
            sums[(size_t)y * (2 * width) + x] = src[2 * y * srcStride + x] + src[(2 * y + 1) * srcStride + x];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            dst[y * dstStride + x] =
                (uint8_t)((sums[(size_t)y * (2 * width) + 2 * x] + sums[(size_t)y * (2 * width) + 2 * x + 1] + 2) >> 2);
}
//== twin a row of column sums, each rounded
void Down2(uint8_t *dst, const uint8_t *src, int width, int height, int dstStride, int srcStride)
{
    assert(width >= 0 && height >= 0);
    std::vector<int> sums((size_t)height * (2 * width));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < 2 * width; x++)
            sums[(size_t)y * (2 * width) + x] = (src[2 * y * srcStride + x] + src[(2 * y + 1) * srcStride + x] + 1) / 2;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            dst[y * dstStride + x] =
                (uint8_t)((sums[(size_t)y * (2 * width) + 2 * x] + sums[(size_t)y * (2 * width) + 2 * x + 1]) >> 1);
}
//== before Weighted
static const int kWeights[3] = { 1, 2, 1 };
void Weighted(uint8_t *dst, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++) {
        int sum = 2;
        for (int k = 0; k < 3; k++)
            sum += kWeights[k] * src[i + k];
        dst[i] = (uint8_t)(sum >> 2);
    }
}
//== equal the table is written out
void Weighted(uint8_t *dst, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)((src[i] + 2 * src[i + 1] + src[i + 2] + 2) >> 2);
}
