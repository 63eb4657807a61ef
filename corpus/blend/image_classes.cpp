// image_classes.cpp - the compositing core of a paint program of the early 2000s: images as structs
// and classes, channels by accessor, helpers in namespaces.

#include <cstdint>
#include <cstddef>
#include <algorithm>
#include <vector>

// ---------------------------------------------------------------------------------------------
// The C heritage: a struct of pointer, size and pitch that is handed around by pointer.

typedef struct ImageView {
    uint8_t *data;
    int width;
    int height;
    int stride;     // bytes from row to row
} ImageView;

// image = 255 - image
void view_invert(ImageView *img)
{
    int x, y;
    for (y = 0; y < img->height; y++) {
        uint8_t *row = img->data + y * img->stride;
        for (x = 0; x < img->width; x++)
            row[x] = (uint8_t)(255 - row[x]);
    }
}

void view_multiply(ImageView *dst, const ImageView *src)
{
    for (int y = 0; y < dst->height; y++) {
        uint8_t *d = &dst->data[y * dst->stride];
        const uint8_t *s = &src->data[y * src->stride];
        for (int x = 0; x < dst->width; x++)
            d[x] = (uint8_t)(d[x] * s[x] / 255);
    }
}

// A view by value is the function's own: it may be walked through.
void view_fill(ImageView img, uint8_t value)
{
    while (img.height-- > 0) {
        for (int x = 0; x < img.width; x++)
            img.data[x] = value;
        img.data += img.stride;
    }
}

// ---------------------------------------------------------------------------------------------
// Pixels as structures.

struct Bgra {
    uint8_t b, g, r, a;
};

static inline uint8_t mulDiv255(int a, int b)
{
    return (uint8_t)((a * b + 127) / 255);
}

static inline Bgra screenPixel(const Bgra &p, const Bgra &q)
{
    Bgra out;
    out.b = 255 - mulDiv255(255 - p.b, 255 - q.b);
    out.g = 255 - mulDiv255(255 - p.g, 255 - q.g);
    out.r = 255 - mulDiv255(255 - p.r, 255 - q.r);
    out.a = p.a;
    return out;
}

void bgra_screen(Bgra *dst, const Bgra *src, int count)
{
    for (int i = 0; i < count; i++)
        dst[i] = screenPixel(dst[i], src[i]);
}

void bgra_swap_red_and_blue(Bgra *p, int count)
{
    for (const Bgra *end = p + count; p != end; ++p) {
        Bgra old = *p;
        p->r = old.b;
        p->b = old.r;
    }
}

// Every pixel towards `color`, by the color's own alpha.
void bgra_tint(Bgra *row, int count, const Bgra &color)
{
    for (int i = 0; i < count; i++) {
        Bgra *p = &row[i];
        p->b = (uint8_t)((p->b * (255 - color.a) + color.b * color.a) / 255);
        p->g = (uint8_t)((p->g * (255 - color.a) + color.g * color.a) / 255);
        p->r = (uint8_t)((p->r * (255 - color.a) + color.r * color.a) / 255);
    }
}

// ---------------------------------------------------------------------------------------------
// Float pixels with operators.

struct Rgb {
    float r, g, b;
    Rgb() : r(0), g(0), b(0) {}
    Rgb(float red, float green, float blue) : r(red), g(green), b(blue) {}
    Rgb operator*(float k) const { return Rgb(r * k, g * k, b * k); }
    Rgb operator+(const Rgb &o) const { return Rgb(r + o.r, g + o.g, b + o.b); }
    Rgb &operator*=(const Rgb &o)
    {
        r *= o.r;
        g *= o.g;
        b *= o.b;
        return *this;
    }
};

void rgb_lerp(Rgb *dst, const Rgb *src, float t, int count)
{
    for (int i = 0; i < count; i++)
        dst[i] = dst[i] * (1.0f - t) + src[i] * t;
}

void rgb_multiply(Rgb *dst, const Rgb *src, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dst[i] *= src[i];
}

// ---------------------------------------------------------------------------------------------
// A class with accessors, as the plug-in interface sees it.

namespace paint {

class Channel {
public:
    Channel(uint8_t *samples, int width, int height)
        : samples_(samples), width_(width), height_(height), pitch_(width) {}
    Channel(uint8_t *samples, int width, int height, int pitch)
        : samples_(samples), width_(width), height_(height), pitch_(pitch) {}

    int width() const { return width_; }
    int height() const { return height_; }
    uint8_t *row(int y) { return samples_ + y * pitch_; }
    const uint8_t *row(int y) const { return samples_ + y * pitch_; }
    uint8_t &operator()(int x, int y) { return samples_[y * pitch_ + x]; }
    uint8_t operator()(int x, int y) const { return samples_[y * pitch_ + x]; }

    void brighten(int amount);
    void darkenBy(const Channel &other);

private:
    uint8_t *samples_;
    int width_, height_, pitch_;
};

void Channel::brighten(int amount)
{
    for (int y = 0; y < height_; y++)
        for (int x = 0; x < width_; x++)
            (*this)(x, y) = (uint8_t)std::min(255, std::max(0, (*this)(x, y) + amount));
}

void Channel::darkenBy(const Channel &other)
{
    for (int y = 0; y < height(); y++) {
        uint8_t *mine = row(y);
        const uint8_t *theirs = other.row(y);
        for (int x = 0; x < width(); x++)
            mine[x] = std::min(mine[x], theirs[x]);
    }
}

// The plain C entry wraps the buffers.
void difference(uint8_t *dst, const uint8_t *src, int width, int height)
{
    Channel out(dst, width, height);
    for (int y = 0; y < out.height(); y++)
        for (int x = 0; x < out.width(); x++) {
            int d = out(x, y) - src[y * width + x];
            out(x, y) = (uint8_t)(d < 0 ? -d : d);
        }
}

// A layer holds its image, its mask and how they are put together.
struct Size {
    int w, h;
};

struct Layer {
    ImageView pixels;
    ImageView mask;
    uint8_t opacity;
    bool visible;
};

void composite(ImageView &dst, const Layer &layer)
{
    if (!layer.visible)
        return;
    for (int y = 0; y < dst.height; y++) {
        uint8_t *d = dst.data + y * dst.stride;
        const uint8_t *s = layer.pixels.data + y * layer.pixels.stride;
        const uint8_t *m = layer.mask.data + y * layer.mask.stride;
        for (int x = 0; x < dst.width; x++) {
            int a = m[x] * layer.opacity / 255;
            d[x] = (uint8_t)((d[x] * (255 - a) + s[x] * a) / 255);
        }
    }
}

// Jobs point to what they work on.
struct CurveJob {
    const ImageView *source;
    ImageView *target;
    uint8_t curve[256];
};

void run_curve(const CurveJob *job)
{
    const Size size = {job->target->width, job->target->height};
    for (int y = 0; y < size.h; y++)
        for (int x = 0; x < size.w; x++)
            job->target->data[y * job->target->stride + x] =
                job->curve[job->source->data[y * job->source->stride + x]];
}

// The luma of a picture whose planes lie in one buffer.
struct Planar {
    std::vector<uint8_t> data;      // red, then green, then blue

    int plane() const { return (int)data.size() / 3; }
};

void luma(const Planar &picture, uint8_t *out)
{
    const int n = picture.plane();
    for (int i = 0; i < n; i++) {
        int r = picture.data[i], g = picture.data[n + i], b = picture.data[2 * n + i];
        out[i] = (uint8_t)((77 * r + 150 * g + 29 * b + 128) >> 8);
    }
}

}   // namespace paint
