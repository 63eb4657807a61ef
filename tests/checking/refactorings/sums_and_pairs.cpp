// Sums under conditions, two outputs of one loop, and images that are moved in place.
//== before Weigh
void Weigh(int *bins, const uint8_t *src, const int16_t *weight, int n, int least)
{
    assert(n >= 0);
    for (int i = 0; i < n; i++)
        if (src[i] >= least)
            bins[src[i]] += weight[i];
}
//== equal unrolled by two with conditions
void Weigh(int *bins, const uint8_t *src, const int16_t *weight, int n, int least)
{
    assert(n >= 0);
    int i = 0;
    for (; i + 1 < n; i += 2) {
        if (src[i] >= least) bins[src[i]] += weight[i];
        if (src[i + 1] >= least) bins[src[i + 1]] += weight[i + 1];
    }
    if (i < n && src[i] >= least)
        bins[src[i]] += weight[i];
}
//== equal a body and a tail, from the end
void Weigh(int *bins, const uint8_t *src, const int16_t *weight, int n, int least)
{
    assert(n >= 0);
    int whole = n / 4 * 4;
    for (int i = n - 1; i >= whole; i--)
        bins[src[i]] += src[i] >= least ? weight[i] : 0;
    for (int i = whole - 1; i >= 0; i--)
        bins[src[i]] += src[i] >= least ? weight[i] : 0;
}
//== twin unrolled by two, the other's weight
void Weigh(int *bins, const uint8_t *src, const int16_t *weight, int n, int least)
{
    assert(n >= 0);
    int i = 0;
    for (; i + 1 < n; i += 2) {
        if (src[i] >= least) bins[src[i]] += weight[i];
        if (src[i + 1] >= least) bins[src[i + 1]] += weight[i];
    }
    if (i < n && src[i] >= least)
        bins[src[i]] += weight[i];
}
//== twin unrolled by two, the other's condition
void Weigh(int *bins, const uint8_t *src, const int16_t *weight, int n, int least)
{
    assert(n >= 0);
    int i = 0;
    for (; i + 1 < n; i += 2) {
        if (src[i] >= least) {
            bins[src[i]] += weight[i];
            bins[src[i + 1]] += weight[i + 1];
        }
    }
    if (i < n && src[i] >= least)
        bins[src[i]] += weight[i];
}
//== twin the tail's condition is lost
void Weigh(int *bins, const uint8_t *src, const int16_t *weight, int n, int least)
{
    assert(n >= 0);
    int i = 0;
    for (; i + 1 < n; i += 2) {
        if (src[i] >= least) bins[src[i]] += weight[i];
        if (src[i + 1] >= least) bins[src[i + 1]] += weight[i + 1];
    }
    if (i < n)
        bins[src[i]] += weight[i];
}
//== before Both
void Both(uint8_t *a, uint8_t *b, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = (uint8_t)(src[i] / 2);
        b[i] = (uint8_t)(255 - src[i] / 2);
    }
}
//== equal one from the other
void Both(uint8_t *a, uint8_t *b, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = (uint8_t)(src[i] >> 1);
    for (int i = 0; i < n; i++)
        b[i] = (uint8_t)(255 - a[i]);
}
//== equal a loop for each
void Both(uint8_t *a, uint8_t *b, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++)
        b[i] = (uint8_t)(255 - src[i] / 2);
    for (int i = 0; i < n; i++)
        a[i] = (uint8_t)(src[i] / 2);
}
//== twin one from the other, before it is made
void Both(uint8_t *a, uint8_t *b, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++)
        b[i] = (uint8_t)(255 - a[i]);
    for (int i = 0; i < n; i++)
        a[i] = (uint8_t)(src[i] >> 1);
}
//== before Shift
void Shift(uint8_t *p, int n)
{
    assert(n >= 1);
    for (int i = 0; i < n - 1; i++)
        p[i] = (uint8_t)(p[i + 1] / 2);
}
//== equal through a copy
void Shift(uint8_t *p, int n)
{
    assert(n >= 1);
    std::vector<uint8_t> copy(n);
    for (int i = 0; i < n; i++)
        copy[i] = p[i];
    for (int i = 0; i < n - 1; i++)
        p[i] = (uint8_t)(copy[i + 1] / 2);
}
//== twin from the other end
void Shift(uint8_t *p, int n)
{
    assert(n >= 1);
    for (int i = n - 2; i >= 0; i--)
        p[i] = (uint8_t)(p[i + 1] / 2);
}
