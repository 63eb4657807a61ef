/* every optimised entry of the table must give what the plain one gives */
#include "testutil.h"

#define W 133
#define H 9

static struct vdk_dsp ref, opt;
static int failed;

#define FAIL(what, w) do { \
	fprintf(stderr, "%s: differs at width %d (flags %d)\n", what, w, opt.name_id); \
	failed++; \
} while (0)

static void check_avg(void)
{
	uint8_t a[W + 8], b[W + 8], d0[W + 8], d1[W + 8];

	for (int w = 0; w <= W; w++) {
		fill_random(a, sizeof(a));
		fill_random(b, sizeof(b));
		memset(d0, 7, sizeof(d0));
		memset(d1, 7, sizeof(d1));
		ref.avg_row(d0, a, b, w);
		opt.avg_row(d1, a, b, w);
		if (memcmp(d0, d1, sizeof(d0)))
			FAIL("avg_row", w);
	}
}

static void check_sad(void)
{
	static uint8_t a[W * H], b[W * H];

	fill_random(a, sizeof(a));
	fill_random(b, sizeof(b));
	for (int w = 0; w <= W; w++)
		for (int h = 0; h <= H; h++)
			if (ref.sad(a, W, b, W, w, h) != opt.sad(a, W, b, W, w, h))
				FAIL("sad", w);
}

static void check_hscale(void)
{
	uint8_t src[W + 16];
	int16_t filter[W * 8], d0[W], d1[W];
	int32_t pos[W];

	fill_random(src, sizeof(src));
	for (int i = 0; i < W * 8; i++)
		filter[i] = (int)(lfg() % 12000) - 4000;
	for (int i = 0; i < W; i++)
		pos[i] = lfg() % W;
	for (int taps = 1; taps <= 8; taps++)
		for (int w = 0; w <= W; w += 7) {
			memset(d0, 0, sizeof(d0));
			memset(d1, 0, sizeof(d1));
			ref.hscale(d0, w, src, filter, pos, taps);
			opt.hscale(d1, w, src, filter, pos, taps);
			if (memcmp(d0, d1, sizeof(d0)))
				FAIL("hscale", w);
		}
}

static void check_vscale(void)
{
	static int16_t rows[6][W];
	const int16_t *lines[6];
	int16_t filter[6];
	uint8_t dither[8], d0[W + 1], d1[W + 1];

	for (int j = 0; j < 6; j++) {
		for (int i = 0; i < W; i++)
			rows[j][i] = (int)(lfg() & 0x7fff);
		lines[j] = rows[j];
		filter[j] = j == 2 ? 4500 : (int)(lfg() % 400) - 200;
	}
	for (int i = 0; i < 8; i++)
		dither[i] = lfg() & 127;
	for (int taps = 1; taps <= 6; taps++)
		for (int w = 0; w <= W; w++) {
			memset(d0, 1, sizeof(d0));
			memset(d1, 1, sizeof(d1));
			ref.vscale(d0, w, filter, lines, taps, dither);
			opt.vscale(d1, w, filter, lines, taps, dither);
			if (memcmp(d0, d1, sizeof(d0)))
				FAIL("vscale", w);
		}
}

static void check_pack(void)
{
	uint8_t y[W], u[W], v[W], p[2 * W + 4], y2[W], u2[W], v2[W];

	for (int w = 0; w <= W; w++) {
		int cw = (w + 1) / 2;

		fill_random(y, W);
		fill_random(u, W);
		fill_random(v, W);
		opt.pack422(p, y, u, v, w);
		opt.unpack422(y2, u2, v2, p, w);
		if (memcmp(y, y2, w) || memcmp(u, u2, cw) || memcmp(v, v2, cw))
			FAIL("pack422", w);
	}
}

static const struct {
	const char *name;
	void (*fn)(void);
} checks[] = {
	{ "avg", check_avg },
	{ "sad", check_sad },
	{ "hscale", check_hscale },
	{ "vscale", check_vscale },
	{ "pack", check_pack },
};

int main(int argc, char **argv)
{
	int ran = 0;

	vdk_dsp_init(&ref, 0);
	for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		if (argc > 1 && strcmp(argv[1], checks[i].name))
			continue;
		for (unsigned flags = 0; flags < 4; flags++) {
			vdk_dsp_init(&opt, flags);
			checks[i].fn();
		}
		ran++;
	}
	if (!ran)
		return 77;	/* skipped */
	printf("checkdsp: %s\n", failed ? "FAILED" : "ok");
	return failed != 0;
}
