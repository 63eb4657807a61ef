// Loop nests that are cut in two, joined, unrolled or put in another order. See ../test_refactorings.py for what the marks mean.
//== before Average
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) / 2);
}
//== equal two nests by rows
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    int half = rows / 2;
    for (int r = 0; r < half; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) / 2);
    for (int r = half; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) / 2);
}
//== equal two nests by columns, a body and a tail
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    int whole = cols & ~7;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < whole; c++)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) >> 1);
    for (int r = 0; r < rows; r++)
        for (int c = whole; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) >> 1);
}
//== equal interchanged loops
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int c = 0; c < cols; c++)
        for (int r = 0; r < rows; r++)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) / 2);
}
//== equal unrolled by four with a tail in each row
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++) {
        uint8_t *d = dst + r * rowBytes;
        const uint8_t *s = src + r * rowBytes;
        int c = 0;
        for (; c + 3 < cols; c += 4) {
            d[c] = (uint8_t)((s[c] + d[c] + 1) / 2);
            d[c + 1] = (uint8_t)((s[c + 1] + d[c + 1] + 1) / 2);
            d[c + 2] = (uint8_t)((s[c + 2] + d[c + 2] + 1) / 2);
            d[c + 3] = (uint8_t)((s[c + 3] + d[c + 3] + 1) / 2);
        }
        for (; c < cols; c++)
            d[c] = (uint8_t)((s[c] + d[c] + 1) / 2);
    }
}
//== equal a temporary row of sums
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    std::vector<int> sum((size_t)rows * cols);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            sum[(size_t)r * cols + c] = src[r * rowBytes + c] + dst[r * rowBytes + c] + 1;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)(sum[(size_t)r * cols + c] / 2);
}
//== open one row at a time through a row buffer
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++) {
        uint16_t *row = new uint16_t[cols];
        for (int c = 0; c < cols; c++)
            row[c] = (uint16_t)(src[r * rowBytes + c] + dst[r * rowBytes + c] + 1);
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)(row[c] >> 1);
        delete[] row;
    }
}
//== equal the tail in another order
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = rows - 1; r >= 0; --r)
        for (int c = cols - 1; c >= 0; --c)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) / 2);
}
//== open one row buffer for all rows
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    std::vector<int> row(cols);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            row[c] = src[r * rowBytes + c] + dst[r * rowBytes + c] + 1;
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)(row[c] / 2);
    }
}
//== equal a small row on the stack
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            int v[2];
            v[0] = src[r * rowBytes + c];
            v[1] = dst[r * rowBytes + c];
            dst[r * rowBytes + c] = (uint8_t)((v[0] + v[1] + 1) / 2);
        }
    }
}
//== twin two nests by rows, one row is in neither
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    int half = rows / 2;
    for (int r = 0; r < half; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) / 2);
    for (int r = half + 1; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) / 2);
}
//== twin two nests by rows, one row is in both
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    int half = rows / 2;
    for (int r = 0; r <= half && r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) / 2);
    for (int r = half; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)((src[r * rowBytes + c] + dst[r * rowBytes + c] + 1) / 2);
}
//== twin unrolled by four, the tail is missed
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    for (int r = 0; r < rows; r++) {
        uint8_t *d = dst + r * rowBytes;
        const uint8_t *s = src + r * rowBytes;
        for (int c = 0; c + 3 < cols; c += 4) {
            d[c] = (uint8_t)((s[c] + d[c] + 1) / 2);
            d[c + 1] = (uint8_t)((s[c + 1] + d[c + 1] + 1) / 2);
            d[c + 2] = (uint8_t)((s[c + 2] + d[c + 2] + 1) / 2);
            d[c + 3] = (uint8_t)((s[c + 3] + d[c + 3] + 1) / 2);
        }
    }
}
//== twin the sums are bytes and lose their carry
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    std::vector<uint8_t> sum((size_t)rows * cols);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            sum[(size_t)r * cols + c] = (uint8_t)(src[r * rowBytes + c] + dst[r * rowBytes + c] + 1);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)(sum[(size_t)r * cols + c] / 2);
}
//== twin the rounding moved
void Average(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    assert(rows >= 0 && cols >= 0 && cols <= rowBytes);
    std::vector<int> half((size_t)rows * cols);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            half[(size_t)r * cols + c] = (src[r * rowBytes + c] + 1) / 2;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r * rowBytes + c] = (uint8_t)(half[(size_t)r * cols + c] + dst[r * rowBytes + c] / 2);
}
//== before Swizzle
void Swizzle(uint8_t *out, const uint8_t *in, int n, int gain)
{
    assert(gain >= 0 && gain <= 256);
    for (int i = 0; i < n; i++) {
        out[4 * i] = in[4 * i + 2];
        out[4 * i + 1] = in[4 * i + 1];
        out[4 * i + 2] = in[4 * i];
        out[4 * i + 3] = (uint8_t)((in[4 * i + 3] * gain) >> 8);
    }
}
//== equal one loop for each channel
void Swizzle(uint8_t *out, const uint8_t *in, int n, int gain)
{
    assert(gain >= 0 && gain <= 256);
    for (int i = 0; i < n; i++) out[4 * i] = in[4 * i + 2];
    for (int i = 0; i < n; i++) out[4 * i + 1] = in[4 * i + 1];
    for (int i = 0; i < n; i++) out[4 * i + 2] = in[4 * i];
    for (int i = 0; i < n; i++) out[4 * i + 3] = (uint8_t)((in[4 * i + 3] * gain) >> 8);
}
//== equal colours and then alpha
void Swizzle(uint8_t *out, const uint8_t *in, int n, int gain)
{
    assert(gain >= 0 && gain <= 256);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            out[4 * i + c] = in[4 * i + 2 - c];
    uint8_t *a = out + 3;
    const uint8_t *b = in + 3;
    for (int i = 0; i < n; i++, a += 4, b += 4)
        *a = (uint8_t)((*b * gain) / 256);
}
//== equal alpha first
void Swizzle(uint8_t *out, const uint8_t *in, int n, int gain)
{
    assert(gain >= 0 && gain <= 256);
    for (int i = 0; i < n; i++) out[4 * i + 3] = (uint8_t)((in[4 * i + 3] * gain) >> 8);
    for (int i = 0; i < n; i++) {
        out[4 * i] = in[4 * i + 2];
        out[4 * i + 1] = in[4 * i + 1];
        out[4 * i + 2] = in[4 * i];
    }
}
//== twin the wrong channel in one loop
void Swizzle(uint8_t *out, const uint8_t *in, int n, int gain)
{
    assert(gain >= 0 && gain <= 256);
    for (int i = 0; i < n; i++) out[4 * i] = in[4 * i];
    for (int i = 0; i < n; i++) out[4 * i + 1] = in[4 * i + 1];
    for (int i = 0; i < n; i++) out[4 * i + 2] = in[4 * i];
    for (int i = 0; i < n; i++) out[4 * i + 3] = (uint8_t)((in[4 * i + 3] * gain) >> 8);
}
//== twin three of four channels
void Swizzle(uint8_t *out, const uint8_t *in, int n, int gain)
{
    assert(gain >= 0 && gain <= 256);
    for (int i = 0; i < n; i++) out[4 * i] = in[4 * i + 2];
    for (int i = 0; i < n; i++) out[4 * i + 1] = in[4 * i + 1];
    for (int i = 0; i < n; i++) out[4 * i + 2] = in[4 * i];
}
//== before Tint
void Tint(uint8_t *px, int n, int level)
{
    assert(level >= 0 && level <= 255);
    for (int i = 0; i < n; i++) {
        px[3 * i] = (uint8_t)((px[3 * i] * level + 127) / 255);
        px[3 * i + 1] = (uint8_t)((px[3 * i + 1] * level + 127) / 255);
    }
    for (int i = 0; i < n; i++)
        px[3 * i + 2] = (uint8_t)((px[3 * i + 2] * level + 127) / 255);
}
//== equal fused, channels in a loop
void Tint(uint8_t *px, int n, int level)
{
    assert(level >= 0 && level <= 255);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            px[3 * i + c] = (uint8_t)((px[3 * i + c] * level + 127) / 255);
}
//== equal flat
void Tint(uint8_t *px, int n, int level)
{
    assert(level >= 0 && level <= 255);
    for (int i = 0; i < 3 * n; i++)
        px[i] = (uint8_t)((px[i] * level + 127) / 255);
}
//== twin fused, two channels
void Tint(uint8_t *px, int n, int level)
{
    assert(level >= 0 && level <= 255);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 2; c++)
            px[3 * i + c] = (uint8_t)((px[3 * i + c] * level + 127) / 255);
}
//== before Brighten
void Brighten(uint8_t *dst, const uint8_t *src, int n)
{
    std::vector<int> half(n > 0 ? n : 0);
    for (int i = 0; i < n; i++)
        half[i] = src[i] / 2 + 3;
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)(half[i] + dst[i] / 4);
}
//== equal two nests fused
void Brighten(uint8_t *dst, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++) {
        int half = src[i] / 2 + 3;
        dst[i] = (uint8_t)(half + dst[i] / 4);
    }
}
//== equal the other half in the buffer
void Brighten(uint8_t *dst, const uint8_t *src, int n)
{
    std::vector<int> quarter(n > 0 ? n : 0);
    for (int i = 0; i < n; i++)
        quarter[i] = dst[i] / 4;
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)(3 + src[i] / 2 + quarter[i]);
}
//== equal two passes over the output
void Brighten(uint8_t *dst, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)(dst[i] / 4);
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)(dst[i] + src[i] / 2 + 3);
}
//== equal the buffer renamed and uint8_t
void Brighten(uint8_t *dst, const uint8_t *src, int n)
{
    std::vector<uint8_t> h(n > 0 ? n : 0);
    for (int i = 0; i < n; i++)
        h[i] = (uint8_t)((src[i] >> 1) + 3);
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)(h[i] + (dst[i] >> 2));
}
//== twin two passes in the wrong order
void Brighten(uint8_t *dst, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)(dst[i] + src[i] / 2 + 3);
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)(dst[i] / 4);
}
//== twin the sum is halved
void Brighten(uint8_t *dst, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)((src[i] + 6) / 2 + (dst[i] + 1) / 4);
}
