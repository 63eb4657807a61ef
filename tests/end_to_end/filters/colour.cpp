#include "exercise.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;

struct Bitmap {
    u8 *bits;
    int width;
    int height;
    int pitch;
};
struct Frame {
    u8 *plane[3];
    int pitch[3];
    int width;
    int height;
};
struct ColourMatrix {
    int m[3][3];
    int offset[3];
};

void ycc444_from_rgb24(Frame &dst, const Bitmap &src);
void rgb24_from_ycc444(Bitmap &dst, const Frame &src);
void ycc709_from_rgb_float(float *py, float *pcb, float *pcr, const float *rgb, unsigned count);
void i420_from_bgra32(Frame &dst, const Bitmap &src);
void bgra32_from_nv12(u8 *dst, int dstPitch, const u8 *luma, int lumaPitch, const u8 *chroma,
                      int chromaPitch, int width, int height);
bool i420_from_yuy2(Frame &dst, const u8 *src, int srcPitch);
void yuy2_from_i420(u32 *dst, int dstWords, const Frame &src);
void hsv_from_rgb24(u16 *hue, u8 *sat, u8 *val, const u8 *rgb, int count);
void rgb24_from_hsv(u8 *rgb, const u16 *hue, const u8 *sat, const u8 *val, int count);
void adjust_hsl(Bitmap &image, float turn, float saturation);
void cmyk_from_rgb24(Bitmap &dst, const Bitmap &src, int ucr);
void rgb24_from_cmyk_plates(u8 *rgb, const u8 *const plates[4], int width, int height, int rgbPitch,
                            int platePitch);
void rgb565_from_rgb24(u16 *dst, int dstPixels, const Bitmap &src);
void bgra32_from_rgb565(std::vector<u32> &dst, const std::vector<u16> &src);
void premultiply_bgra32(Bitmap &image);
void unpremultiply_bgra32(u8 *bits, int width, int height, int pitch);
void desaturate_bgra32(Bitmap &image, double wr, double wg, double wb);
void white_balance_rgb24(u8 *bits, int width, int height, int pitch, const u16 gains[3]);
void colour_matrix_planar(u8 *red, u8 *green, u8 *blue, int width, int height, int pitch,
                          const ColourMatrix &cm);
void rgb24_from_bayer_half(Bitmap &dst, const u16 *raw, int rawWidth, int rawHeight, int rawPixels,
                           int rx, int ry, int black);

static int positive(int n) { return n > 0 ? n : 0; }

static void lines(int n)
{
    {
        Array<float> y(n), cb(n), cr(n), rgb(3 * positive(n));
        ycc709_from_rgb_float(y, cb, cr, rgb, positive(n));
        said("ycc709_from_rgb_float", n);
    }
    for (int most : {1, 20, 255}) {
        Array<u16> hue(n);
        Array<u8> saturation(n), value(n), rgb(3 * positive(n), 0, most);
        hsv_from_rgb24(hue, saturation, value, rgb, n);
        said("hsv_from_rgb24", n, most);
        rgb24_from_hsv(rgb, hue, saturation, value, n);
        said("rgb24_from_hsv", n, most);
        Array<u16> any_hue(n);
        rgb24_from_hsv(rgb, any_hue, saturation, value, n);
        said("rgb24_from_hsv", n, most);
    }
    {
        std::vector<u16> src(positive(n));
        for (u16 &v : src)
            v = (u16)draw();
        std::vector<u32> dst(3, 5);
        bgra32_from_rgb565(dst, src);
        Hash h;
        for (u32 v : dst)
            h.add(v);
        said("bgra32_from_rgb565", n, dst.size(), h.value);
    }
}

