/* ck-image.c - image objects, whole-image conversions */
#include "ck-private.h"

static ck_image *
image_alloc (void)
{
	ck_image *img = calloc (1, sizeof *img);

	if (!img)
		return NULL;
	if (pthread_mutex_init (&img->lock, NULL) != 0)
	{
		free (img);
		return NULL;
	}
	img->refs = 1;
	return img;
}

ck_image *
ck_image_for_data (ck_format format, int width, int height, void *bits, ptrdiff_t stride)
{
	ck_image *img;

	if ((unsigned) format >= CK_N_FORMATS || width < 0 || height < 0)
		return NULL;
	img = image_alloc ();
	if (!img)
		return NULL;
	img->format = format;
	img->width = width;
	img->height = height;
	img->stride = stride;
	img->bits = bits;
	img->fetch = _ck_accessors[format].fetch;
	img->store = _ck_accessors[format].store;
	return img;
}

/* stride 0: rows padded to words */
ck_image *
ck_image_new (ck_format format, int width, int height, int stride)
{
	ck_image *img = ck_image_for_data (format, width, height, NULL, stride);
	int used;

	if (!img)
		return NULL;
	used = (width * _ck_accessors[format].bpp + 7) / 8;
	if (stride == 0)
		img->stride = (used + 3) & ~3;
	else if (stride < used)
		goto fail;
	img->size = (size_t) img->stride * height;
	img->bits = calloc (1, img->size + 4);
	if (!img->bits)
		goto fail;
	img->owns_bits = 1;
	return img;

fail:
	ck_image_unref (img);
	return NULL;
}

ck_image *
ck_image_solid (uint32_t premul)
{
	ck_image *img = image_alloc ();

	if (img)
	{
		img->is_solid = 1;
		img->solid = premul;
	}
	return img;
}

ck_image *
ck_image_ref (ck_image *img)
{
	pthread_mutex_lock (&img->lock);
	img->refs++;
	pthread_mutex_unlock (&img->lock);
	return img;
}

void
ck_image_unref (ck_image *img)
{
	int left;

	if (!img)
		return;
	pthread_mutex_lock (&img->lock);
	left = --img->refs;
	pthread_mutex_unlock (&img->lock);
	if (left > 0)
		return;
	pthread_mutex_destroy (&img->lock);
	if (img->owns_bits)
		free (img->bits);
	free (img);
}

void
ck_image_set_component_alpha (ck_image *img, int on)
{
	img->component_alpha = on ? 1 : 0;
}

void *
ck_image_bits (ck_image *img)
{
	return img->bits;
}

size_t
ck_image_size (const ck_image *img)
{
	return img->size;
}

ck_status
ck_premultiply (ck_image *img)
{
	int x, y;

	if (!img || img->is_solid)
		return CK_ERR_ARG;
	if (img->format != CK_ARGB32)
		return CK_ERR_FORMAT;

	pthread_mutex_lock (&img->lock);
	for (y = 0; y < img->height; y++)
	{
		uint32_t *p = (uint32_t *) ROW (img, y);

		for (x = 0; x < img->width; x++)
		{
			uint32_t a = ALPHA (p[x]);

			if (a == 0)
				p[x] = 0;
			else if (a != 0xff)
				p[x] = quad_mul (p[x] | 0xff000000u, a);
		}
	}
	pthread_mutex_unlock (&img->lock);
	return CK_OK;
}

/* 255 / a in 16.16, filled when first needed */
static uint32_t		recip[256];
static pthread_once_t	recip_once = PTHREAD_ONCE_INIT;

static void
init_recip (void)
{
	int a;

	for (a = 1; a < 256; a++)
		recip[a] = ((255u << 16) + a / 2) / a;
}

ck_status
ck_unpremultiply (ck_image *img)
{
	int y;

	if (!img || img->is_solid)
		return CK_ERR_ARG;
	if (img->format != CK_ARGB32)
		return CK_ERR_FORMAT;
	pthread_once (&recip_once, init_recip);

	pthread_mutex_lock (&img->lock);
	for (y = 0; y < img->height; y++)
	{
		uint32_t *p = (uint32_t *) ROW (img, y);
		uint32_t *end = p + img->width;

		for (; p < end; p++)
		{
			uint32_t a = ALPHA (*p), f, r, g, b;

			if (a == 255)
				continue;
			f = recip[a];
			r = (RED (*p) * f + 0x8000) >> 16;
			g = (GREEN (*p) * f + 0x8000) >> 16;
			b = (BLUE (*p) * f + 0x8000) >> 16;
			if (r > 255) r = 255;
			if (g > 255) g = 255;
			if (b > 255) b = 255;
			*p = PACK (a, r, g, b);
		}
	}
	pthread_mutex_unlock (&img->lock);
	return CK_OK;
}
