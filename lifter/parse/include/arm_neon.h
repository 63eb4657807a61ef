/* NEON as AArch64 has it. Where no machine is said, a source that includes this is read for one. */
#pragma once
#ifndef __aarch64__
#error arm_neon.h is for AArch64: say -target aarch64-linux-gnu
#else
#include <stdint.h>
#include <lift/words_begin.h>
#include <lift/neon_types.h>
#define LETTER p
#define BITS 8
#include <lift/neon_of_type.h>
#define LETTER p
#define BITS 16
#include <lift/neon_of_type.h>
#define LETTER p
#define BITS 64
#include <lift/neon_of_type.h>
#define LETTER f
#define BITS 32
#include <lift/neon_of_type.h>
#define LETTER f
#define BITS 64
#include <lift/neon_of_type.h>
/* The wide ones first: those of half the bits are made of them. */
#define LETTER u
#define BITS 64
#include <lift/neon_of_type.h>
#define LETTER s
#define BITS 64
#include <lift/neon_of_type.h>
#define LETTER u
#define BITS 32
#include <lift/neon_of_type.h>
#define LETTER s
#define BITS 32
#include <lift/neon_of_type.h>
#define LETTER u
#define BITS 16
#include <lift/neon_of_type.h>
#define LETTER s
#define BITS 16
#include <lift/neon_of_type.h>
#define LETTER u
#define BITS 8
#include <lift/neon_of_type.h>
#define LETTER s
#define BITS 8
#include <lift/neon_of_type.h>
#include <lift/neon_reinterpreted.h>
#include <lift/neon_lookup.h>
#include <lift/neon_estimates.h>
#include <lift/neon_halves.h>
LIFT_FUNCTION float64x2_t vcvt_f64_f32(float32x2_t a) { const float64x2_t r = {a[0], a[1]}; return r; }
LIFT_FUNCTION float64x2_t vcvt_high_f64_f32(float32x4_t a) { const float64x2_t r = {a[2], a[3]}; return r; }
LIFT_FUNCTION float32x2_t vcvt_f32_f64(float64x2_t a) { const float32x2_t r = {(float)a[0], (float)a[1]}; return r; }
LIFT_FUNCTION float32x4_t vcvt_high_f32_f64(float32x2_t first, float64x2_t a)
{
    const float32x4_t r = {first[0], first[1], (float)a[0], (float)a[1]};
    return r;
}
#include <lift/words_end.h>
#endif
