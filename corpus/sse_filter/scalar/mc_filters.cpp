// Plain loops that the functions of mc_filters.cpp must equal bit for bit.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

static uint8_t clip(int v) { return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v); }
static int sat(int v) { return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }

void mc_put_hpel_x16_c(uint8_t *dst, const uint8_t *src, ptrdiff_t stride, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < 16; x++)
            dst[y * stride + x] = (uint8_t)((src[y * stride + x] + src[y * stride + x + 1] + 1) >> 1);
}

void mc_put_hpel_y16_c(uint8_t *dst, const uint8_t *src, ptrdiff_t stride, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < 16; x++)
            dst[y * stride + x] =
                (uint8_t)((src[y * stride + x] + src[(y + 1) * stride + x] + 1) >> 1);
}

void mc_avg_hpel_xy8_no_rnd_c(uint8_t *dst, const uint8_t *src, ptrdiff_t stride, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < 8; x++) {
            const uint8_t *s = src + y * stride + x;
            int v = (s[0] + s[1] + s[stride] + s[stride + 1] + 1) >> 2;
            dst[y * stride + x] = (uint8_t)((v + dst[y * stride + x] + 1) >> 1);
        }
}

static int six(const uint8_t *s, ptrdiff_t n)
{
    int v = s[-2 * n] - 5 * s[-n] + 20 * s[0] + 20 * s[n] - 5 * s[2 * n] + s[3 * n];
    return clip((v + 16) >> 5);
}

void mc_qpel6_h_c(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                  int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * dst_stride + x] = (uint8_t)six(src + y * src_stride + x, 1);
}

void mc_qpel6_v8_c(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                   int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < 8; x++)
            dst[y * dst_stride + x] = (uint8_t)six(src + y * src_stride + x, src_stride);
}

void mc_deblock_edge_c(uint8_t *pix, ptrdiff_t stride, int w, int alpha, int beta, int tc)
{
    for (int x = 0; x < w; x++) {
        int p1 = pix[x - 2 * stride], p0 = pix[x - stride], q0 = pix[x], q1 = pix[x + stride];
        if (abs(p0 - q0) >= alpha || abs(p1 - p0) >= beta || abs(q1 - q0) >= beta)
            continue;
        int d = (4 * (q0 - p0) + p1 - q1 + 4) >> 3;
        d = d < -tc ? -tc : d > tc ? tc : d;
        pix[x - stride] = clip(p0 + d);
        pix[x] = clip(q0 - d);
    }
}

static int mul(int x, int k) { return (x * k) >> 16; }
static int mul1(int x, int k) { return sat(x + mul(x, k - 65536)); }

static void pass(int16_t *p, int step, int shift, int bias)
{
    const int x0 = sat(p[0] + bias), x1 = p[step], x2 = p[2 * step], x3 = p[3 * step];
    const int x4 = p[4 * step], x5 = p[5 * step], x6 = p[6 * step], x7 = p[7 * step];
    const int s0 = sat(x0 + x4), s1 = sat(x0 - x4);
    const int s2 = sat(mul(x2, 27146) - x6), s3 = sat(mul(x6, 27146) + x2);
    const int t[4] = {sat(s0 + s3), sat(s1 + s2), sat(s1 - s2), sat(s0 - s3)};
    const int a = sat(mul(x7, 13036) + x1), b = sat(mul(x1, 13036) - x7);
    const int c = sat(mul1(x5, 43790) + x3), d = sat(mul1(x3, 43790) - x5);
    const int m = sat(a - c), n = sat(b + d);
    const int u[4] = {sat(a + c), mul1(sat(m + n), 46341), mul1(sat(m - n), 46341), sat(b - d)};
    for (int i = 0; i < 4; i++) {
        p[i * step] = (int16_t)(sat(t[i] + u[i]) >> shift);
        p[(7 - i) * step] = (int16_t)(sat(t[i] - u[i]) >> shift);
    }
}

