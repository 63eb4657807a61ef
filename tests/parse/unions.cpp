// One memory at several widths: unions, and structures whose bytes are used beside their members.

#include <cstdint>

union Word {
    uint32_t w;
    uint8_t b[4];
};

union Color {
    uint32_t argb;
    struct {
        uint8_t b, g, r, a;
    } c;
    int8_t s[4];
};

union Halves {
    uint8_t b[8];
    struct {
        uint16_t lo, hi;
    } h[2];
    int64_t all;
};

struct Pair {
    uint16_t a, b;
};

struct Signed {
    int16_t x, y, z;
};

void invert_lowest(uint32_t *d, const uint32_t *s, int n) {
    for (int i = 0; i < n; i++) {
        Word p;
        p.w = s[i];
        p.b[0] = 255 - p.b[0];
        d[i] = p.w;
    }
}

void opaque(Word *d, int n) {
    for (int i = 0; i < n; i++)
        d[i].b[3] = 255;
}

void exchange_red_and_blue(uint32_t *d, int n) {
    for (int i = 0; i < n; i++) {
        Color p = {d[i]};
        uint8_t kept = p.c.r;
        p.c.r = p.c.b;
        p.c.b = kept;
        d[i] = p.argb;
    }
}

void signed_bytes(int *d, const Color *s, int n) {
    for (int i = 0; i < n; i++) {
        Color p = s[i];
        d[i] = p.s[0] + p.s[3] * 2 - p.c.g;
    }
}

void through_pointers(Color *d, const Color *s, int n) {
    for (const Color *end = s + n; s != end; s++, d++) {
        d->argb = s->argb ^ 0x00ff00ffu;
        d->c.a = s->c.a / 2;
    }
}

void halves(int64_t *d, const uint16_t *s, int n) {
    for (int i = 0; i < n; i++) {
        Halves v;
        v.all = -2;
        v.h[1].lo = s[i];
        v.b[7] = 1;
        v.h[0].hi++;
        d[i] = v.all;
    }
}

void cast_to_union(uint32_t *d, int n) {
    Word *p = (Word *)d;
    for (int i = 0; i < n; i++)
        p[i].b[1] = p[i].b[2];
}

void copied_whole(Word *d, const Word *s, int n) {
    for (int i = 0; i < n; i++) {
        Word a = s[i], b = {};
        b.b[2] = a.b[1];
        d[i] = b;
        d[i].b[0] = a.b[3];
    }
}

void line_of_unions(uint8_t *d, const uint32_t *s) {
    Word line[3];
    for (int i = 0; i < 3; i++)
        line[i].w = s[i];
    for (int i = 0; i < 3; i++)
        d[i] = line[2 - i].b[i];
}

// The members of a structure, and its bytes.
void member_and_byte(Pair *p, int n) {
    for (int i = 0; i < n; i++) {
        uint8_t *bytes = (uint8_t *)p;
        p[i].b = 0x1234;
        bytes[4 * i] = 1;
    }
}

void objects_and_bytes(Pair *p, Pair v, int n) {
    for (int i = 0; i < n; i++) {
        uint8_t *bytes = (uint8_t *)p;
        p[i] = v;
        bytes[4 * i + 1] = 9;
    }
}

void read_object_and_byte(const Pair *p, int *d, int n) {
    for (int i = 0; i < n; i++) {
        const uint8_t *bytes = (const uint8_t *)p;
        Pair v = p[i];
        auto [a, b] = p[i];
        d[i] = bytes[4 * i + 3] + v.b * 2 + a - b;
    }
}

void signed_members(Signed *p, int *d, int n) {
    for (int i = 0; i < n; i++) {
        uint8_t *bytes = (uint8_t *)p;
        auto &[x, y, z] = p[i];
        z = x - y;
        bytes[6 * i + 2] = 0x80;
        d[i] = p[i].y + p[i].z;
    }
}
