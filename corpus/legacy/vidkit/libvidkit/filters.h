#ifndef VIDKIT_FILTERS_H
#define VIDKIT_FILTERS_H

#include "libvidkit/vidkit.h"

extern const struct vdk_filter vdk_vf_boxblur;
extern const struct vdk_filter vdk_vf_gauss;
extern const struct vdk_filter vdk_vf_deint;
extern const struct vdk_filter vdk_vf_denoise;
extern const struct vdk_filter vdk_vf_levels;
extern const struct vdk_filter vdk_vf_fade;
extern const struct vdk_filter vdk_vf_psnr;
extern const struct vdk_filter vdk_vf_scene;
extern const struct vdk_filter vdk_vf_overlay;
extern const struct vdk_filter vdk_vf_transpose;

static inline int vdk_same(const struct vdk_frame *a, const struct vdk_frame *b)
{
	return a && b && a->format == b->format && a->width == b->width && a->height == b->height;
}

#endif
