/* The lists that have masked forms, for one width. */
#if LIFT_WIDTH
#include <lift/x86_width.h>
#include <lift/x86_floats.h>
#include <lift/x86_sse2.h>
#include <lift/x86_ssse3.h>
#include <lift/x86_sse3_moved.h>
#include <lift/x86_sse41.h>
#include <lift/x86_widened.h>
#include <lift/x86_avx.h>
#include <lift/x86_avx2.h>
#include <lift/x86_fma.h>
#include <lift/x86_avx512_lanes.h>
#include <lift/x86_width_end.h>
#endif
