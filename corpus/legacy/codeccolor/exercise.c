/* exercise.c: everything, over many sizes; prints hashes */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kx.h"

static uint64_t hashes[4];	/* for names joined by a slash */
static int cur;
static uint32_t state;

static void begin(uint32_t s)
{
	for (cur = 3; cur >= 0; cur--)
		hashes[cur] = 0xcbf29ce484222325ull;
	cur = 0;
	state = s ^ 0x9e3779b9u;
}

static unsigned rnd(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state >> 7;
}

static void add(const void *p, size_t n)
{
	const unsigned char *b = (const unsigned char *)p;

	while (n--)
		hashes[cur] = (hashes[cur] ^ *b++) * 0x100000001b3ull;
}

static void addi(long v)
{
	int64_t w = v;

	add(&w, sizeof(w));
}

static void print(const char *f, const char *c)
{
	int n;

	for (cur = 0; *f; cur++) {
		n = (int)strcspn(f, "/");
		printf("%.*s %s %016llx\n", n, f, c, (unsigned long long)hashes[cur]);
		f += n + (f[n] == '/');
	}
}

static void onerr(kx_ptr cx, int code)
{
	++*(int *)cx->client;
	addi(code);
}

/* a block of rows with a row of context at either end */
struct buf {
	KSAMP *mem;
	size_t len;
	KROW rows[64];
	KROWS r;
};

static void get(struct buf *b, int w, int h, int pad, int neg, int fill)
{
	size_t pitch = (size_t)(w + pad), i;
	int y;

	b->len = pitch * (size_t)(h + 2);
	b->mem = (KSAMP *)malloc(b->len + 1);
	for (i = 0; i < b->len; i++)
		b->mem[i] = (KSAMP)(fill ? rnd() : 0x5a);
	for (y = 0; y < h + 2; y++)
		b->rows[y] = b->mem + pitch * (size_t)(neg ? h + 1 - y : y);
	b->r = b->rows + 1;
}

static void put_as(int which, struct buf *b)
{
	cur = which;
	add(b->mem, b->len);
	free(b->mem);
	cur = 0;
}

static void put(struct buf *b)
{
	put_as(0, b);
}

static const int W[] = { 0, 1, 2, 3, 7, 16, 17, 64, 65, 130, 300 };
#define EACH(w, h) for (wi = 0; wi < 11; wi++) for (w = W[wi], h = 1; h <= 9; h += w > 20 ? 4 : 1)

static void do_convert(void)
{
	static const char *const names[] = { "?", "gray", "rgb", "bgr", "rgbx", "xbgr", "ycc", "cmyk", "ycck", "565", "bad" };
	int space, wi, w, h, v, k, errors = 0;

	for (space = KX_GRAY; space <= KX_RGB565 + 1; space++) {
		begin(space * 7);
		EACH(w, h) for (v = 0; v < 3; v++) {
			struct kx_codec cx;
			struct buf a, p[4], o;
			KROWS planes[4];

			memset(&cx, 0, sizeof(cx));
			cx.client = &errors;
			cx.on_error = v == 2 ? NULL : onerr;
			cx.dither = v & 1;
			addi(kx_start_convert(&cx, (KDIM)w, space));
			if (!cx.started)
				continue;
			get(&a, w * 4, h, v, 0, 1);
			get(&o, w * 4, h, v, v == 2, 0);
			for (k = 0; k < 4; k++) {
				get(&p[k], w, h, v, v == 1, 1);
				planes[k] = p[k].r;
			}
			if (cx.m.deconvert)
				cx.m.deconvert(&cx, planes, 0, o.r, h);
			addi(kx_convert_chunked(&cx, a.r[0], (size_t)(w * 4 + v), (KDIM)h, planes, v ? v * 2 : 0));
			for (k = 0; k < 4; k++)
				put(&p[k]);
			put(&a);
			put_as(1, &o);
			kx_end_convert(&cx);
		}
		addi(errors);
		print("kx_convert_chunked/deconvert", names[space]);
	}
}