static void planes(int w, int h, int pitch)
{
    const int gap = pitch - w, three = 3 * w + gap, four = 4 * w + 4 * gap;
    const std::ptrdiff_t all = area(w, h, pitch), rgb = area(3 * w, h, three), bgra = area(4 * w, h, four);
    const int half = (positive(w) + 1) / 2, rows = (positive(h) + 1) / 2;
    {
        Array<u8> pixels(rgb), first(all), second(all), third(all);
        Bitmap bitmap = {pixels, w, h, three};
        Frame frame = {{first, second, third}, {pitch, pitch, pitch}, w, h};
        ycc444_from_rgb24(frame, bitmap);
        said("ycc444_from_rgb24", w, h, pitch);
        rgb24_from_ycc444(bitmap, frame);
        said("rgb24_from_ycc444", w, h, pitch);
        frame.width = w - 1;
        rgb24_from_ycc444(bitmap, frame);
        said("rgb24_from_ycc444 of fewer", w, h, pitch);
    }
    {
        Array<u8> pixels(bgra), luma(all), u(area(half, rows, half + gap)), v(area(half, rows, half + 1));
        const Bitmap bitmap = {pixels, w, h, four};
        Frame frame = {{luma, u, v}, {pitch, half + gap, half + 1}, w, h};
        i420_from_bgra32(frame, bitmap);
        said("i420_from_bgra32", w, h, pitch);
        Array<u32> words(area(half, h, half + 2));
        yuy2_from_i420(words, half + 2, frame);
        said("yuy2_from_i420", w, h, pitch);
        const int pairs = positive(w) / 2 * 4;
        Array<u8> packed(area(pairs, h, pairs + gap));
        const bool done = i420_from_yuy2(frame, packed, pairs + gap);
        said("i420_from_yuy2", w, h, pitch, done);
        Array<u8> chroma(area(2 * half, rows, 2 * half + gap));
        bgra32_from_nv12(pixels, four, luma, pitch, chroma, 2 * half + gap, w, h);
        said("bgra32_from_nv12", w, h, pitch);
    }
    for (float turn : {-3.0f, 0.0f, 0.4f, 3.0f})
        for (float saturation : {0.0f, 1.0f, 2.5f}) {
            Array<u8> pixels(rgb);
            Bitmap bitmap = {pixels, w, h, three};
            adjust_hsl(bitmap, turn, saturation);
            said("adjust_hsl", w, h, pitch, turn, saturation);
        }
    for (int ucr : {0, 1, 128, 255}) {
        Array<u8> pixels(rgb, 0, ucr == 128 ? 3 : 255), plates(bgra);
        Bitmap from = {pixels, w, h, three}, to = {plates, w, h, four};
        cmyk_from_rgb24(to, from, ucr);
        said("cmyk_from_rgb24", w, h, pitch, ucr);
    }
    {
        Array<u8> c(all), m(all), y(all), k(all), pixels(rgb);
        const u8 *const plates[4] = {c, m, y, k};
        rgb24_from_cmyk_plates(pixels, plates, w, h, three, pitch);
        said("rgb24_from_cmyk_plates", w, h, pitch);
        Array<u16> words(area(w, h, pitch + 1));
        rgb565_from_rgb24(words, pitch + 1, Bitmap{pixels, w, h, three});
        said("rgb565_from_rgb24", w, h, pitch);
        Array<u16> gains(3, 0, 1000);
        white_balance_rgb24(pixels, w, h, three, gains);
        said("white_balance_rgb24", w, h, pitch);
        ColourMatrix matrix;
        for (int i = 0; i < 3; i++) {
            matrix.offset[i] = between(-100, 100);
            for (int j = 0; j < 3; j++)
                matrix.m[i][j] = between(-8192, 8192);
        }
        colour_matrix_planar(c, m, y, w, h, pitch, matrix);
        said("colour_matrix_planar", w, h, pitch);
    }
    {
        Array<u8> pixels(bgra);
        Bitmap bitmap = {pixels, w, h, four};
        premultiply_bgra32(bitmap);
        said("premultiply_bgra32", w, h, pitch);
        unpremultiply_bgra32(pixels, w, h, four);
        said("unpremultiply_bgra32", w, h, pitch);
        const double weights[][3] = {{0.3, 0.59, 0.11}, {0, 0, 0}, {1, 2, 3}, {-1, 2, 3}, {NAN, 1, 1}};
        for (const double(&by)[3] : weights) {
            desaturate_bgra32(bitmap, by[0], by[1], by[2]);
            said("desaturate_bgra32", w, h, pitch, by[1]);
        }
    }
    for (int rx : {0, 1})
        for (int ry : {0, 1})
            for (int black : {0, 64, 1022}) {
                const int columns = 2 * positive(w) + rx, lines = 2 * positive(h) + ry;
                Array<u16> raw(area(columns, lines, columns + gap), 0, 1023);
                Array<u8> pixels(rgb);
                Bitmap bitmap = {pixels, w, h, three};
                rgb24_from_bayer_half(bitmap, raw, columns, lines, columns + gap, rx, ry, black);
                said("rgb24_from_bayer_half", w, h, pitch, rx, ry, black);
            }
}

void exercise()
{
    for (int n : SIZES)
        lines(n);
    images(planes);
}
