// Histograms whose clearing moved and whose updates were cut or unrolled. See ../test_refactorings.py for what the marks mean.
//== before Histogram
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            hist[src[r * rowBytes + c]]++;
}
//== equal memset
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    memset(hist, 0, 256 * sizeof(int));
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            hist[src[r * rowBytes + c]] += 1;
}
//== equal unrolled by two
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (int r = 0; r < rows; r++) {
        const uint8_t *s = src + r * rowBytes;
        int c = 0;
        for (; c + 1 < cols; c += 2) {
            hist[s[c]]++;
            hist[s[c + 1]]++;
        }
        for (; c < cols; c++)
            hist[s[c]]++;
    }
}
//== equal two nests by rows
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    int half = rows / 2;
    for (int r = 0; r < half; r++)
        for (int c = 0; c < cols; c++)
            hist[src[r * rowBytes + c]]++;
    for (int r = half; r < rows; r++)
        for (int c = 0; c < cols; c++)
            hist[src[r * rowBytes + c]]++;
}
//== equal zeroed in two halves
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 0; i < 128; i++) {
        hist[i] = 0;
        hist[i + 128] = 0;
    }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            hist[src[r * rowBytes + c]]++;
}
//== equal columns outside
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (int c = 0; c < cols; c++)
        for (int r = 0; r < rows; r++)
            hist[src[r * rowBytes + c]]++;
}
//== equal a local histogram that is copied
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    int local[256];
    for (int i = 0; i < 256; i++)
        local[i] = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            local[src[r * rowBytes + c]]++;
    for (int i = 0; i < 256; i++)
        hist[i] = local[i];
}
//== open two local histograms
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    int even[256] = {0}, odd[256] = {0};
    for (int r = 0; r < rows; r++) {
        const uint8_t *s = src + r * rowBytes;
        int c = 0;
        for (; c + 1 < cols; c += 2) {
            even[s[c]]++;
            odd[s[c + 1]]++;
        }
        if (c < cols)
            even[s[c]]++;
    }
    for (int i = 0; i < 256; i++)
        hist[i] = even[i] + odd[i];
}
//== twin a local histogram of one row less
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    int local[256];
    for (int i = 0; i < 256; i++)
        local[i] = 0;
    for (int r = 1; r < rows; r++)
        for (int c = 0; c < cols; c++)
            local[src[r * rowBytes + c]]++;
    for (int i = 0; i < 256; i++)
        hist[i] = local[i];
}
//== twin a local histogram that is copied from the other end
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    int local[256];
    for (int i = 0; i < 256; i++)
        local[i] = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            local[src[r * rowBytes + c]]++;
    for (int i = 0; i < 256; i++)
        hist[i] = local[255 - i];
}
//== twin a local histogram that begins at one
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    int local[256];
    for (int i = 0; i < 256; i++)
        local[i] = 1;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            local[src[r * rowBytes + c]]++;
    for (int i = 0; i < 256; i++)
        hist[i] = local[i];
}
//== twin one bin isn't zeroed
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 1; i < 256; i++)
        hist[i] = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            hist[src[r * rowBytes + c]]++;
}
//== twin unrolled by two without a tail
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (int r = 0; r < rows; r++) {
        const uint8_t *s = src + r * rowBytes;
        for (int c = 0; c + 1 < cols; c += 2) {
            hist[s[c]]++;
            hist[s[c + 1]]++;
        }
    }
}
//== twin unrolled by two, one pixel twice
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (int r = 0; r < rows; r++) {
        const uint8_t *s = src + r * rowBytes;
        int c = 0;
        for (; c + 1 < cols; c += 2) {
            hist[s[c]]++;
            hist[s[c]]++;
        }
        for (; c < cols; c++)
            hist[s[c]]++;
    }
}
//== twin zeroed in each row
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (int r = 0; r < rows; r++) {
        for (int i = 0; i < 256; i++)
            hist[i] = 0;
        for (int c = 0; c < cols; c++)
            hist[src[r * rowBytes + c]]++;
    }
}
//== equal a step of one that is written otherwise
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            hist[src[r * rowBytes + c]] += (c > 0 ? 1 : 2) - 1 + (c > 0);
}
//== twin the first column counts twice
void Histogram(const uint8_t *src, int rows, int cols, int rowBytes, int *hist)
{
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            hist[src[r * rowBytes + c]] += c > 0 ? 1 : 2;
}
//== before Tally
void Tally(uint32_t *bins, const uint16_t *plane, int n)
{
    assert(n >= 0);
    for (int i = 0; i < n; i++)
        bins[plane[i] >> 4] += 1;
}
//== equal pointers
void Tally(uint32_t *bins, const uint16_t *plane, int n)
{
    assert(n >= 0);
    while (n-- > 0)
        ++bins[*plane++ / 16];
}
//== equal unrolled by four
void Tally(uint32_t *bins, const uint16_t *plane, int n)
{
    assert(n >= 0);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        bins[plane[i] >> 4] += 1;
        bins[plane[i + 1] >> 4] += 1;
        bins[plane[i + 2] >> 4] += 1;
        bins[plane[i + 3] >> 4] += 1;
    }
    for (; i < n; i++)
        bins[plane[i] >> 4] += 1;
}
//== equal a body and a tail
void Tally(uint32_t *bins, const uint16_t *plane, int n)
{
    assert(n >= 0);
    int whole = n & ~15;
    for (int i = 0; i < whole; i++)
        bins[plane[i] >> 4] += 1;
    for (int i = whole; i < n; i++)
        bins[plane[i] >> 4] += 1;
}
//== twin another shift
void Tally(uint32_t *bins, const uint16_t *plane, int n)
{
    assert(n >= 0);
    while (n-- > 0)
        ++bins[(*plane++ + 1) / 16];
}
//== twin the tail counts from one
void Tally(uint32_t *bins, const uint16_t *plane, int n)
{
    assert(n >= 0);
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        bins[plane[i] >> 4] += 1;
        bins[plane[i + 1] >> 4] += 1;
        bins[plane[i + 2] >> 4] += 1;
        bins[plane[i + 3] >> 4] += 1;
    }
    for (++i; i < n; i++)
        bins[plane[i] >> 4] += 1;
}
