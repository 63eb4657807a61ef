/*
 * framesum <filter> [reference]: a checksum a frame and plane, after the filter,
 * of a moving test picture. With a reference file the lines are compared to it.
 */
#include "testutil.h"

#define FRAMES 5

static void paint(struct vdk_frame *f, int n)
{
	for (int p = 0; p < vdk_fmt(f->format)->nb_planes; p++)
		for (int y = 0; y < vdk_plane_height(f, p); y++)
			for (int x = 0; x < vdk_plane_width(f, p); x++) {
				int v = (x * 3 + y * 5 + n * 7 + p * 40) & 255;

				if ((x - 8 * n) * (x - 8 * n) + (y - 20) * (y - 20) < 100)
					v = 235 - p * 30;
				f->data[p][y * f->linesize[p] + x] = (uint8_t)(v + (lfg() & 3) * (v < 250));
			}
}

static char lines[FRAMES * 4][64];
static int nb_lines;

static void sum_frame(const struct vdk_frame *f, int n)
{
	for (int p = 0; p < vdk_fmt(f->format)->nb_planes; p++) {
		uint32_t a = 1;
		int w = vdk_plane_width(f, p);

		for (int y = 0; y < vdk_plane_height(f, p); y++)
			a = adler(a, f->data[p] + y * f->linesize[p], w);
		sprintf(lines[nb_lines++], "%d, %d, %dx%d, 0x%08x\n", n, p, w, vdk_plane_height(f, p), (unsigned)a);
	}
}

static const struct {
	const char *test, *filter;
	enum vdk_pixfmt fmt;
	int opt[4], nb_opt;
} tests[] = {
	{ "blur",    "boxblur", VDK_FMT_YUV420P,  { 3, 2 }, 2 },
	{ "deint",   "deint",   VDK_FMT_YUV420P,  { 2, 0 }, 2 },
	{ "denoise", "denoise", VDK_FMT_YUV444P,  { 20, 30 }, 2 },
	{ "levels",  "levels",  VDK_FMT_YUV422P,  { 20, 200, 255, 16 }, 4 },
	{ "overlay", "overlay", VDK_FMT_YUVA420P, { -10, 12 }, 2 },
	{ "scale",   NULL,      VDK_FMT_GRAY8,    { 0 }, 0 },
};

int main(int argc, char **argv)
{
	unsigned t;

	if (argc < 2)
		return 2;
	for (t = 0; t < sizeof(tests) / sizeof(tests[0]); t++)
		if (!strcmp(tests[t].test, argv[1]))
			break;
	if (t == sizeof(tests) / sizeof(tests[0]))
		return 2;

	struct vdk_ctx *ctx = NULL;
	struct vdk_frame *in = vdk_frame_alloc(tests[t].fmt, 85, 61, 32), *last = vdk_frame_alloc(tests[t].fmt, 85, 61, 16);
	struct vdk_frame *out = vdk_frame_alloc(tests[t].fmt, 85, 61, 16), *aux = vdk_frame_alloc(VDK_FMT_YUVA420P, 40, 30, 8);
	int ret = 0;

	if (!in || !out || !last || !aux)
		return 2;
	if (tests[t].filter && (ret = vdk_ctx_open(&ctx, tests[t].filter, 3, 2, tests[t].opt, tests[t].nb_opt)) < 0)
		goto end;
	paint(aux, 3);
	for (int n = 0; n < FRAMES && ret >= 0; n++) {
		paint(in, n);
		if (ctx) {
			ret = vdk_ctx_run(ctx, out, in, !strcmp(tests[t].test, "overlay") ? aux : n ? last : NULL);
			sum_frame(out, n);
		} else {
			struct vdk_dsp d;
			struct vdk_scaler *s;
			struct vdk_frame *o = vdk_frame_alloc(VDK_FMT_GRAY8, 30 + 40 * n, 100 - 20 * n, 16);

			vdk_dsp_init(&d, 3);
			s = vdk_scaler_new(85, 61, o->width, o->height, &d);
			ret = vdk_scale_plane(s, o->data[0], o->linesize[0], in->data[0], in->linesize[0]);
			sum_frame(o, n);
			vdk_scaler_free(s);
			vdk_frame_free(&o);
		}
		vdk_frame_copy(last, in);
	}
end:
	vdk_ctx_close(&ctx);
	vdk_frame_free(&in);
	vdk_frame_free(&out);
	vdk_frame_free(&last);
	vdk_frame_free(&aux);
	if (ret < 0) {
		fprintf(stderr, "framesum: error %d\n", ret);
		return 1;
	}
	if (argc > 2) {
		FILE *f = fopen(argv[2], "r");
		char buf[64];

		if (!f)
			return 2;
		for (int i = 0; i < nb_lines; i++)
			if (!fgets(buf, sizeof(buf), f) || strcmp(buf, lines[i])) {
				fprintf(stderr, "line %d: have %s", i + 1, lines[i]);
				ret = 1;
			}
		fclose(f);
		return ret != 0;
	}
	for (int i = 0; i < nb_lines; i++)
		fputs(lines[i], stdout);
	return 0;
}
