/*
 * resample.c -- chooses and runs the passes
 */
#include <stdlib.h>

#include "internal.h"

static const rs_passes passes[RS_MODE_COUNT] = {
    [RS_MODE_L] = {rs_horizontal_8, rs_vertical_8, 1},
    [RS_MODE_LA] = {rs_horizontal_8, rs_vertical_8, 1},
    [RS_MODE_RGB] = {rs_horizontal_8, rs_vertical_8, 1},
    [RS_MODE_RGBA] = {rs_horizontal_8, rs_vertical_8, 1},
    [RS_MODE_L16LE] = {rs_horizontal_16, rs_vertical_16, 0},
    [RS_MODE_L16BE] = {rs_horizontal_16, rs_vertical_16, 0},
    [RS_MODE_I32] = {rs_horizontal_32, rs_vertical_32, 0},
    [RS_MODE_F32] = {rs_horizontal_32, rs_vertical_32, 0},
    [RS_MODE_RGBAF] = {rs_horizontal_32, rs_vertical_32, 0},
};

rs_status
rs_resize(rs_image *out, const rs_image *in, rs_filter filter, const float *box,
          rs_progress_fn progress, void *opaque)
{
    rs_coeffs horiz = {0}, vert = {0};
    rs_image *temp = NULL;
    rs_status status = RS_OK;
    float whole[4];
    int need_h, need_v, first, last;
    const rs_passes *p;

    if (!out || !in) {
        return RS_ERR_ARG;
    }
    if (out->mode != in->mode) {
        return RS_ERR_MODE;
    }
    if (out->xsize < 1 || out->ysize < 1 || in->xsize < 1 || in->ysize < 1) {
        return RS_ERR_SIZE;
    }
    if (filter == RS_NEAREST) {
        return rs_resize_nearest(out, in, box);
    }
    if (!box) {
        whole[0] = whole[1] = 0.0f;
        whole[2] = (float)in->xsize;
        whole[3] = (float)in->ysize;
        box = whole;
    }
    if (!(box[0] >= 0 && box[1] >= 0 && box[2] <= in->xsize && box[3] <= in->ysize &&
          box[2] > box[0] && box[3] > box[1])) {
        return RS_ERR_BOX;
    }

    p = &passes[in->mode];
    need_h = out->xsize != in->xsize || box[0] != 0.0f || box[2] != (float)out->xsize;
    need_v = out->ysize != in->ysize || box[1] != 0.0f || box[3] != (float)out->ysize;

    if ((status = rs_coeffs_make(&horiz, in->xsize, box[0], box[2], out->xsize, filter, p->fixed))) {
        goto done;
    }
    if ((status = rs_coeffs_make(&vert, in->ysize, box[1], box[3], out->ysize, filter, p->fixed))) {
        goto done;
    }

    /* only these input rows are ever looked at by the second pass */
    first = vert.bounds[0];
    last = vert.bounds[out->ysize * 2 - 2] + vert.bounds[out->ysize * 2 - 1];

    if (need_h && need_v) {
        temp = rs_image_new(in->mode, out->xsize, last - first);
        if (!temp) {
            status = RS_ERR_MEMORY;
            goto done;
        }
        p->horizontal(temp, in, first, &horiz);
        if (progress && progress(opaque, 1, 2)) {
            status = RS_ERR_ABORTED;
            goto done;
        }
        p->vertical(out, temp, first, &vert);
    } else if (need_h) {
        p->horizontal(out, in, 0, &horiz);
    } else if (need_v) {
        p->vertical(out, in, 0, &vert);
    } else {
        status = rs_image_copy_rect(out, 0, 0, in, NULL);
    }
    if (progress && progress(opaque, 2, 2)) {
        status = RS_ERR_ABORTED;
    }

done:
    rs_image_free(temp);
    rs_coeffs_free(&vert);
    rs_coeffs_free(&horiz);
    return status;
}