static void do_chroma(void)
{
	int wi, w, h, v, hx, vx;
	struct buf a, b, c, d;

	begin(50);
	EACH(w, h) for (v = 0; v < 3; v++) {
		get(&a, w + 8, h, v, v == 1, 1);
		kx_expand_right(a.r, h, (KDIM)w, (KDIM)(w + v * 4));
		put(&a);
	}
	print("kx_expand_right", "all");
	begin(51);
	EACH(w, h) for (v = 0; v < 3; v++) {
		get(&a, w * 2, h * 2, v, v == 1, 1);
		get(&b, w, h, v, v == 2, 0);
		get(&c, w, h, 0, v == 2, 0);
		kx_down_h2v1(a.r, b.r, h, (KDIM)w);
		kx_down_h2v2(a.r, c.r, h, (KDIM)w);
		put(&a); put(&b); put_as(1, &c);
	}
	print("kx_down_h2v1/kx_down_h2v2", "all");
	begin(52);
	EACH(w, h) for (v = 0; v < 3; v++) {
		get(&a, w, h, v, v == 1, 1);
		get(&b, w, h, v, v == 2, 0);
		kx_down_smooth(a.r, b.r, h, (KDIM)w, v * 64);
		put(&a); put(&b);
	}
	print("kx_down_smooth", "all");
	begin(53);
	EACH(w, h) for (hx = 1; hx <= 4; hx++) for (vx = 1; vx <= 3; vx++) {
		get(&a, w, h, 1, hx == 2, 1);
		get(&b, w * hx, h * vx, 0, vx == 2, 0);
		kx_up_int(a.r, b.r, h * vx, (KDIM)(w * hx), hx, vx);
		put(&a); put(&b);
	}
	print("kx_up_int", "all");
	begin(54);
	EACH(w, h) for (v = 0; v < 3; v++) {
		get(&a, w, h, v, v == 1, 1);
		get(&b, w * 2, h, v, v == 2, 0);
		get(&c, w * 2, h * 2, v, v == 2, 0);
		kx_up_h2v1_fancy(a.r, b.r, h, (KDIM)w);
		kx_up_h2v2_fancy(a.r, c.r, h * 2, (KDIM)w);
		put(&a); put(&b); put_as(1, &c);
	}
	print("kx_up_h2v1_fancy/kx_up_h2v2_fancy", "all");
	begin(55);
	EACH(w, h) {
		struct kx_codec cx;
		KROWS planes[3];
		int y;

		memset(&cx, 0, sizeof(cx));
		kx_start_convert(&cx, (KDIM)w, KX_RGB);
		get(&a, w, h, 0, 0, 1);
		get(&b, (w + 1) / 2, h, 0, 0, 1);
		get(&c, (w + 1) / 2, h, 0, 0, 1);
		get(&d, w * 3, h, 2, 1, 0);
		planes[0] = a.r; planes[1] = b.r; planes[2] = c.r;
		for (y = 0; y < h; y++)
			kx_up_merged(&cx, planes, (KDIM)y, d.r[y]);
		put(&a); put(&b); put(&c); put(&d);
		kx_end_convert(&cx);
	}
	print("kx_up_merged", "all");
}

static void do_rows(void)
{
	int wi, w, h, type, bpp, errors = 0;
	char name[32];
	struct kx_codec cx;
	struct buf a, b;

	memset(&cx, 0, sizeof(cx));
	cx.client = &errors;
	cx.on_error = onerr;
	for (type = -1; type <= 5; type++) {
		begin(60 + (uint32_t)type);
		EACH(w, h) for (bpp = 1; bpp <= 8; bpp += bpp < 4 ? 1 : 4) {
			int y;

			get(&a, w * bpp, h, 0, 0, 1);
			for (y = 0; y < h; y++)
				addi(kx_unfilter(&cx, type, a.r[y], y ? a.r[y - 1] : NULL, (size_t)(w * bpp), bpp));
			put(&a);
		}
		sprintf(name, "type%d", type);
		print("kx_unfilter", name);
	}
	begin(70);
	EACH(w, h) for (bpp = 1; bpp <= 4; bpp++) {
		int y, i, n = w * bpp;

		get(&a, n, h, 0, 0, 1);
		get(&b, n, 2, 0, 0, 0);
		if (h & 1)	/* something smooth, else none always wins */
			for (y = 0; y < h; y++)
				for (i = 0; i < n; i++)
					a.r[y][i] = (KSAMP)(i * (h + bpp) + y * (bpp - 2) * 9 + (a.r[y][i] & 3));
		for (y = 0; y < h; y++) {
			addi(kx_filter_best(b.r[0], b.r[1], a.r[y], y ? a.r[y - 1] : NULL, (size_t)n, bpp));
			add(b.r[0], (size_t)n);
		}
		put(&a);
		free(b.mem);
	}
	print("kx_filter_best", "all");
	for (type = 0; type <= 8; type++) {
		begin(80 + (uint32_t)type);
		EACH(w, h) {
			int16_t diff[310];
			int y;

			get(&a, w, h, 0, 0, 1);
			get(&b, w, h, 0, 0, 0);
			for (y = 0; y < h; y++) {
				memset(diff, 0, sizeof(diff));
				addi(kx_difference(&cx, type, a.r[y], y ? a.r[y - 1] : NULL, diff, (KDIM)w));
				add(diff, sizeof(diff));
				cur = 1;
				if (y == 3 && w)
					diff[w - 1] ^= 5;
				addi(kx_undifference(&cx, type, diff, y ? b.r[y - 1] : NULL, b.r[y], (KDIM)w));
				cur = 0;
			}
			put(&a); put_as(1, &b);
		}
		sprintf(name, "psv%d", type);
		print("kx_difference/kx_undifference", name);
	}
	begin(90);
	EACH(w, h) {
		int y;

		get(&a, w * 4, 3, 1, 0, 1);
		kx_sub_green(a.r[0], (size_t)w);
		kx_add_green(a.r[1], (size_t)w);
		kx_cross_color(a.r[2], (size_t)w, (signed char)(h * 30), (signed char)(-h * 7), (signed char)(h - 5));
		for (y = 0; y < 3; y++) {
			cur = y;
			add(a.r[y], (size_t)(w * 4 + 1));
		}
		put(&a);
	}
	print("kx_sub_green/kx_add_green/kx_cross_color", "all");
	addi(errors);
}

