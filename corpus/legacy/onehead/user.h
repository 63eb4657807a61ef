/* user.h - what user.cpp offers to C */
#ifndef USER_H
#define USER_H
#include "oh_fx.h"
#ifdef __cplusplus
extern "C" {
#endif
int user_thumbnail(ohx_img *dst, const ohx_img *src, int gray);
int user_glow(ohx_img *im, int radius);
extern int user_rows_done;
#ifdef __cplusplus
}
#endif
#endif
