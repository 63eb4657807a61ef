/* ck-composite.c - the general compositor */
#include "ck-private.h"

#define STACK_PIXELS 96

static int use_fast = 1;

void
ck_set_fast_paths (int on)
{
	use_fast = on;
}

/* cuts the operation to what all three images have; 0 if nothing is left */
static int
clip_rects (ck_rects *r)
{
	int cut;

#define CLIP_LOW(v)								\
	if ((cut = -(r->v)) > 0)						\
	{									\
		if (#v[1] == 'x') { r->sx += cut; r->mx += cut; r->dx += cut; r->w -= cut; } \
		else { r->sy += cut; r->my += cut; r->dy += cut; r->h -= cut; }	\
	}
#define CLIP_HIGH(len, v, limit)						\
	if (r->len > (limit) - r->v)						\
		r->len = (limit) - r->v;

	CLIP_LOW (dx)
	CLIP_LOW (dy)
	CLIP_HIGH (w, dx, r->dst->width)
	CLIP_HIGH (h, dy, r->dst->height)
	if (!r->src->is_solid)
	{
		CLIP_LOW (sx)
		CLIP_LOW (sy)
		CLIP_HIGH (w, sx, r->src->width)
		CLIP_HIGH (h, sy, r->src->height)
	}
	if (r->mask && !r->mask->is_solid)
	{
		CLIP_LOW (mx)
		CLIP_LOW (my)
		CLIP_HIGH (w, mx, r->mask->width)
		CLIP_HIGH (h, my, r->mask->height)
	}
	return r->w > 0 && r->h > 0;
}

static void
fill_line (uint32_t *line, uint32_t v, int n)
{
	while (n > 0)
		line[--n] = v;
}

static ck_status
general_composite (ck_op op, const ck_rects *r)
{
	uint32_t stack[3 * STACK_PIXELS];
	uint32_t *buf = stack, *s, *d, *m = NULL;
	ck_combine_fn combine = _ck_combine_u[op];
	int y;

	if (r->w > STACK_PIXELS)
	{
		buf = malloc (3 * (size_t) r->w * sizeof *buf);
		if (!buf)
			return CK_ERR_NOMEM;
	}
	s = buf;
	d = buf + r->w;
	if (r->mask)
	{
		m = d + r->w;
		if (r->mask->component_alpha && _ck_combine_ca[op])
			combine = _ck_combine_ca[op];
		if (r->mask->is_solid)
			fill_line (m, r->mask->solid, r->w);
	}
	if (r->src->is_solid)
		fill_line (s, r->src->solid, r->w);

	for (y = 0; y < r->h; ++y)
	{
		if (!r->src->is_solid)
			r->src->fetch (r->src, r->sx, r->sy + y, r->w, s);
		if (m && !r->mask->is_solid)
			r->mask->fetch (r->mask, r->mx, r->my + y, r->w, m);
		r->dst->fetch (r->dst, r->dx, r->dy + y, r->w, d);
		combine (d, s, m, r->w);
		r->dst->store (r->dst, r->dx, r->dy + y, r->w, d);
	}

	if (buf != stack)
		free (buf);
	return CK_OK;
}

ck_status
ck_composite (ck_op op, ck_image *src, ck_image *mask, ck_image *dst,
	      int src_x, int src_y, int mask_x, int mask_y,
	      int dst_x, int dst_y, int width, int height)
{
	ck_rects r = { src, mask, dst, src_x, src_y, mask_x, mask_y, dst_x, dst_y, width, height };
	ck_fast_fn fast;

	if ((unsigned) op >= CK_N_OPS || !src || !dst || dst->is_solid)
		return CK_ERR_ARG;
	if (!clip_rects (&r))
		return CK_OK;
	if (use_fast && src != dst && (fast = _ck_find_fast (op, src, mask, dst)) != NULL)
	{
		fast (&r);
		return CK_OK;
	}
	return general_composite (op, &r);
}