static void do_words(void)
{
	int wi, w, h, big, bits;
	struct buf a, b;

	begin(100);
	EACH(w, h) {
		get(&a, w * 4 + 1, 2, h & 3, 0, 1);
		get(&b, w * 4 + 1, 2, h & 1, 0, 0);
		kx_swap16(b.r[0] + 1, a.r[0], (size_t)w);
		kx_swap32(b.r[1], a.r[1] + 1, (size_t)w);
		kx_swap16(a.r[0] + (h & 1), a.r[0] + (h & 1), (size_t)w * 2);
		kx_swap32(a.r[1], a.r[1], (size_t)w);
		add(a.r[0], (size_t)w * 4 + 1);
		add(b.r[0], (size_t)w * 4 + 1);
		put_as(1, &a); put_as(1, &b);
	}
	print("kx_swap16/kx_swap32", "all");
	begin(101);
	EACH(w, h) for (big = 0; big < 2; big++) for (bits = 8; bits <= 16; bits++) {
		uint16_t t[310];

		memset(t, 0, sizeof(t));
		get(&a, w * 2, 1, 0, 0, 1);
		get(&b, w * 2, 1, 3, 0, 0);
		kx_load16(t, a.r[0], (size_t)w, big, bits);
		kx_store16(b.r[0], t, (size_t)w, bits & 1);
		add(t, sizeof(t));
		put(&a); put_as(1, &b);
	}
	print("kx_load16/kx_store16", "all");
	begin(102);
	EACH(w, h) for (bits = 1; bits <= 4; bits++) {
		get(&a, (w * bits + 7) / 8, 1, 0, 0, 1);
		get(&b, w, 1, 2, 0, 0);
		addi(kx_unpack_bits(b.r[0], a.r[0], (KDIM)w, bits, h & 1));
		put(&a); put(&b);
	}
	print("kx_unpack_bits", "all");
}

static void do_blocks(void)
{
	int wi, w, h, i, v;
	struct buf a;

	begin(110);
	EACH(w, h) for (v = 0; v < 4; v++) {
		int16_t coef[3 * 64];
		uint16_t quant[64];

		for (i = 0; i < 3 * 64; i++)
			coef[i] = (int16_t)((int)(rnd() % 1200) - 600) * ((v == 1 && i / 8 % 2) ? 0 : 1);
		for (i = 0; i < 64; i++)
			quant[i] = (uint16_t)(1 + rnd() % 250);
		get(&a, w + 8, h + 8, v, v == 3, 1);
		kx_put_block(coef, a.r, (KDIM)(h / 2), (KDIM)(w / 3), v * 100 - 50);
		add(a.mem, a.len);
		cur = 2;
		kx_add_block(coef + 64, a.r[h - 1] + w, v == 3 ? -(w + 8 + v) : w + 8 + v);
		addi(kx_dequant(coef, quant, v));
		add(coef, sizeof(coef));
		cur = 3;
		kx_get_block(coef, a.r[0] + v, v == 3 ? -(w + 8 + v) : w + 8 + v, w - 1, h - (v == 2));
		add(coef, 64 * sizeof(coef[0]));
		put_as(1, &a);
	}
	print("kx_put_block/kx_add_block/kx_dequant/kx_get_block", "all");
}

int main(void)
{
	do_convert();
	do_chroma();
	do_rows();
	do_words();
	do_blocks();
	return 0;
}
