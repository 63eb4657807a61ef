/* The lists of functions of vectors of T, of one width. */
#define V PASTE(__, T, W, )
#define UV VECTOR(u, BITS, W)
#define SV VECTOR(s, BITS, W)
#define OP(name) PASTE(v##name, Q, _, T)
#define OP_WITH(name, what) PASTE5(v##name, Q, _##what, _, T)
#define EACH1(op, ...) LIFT_FUNCTION V OP(op)(V a) EACH(V, __VA_ARGS__)
#define EACH2(op, ...) LIFT_FUNCTION V OP(op)(V a, V b) EACH(V, __VA_ARGS__)
#define EACH3(op, ...) LIFT_FUNCTION V OP(op)(V a, V b, V c) EACH(V, __VA_ARGS__)
/* What is computed of vectors as C does it, which wraps in each lane. */
#define WHOLE1(op, ...) LIFT_FUNCTION V OP(op)(V a) { return __VA_ARGS__; }
#define WHOLE2(op, ...) LIFT_FUNCTION V OP(op)(V a, V b) { return __VA_ARGS__; }
#define WHOLE3(op, ...) LIFT_FUNCTION V OP(op)(V a, V b, V c) { return __VA_ARGS__; }
/* All ones in lanes where it holds. */
#define MASK1(op, ...) LIFT_FUNCTION UV OP(op)(V a) EACH(UV, (__VA_ARGS__) ? -1 : 0)
#define MASK2(op, ...) LIFT_FUNCTION UV OP(op)(V a, V b) EACH(UV, (__VA_ARGS__) ? -1 : 0)

#include <lift/neon_moved.h>
#include <lift/neon_memory.h>
#if IS_INTEGER
#include <lift/neon_integers.h>
#include <lift/neon_shifts.h>
#endif
#if IS_FLOAT
#include <lift/neon_floats.h>
#endif
#if IS_INTEGER || IS_FLOAT
#include <lift/neon_numbers.h>
#endif
#if IS_FLOAT
#undef FN
#undef IS_NAN
#undef GREATER
#undef SMALLER
#undef MAX_OF
#undef MIN_OF
#undef MAX_NUMBER
#undef MIN_NUMBER
#endif

#undef V
#undef UV
#undef SV
#undef OP
#undef OP_WITH
#undef EACH1
#undef EACH2
#undef EACH3
#undef WHOLE1
#undef WHOLE2
#undef WHOLE3
#undef MASK1
#undef MASK2
#undef Q
#undef W
#undef COUNT
#undef LAST