void mc_idct8_columns_c(int16_t *block)
{
    for (int x = 0; x < 8; x++)
        pass(block + x, 8, 0, 0);
}

void mc_idct8x8_add_c(uint8_t *dst, ptrdiff_t stride, int16_t *block)
{
    for (int x = 0; x < 8; x++)
        pass(block + x, 8, 0, 0);
    for (int y = 0; y < 8; y++)
        pass(block + 8 * y, 1, 6, 32);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            dst[y * stride + x] = clip(dst[y * stride + x] + block[8 * y + x]);
            block[8 * y + x] = 0;
        }
}

int mc_quant8x8_c(int16_t *block, const uint16_t *mul, const uint16_t *bias)
{
    int n = 0;
    for (int i = 0; i < 64; i++) {
        uint32_t a = (uint32_t)abs(block[i]) + bias[i];
        uint32_t l = ((a > 65535 ? 65535 : a) * (uint32_t)mul[i]) >> 16;
        block[i] = block[i] == 0 ? 0 : block[i] < 0 ? (int16_t)(0u - l) : (int16_t)l;
        n += block[i] != 0;
    }
    return n;
}

int mc_satd4x4_c(const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b, ptrdiff_t b_stride)
{
    int d[4][4], s = 0;
    for (int y = 0; y < 4; y++) {
        int e[4];
        for (int x = 0; x < 4; x++)
            e[x] = a[y * a_stride + x] - b[y * b_stride + x];
        d[y][0] = e[0] + e[1] + e[2] + e[3];
        d[y][1] = e[0] - e[1] + e[2] - e[3];
        d[y][2] = e[0] + e[1] - e[2] - e[3];
        d[y][3] = e[0] - e[1] - e[2] + e[3];
    }
    for (int x = 0; x < 4; x++) {
        s += abs(d[0][x] + d[1][x] + d[2][x] + d[3][x]);
        s += abs(d[0][x] - d[1][x] + d[2][x] - d[3][x]);
        s += abs(d[0][x] + d[1][x] - d[2][x] - d[3][x]);
        s += abs(d[0][x] - d[1][x] - d[2][x] + d[3][x]);
    }
    return s >> 1;
}

void mc_deint_linear_c(uint8_t *frame, ptrdiff_t stride, int w, int h)
{
    for (int y = 1; y < h; y += 2)
        for (int x = 0; x < w; x++) {
            int a = frame[(y - 1) * stride + x], b = y + 1 < h ? frame[(y + 1) * stride + x] : a;
            frame[y * stride + x] = (uint8_t)((a + b + 1) >> 1);
        }
}

void mc_deint_blend_c(uint8_t *frame, ptrdiff_t stride, int w, int h, uint8_t *line)
{
    if (h < 1)
        return;
    for (int x = 0; x < w; x++) {
        int prev = frame[x];
        for (int y = 0; y < h; y++) {
            int cur = frame[y * stride + x], next = y + 1 < h ? frame[(y + 1) * stride + x] : cur;
            frame[y * stride + x] = (uint8_t)((prev + 2 * cur + next + 2) >> 2);
            prev = cur;
        }
        line[x] = (uint8_t)prev;
    }
}

void mc_deint_edge_line_c(const uint8_t *up, const uint8_t *dn, uint8_t *dst, int w)
{
    for (int x = 0; x < w; x++) {
        int dv = abs(up[x] - dn[x]), dl = abs(up[x - 1] - dn[x + 1]), dr = abs(up[x + 1] - dn[x - 1]);
        int k = dv <= dl && dv <= dr ? 0 : dl <= dr ? 1 : -1;
        dst[x] = (uint8_t)((up[x - k] + dn[x + k] + 1) >> 1);
    }
}

void mc_add_residual8_c(uint8_t *dst, ptrdiff_t stride, const int16_t *res, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < 8; x++)
            dst[y * stride + x] = clip(dst[y * stride + x] + res[8 * y + x]);
}
