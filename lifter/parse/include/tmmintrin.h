/* SSSE3. */
#pragma once
#include <pmmintrin.h>
#define LIFT_WIDTH 128
#include <lift/x86_width.h>
#include <lift/x86_ssse3.h>
#include <lift/x86_ssse3_pairs.h>
#include <lift/x86_width_end.h>
