/* Functions of the lowest lane alone: REAL is float or double, W the vector, F its lanes, I integers as
   wide, LOWEST(name) the function's whole name, f what C's functions of REAL end in. */
#ifdef REAL
#define LOWEST1(op, ...) LIFT_FUNCTION W LOWEST(op)(W a) { W r = a; r[0] = __VA_ARGS__; return r; }
#define LOWEST2(op, ...) LIFT_FUNCTION W LOWEST(op)(W a, W b) { W r = a; r[0] = __VA_ARGS__; return r; }
LOWEST2(add, a[0] + b[0])
LOWEST2(sub, a[0] - b[0])
LOWEST2(mul, a[0] * b[0])
LOWEST2(div, a[0] / b[0])
LOWEST2(min, a[0] < b[0] ? a[0] : b[0])
LOWEST2(max, a[0] > b[0] ? a[0] : b[0])
LOWEST2(move, b[0])
#define MASK(op, ...)                                                                  \
    LIFT_FUNCTION W LOWEST(op)(W a, W b)                                               \
    { OF(I, 16) r = (OF(I, 16))a; r[0] = (__VA_ARGS__) ? -1 : 0; return (W)r; }
MASK(cmpeq, a[0] == b[0])
MASK(cmpneq, a[0] != b[0])
MASK(cmplt, a[0] < b[0])
MASK(cmple, a[0] <= b[0])
MASK(cmpgt, a[0] > b[0])
MASK(cmpge, a[0] >= b[0])
MASK(cmpnlt, !(a[0] < b[0]))
MASK(cmpnle, !(a[0] <= b[0]))
MASK(cmpngt, !(a[0] > b[0]))
MASK(cmpnge, !(a[0] >= b[0]))
MASK(cmpord, a[0] == a[0] && b[0] == b[0])
MASK(cmpunord, a[0] != a[0] || b[0] != b[0])
#undef MASK
/* Of numbers that aren't ordered, all but `neq` say 0. */
#define TEST(op, operator)                                                             \
    LIFT_FUNCTION int LOWEST(comi##op)(W a, W b) { return a[0] operator b[0]; }        \
    LIFT_FUNCTION int LOWEST(ucomi##op)(W a, W b) { return a[0] operator b[0]; }
TEST(eq, ==)
TEST(neq, !=)
TEST(lt, <)
TEST(le, <=)
TEST(gt, >)
TEST(ge, >=)
#undef TEST
#undef LOWEST1
#undef LOWEST2
#undef REAL
#undef W
#undef F
#undef I
#undef LOWEST
#endif
