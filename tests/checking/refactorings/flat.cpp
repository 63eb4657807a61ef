// Rows without padding in one loop, and with padding. See ../test_refactorings.py for what the marks mean.
//== before Lighten
void Lighten(uint8_t *dst, const uint8_t *src, int w, int h)
{
    assert(w >= 0 && h >= 0);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * w + x] = (uint8_t)(src[y * w + x] / 2 + 3);
}
//== equal one flat loop
void Lighten(uint8_t *dst, const uint8_t *src, int w, int h)
{
    assert(w >= 0 && h >= 0);
    for (int i = 0; i < w * h; i++)
        dst[i] = (uint8_t)(src[i] / 2 + 3);
}
//== equal a flat loop backwards by pointer
void Lighten(uint8_t *dst, const uint8_t *src, int w, int h)
{
    assert(w >= 0 && h >= 0);
    for (int n = w * h; n > 0; n--)
        *dst++ = (uint8_t)((*src++ >> 1) + 3);
}
//== twin one flat loop that is a pixel short
void Lighten(uint8_t *dst, const uint8_t *src, int w, int h)
{
    assert(w >= 0 && h >= 0);
    for (int i = 0; i < w * h - 1; i++)
        dst[i] = (uint8_t)(src[i] / 2 + 3);
}
//== before Padded
void Padded(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    assert(w <= stride);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * stride + x] = (uint8_t)(src[y * stride + x] / 2 + 3);
}
//== twin a flat loop over padded rows
void Padded(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    assert(w <= stride);
    for (int i = 0; i < w * h; i++)
        dst[i] = (uint8_t)(src[i] / 2 + 3);
}
//== twin a flat loop under an assertion that nobody made before
void Padded(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    assert(w == stride && h >= 0);
    for (int i = 0; i < w * h; i++)
        dst[i] = (uint8_t)(src[i] / 2 + 3);
}
//== equal flat where there is no padding
void Padded(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    assert(w <= stride);
    if (w == stride && h > 0) {
        for (int i = 0; i < w * h; i++)
            dst[i] = (uint8_t)(src[i] / 2 + 3);
    } else {
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                dst[y * stride + x] = (uint8_t)(src[y * stride + x] / 2 + 3);
    }
}
//== before Dense
void Dense(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    assert(w == stride && h >= 0 && w >= 0);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * stride + x] = (uint8_t)(src[y * stride + x] / 2 + 3);
}
//== equal flat, as the assertion allows
void Dense(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    assert(w == stride && h >= 0 && w >= 0);
    for (int i = 0; i < w * h; i++)
        dst[i] = (uint8_t)(src[i] / 2 + 3);
}
//== before Flat
void Flat(float *dst, const float *src, int w, int h, float gain)
{
    assert(w >= 0 && h >= 0);
    for (int i = 0; i < w * h; i++)
        dst[i] = src[i] * gain + 0.5f;
}
//== equal rows and columns
void Flat(float *dst, const float *src, int w, int h, float gain)
{
    assert(w >= 0 && h >= 0);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * w + x] = src[y * w + x] * gain + 0.5f;
}
//== equal row pointers and size_t
void Flat(float *dst, const float *src, int w, int h, float gain)
{
    assert(w >= 0 && h >= 0);
    for (size_t y = 0; y < (size_t)h; y++) {
        float *d = dst + y * w;
        const float *s = src + y * w;
        for (size_t x = 0; x < (size_t)w; x++)
            d[x] = 0.5f + gain * s[x];
    }
}
//== twin the sum is scaled
void Flat(float *dst, const float *src, int w, int h, float gain)
{
    assert(w >= 0 && h >= 0);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * w + x] = (src[y * w + x] + 0.5f / gain) * gain;
}
