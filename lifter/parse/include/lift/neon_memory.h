/* Loads and stores; elements of two to four vectors in turn (ld2), whole vectors one behind the other (ld1_x2). */
#define AT(p) ((const PASTE(__, T, W, _u) *)(p))
#define TO(p) ((PASTE(__, T, W, _u) *)(p))
#define V2 PASTE(__, T, W, 2)
#define V3 PASTE(__, T, W, 3)
#define V4 PASTE(__, T, W, 4)
#define X2(op) PASTE5(v##op, Q, _, T, _x2)
#define X3(op) PASTE5(v##op, Q, _, T, _x3)
#define X4(op) PASTE5(v##op, Q, _, T, _x4)
#define OWN(name) PASTE(__##name, Q, _, T)
LIFT_FUNCTION V OP(ld1)(const E *p) { return *AT(p); }
LIFT_FUNCTION void OP(st1)(E *p, V a) { *TO(p) = a; }
LIFT_FUNCTION V OP_WITH(ld1, dup)(const E *p) { return OP_WITH(dup, n)(*p); }
LIFT_FUNCTION V OP_WITH(ld1, lane)(const E *p, V a, UP_TO(LAST) n) { V r = a; r[n] = *p; return r; }
LIFT_FUNCTION void OP_WITH(st1, lane)(E *p, V a, UP_TO(LAST) n) { *p = a[n]; }

LIFT_FUNCTION V2 X2(ld1)(const E *p) { const V2 r = {{AT(p)[0], AT(p)[1]}}; return r; }
LIFT_FUNCTION V3 X3(ld1)(const E *p) { const V3 r = {{AT(p)[0], AT(p)[1], AT(p)[2]}}; return r; }
LIFT_FUNCTION V4 X4(ld1)(const E *p) { const V4 r = {{AT(p)[0], AT(p)[1], AT(p)[2], AT(p)[3]}}; return r; }
LIFT_FUNCTION void X2(st1)(E *p, V2 a) { TO(p)[0] = a.val[0], TO(p)[1] = a.val[1]; }
LIFT_FUNCTION void X3(st1)(E *p, V3 a) { TO(p)[0] = a.val[0], TO(p)[1] = a.val[1], TO(p)[2] = a.val[2]; }
LIFT_FUNCTION void X4(st1)(E *p, V4 a) { TO(p)[0] = a.val[0], TO(p)[1] = a.val[1], TO(p)[2] = a.val[2], TO(p)[3] = a.val[3]; }

/* Every second, third and fourth of what lies in a row, from element k on. */
#define SECOND(j) ((j) < COUNT ? a[j] : b[(j) - COUNT])
#define THIRD(j) ((j) < COUNT ? a[j] : (j) < 2 * COUNT ? b[(j) - COUNT] : c[(j) - 2 * COUNT])
#define FOURTH(j) ((j) < COUNT ? a[j] : (j) < 2 * COUNT ? b[(j) - COUNT] : (j) < 3 * COUNT ? c[(j) - 2 * COUNT] : d[(j) - 3 * COUNT])
LIFT_FUNCTION V OWN(every2)(V a, V b, int k) EACH(V, SECOND(2 * i + k))
LIFT_FUNCTION V OWN(every3)(V a, V b, V c, int k) EACH(V, THIRD(3 * i + k))
LIFT_FUNCTION V OWN(every4)(V a, V b, V c, V d, int k) EACH(V, FOURTH(4 * i + k))
#undef SECOND
#undef THIRD
#undef FOURTH
LIFT_FUNCTION V2 OP(ld2)(const E *p)
{
    const V a = AT(p)[0], b = AT(p)[1];
    const V2 r = {{OWN(every2)(a, b, 0), OWN(every2)(a, b, 1)}};
    return r;
}
LIFT_FUNCTION V3 OP(ld3)(const E *p)
{
    const V a = AT(p)[0], b = AT(p)[1], c = AT(p)[2];
    const V3 r = {{OWN(every3)(a, b, c, 0), OWN(every3)(a, b, c, 1), OWN(every3)(a, b, c, 2)}};
    return r;
}
LIFT_FUNCTION V4 OP(ld4)(const E *p)
{
    const V a = AT(p)[0], b = AT(p)[1], c = AT(p)[2], d = AT(p)[3];
    const V4 r = {{OWN(every4)(a, b, c, d, 0), OWN(every4)(a, b, c, d, 1),
                   OWN(every4)(a, b, c, d, 2), OWN(every4)(a, b, c, d, 3)}};
    return r;
}

/* Vector k of what lies in a row where two to four vectors' lanes come in turn. */
#define PLACE(n) ((k * COUNT + i) / (n))
#define TURN(n) ((k * COUNT + i) % (n))
LIFT_FUNCTION V OWN(turns2)(V a, V b, int k) EACH(V, (TURN(2) ? b : a)[PLACE(2)])
LIFT_FUNCTION V OWN(turns3)(V a, V b, V c, int k) EACH(V, (TURN(3) == 0 ? a : TURN(3) == 1 ? b : c)[PLACE(3)])
LIFT_FUNCTION V OWN(turns4)(V a, V b, V c, V d, int k)
    EACH(V, (TURN(4) == 0 ? a : TURN(4) == 1 ? b : TURN(4) == 2 ? c : d)[PLACE(4)])
#undef PLACE
#undef TURN
LIFT_FUNCTION void OP(st2)(E *p, V2 v)
{
    const V a = v.val[0], b = v.val[1];
    TO(p)[0] = OWN(turns2)(a, b, 0);
    TO(p)[1] = OWN(turns2)(a, b, 1);
}
LIFT_FUNCTION void OP(st3)(E *p, V3 v)
{
    const V a = v.val[0], b = v.val[1], c = v.val[2];
    TO(p)[0] = OWN(turns3)(a, b, c, 0);
    TO(p)[1] = OWN(turns3)(a, b, c, 1);
    TO(p)[2] = OWN(turns3)(a, b, c, 2);
}
LIFT_FUNCTION void OP(st4)(E *p, V4 v)
{
    const V a = v.val[0], b = v.val[1], c = v.val[2], d = v.val[3];
    TO(p)[0] = OWN(turns4)(a, b, c, d, 0);
    TO(p)[1] = OWN(turns4)(a, b, c, d, 1);
    TO(p)[2] = OWN(turns4)(a, b, c, d, 2);
    TO(p)[3] = OWN(turns4)(a, b, c, d, 3);
}

LIFT_FUNCTION V2 OP_WITH(ld2, dup)(const E *p) { const V2 r = {{OP_WITH(dup, n)(p[0]), OP_WITH(dup, n)(p[1])}}; return r; }
LIFT_FUNCTION V3 OP_WITH(ld3, dup)(const E *p) { const V3 r = {{OP_WITH(dup, n)(p[0]), OP_WITH(dup, n)(p[1]), OP_WITH(dup, n)(p[2])}}; return r; }
LIFT_FUNCTION V4 OP_WITH(ld4, dup)(const E *p) { const V4 r = {{OP_WITH(dup, n)(p[0]), OP_WITH(dup, n)(p[1]), OP_WITH(dup, n)(p[2]), OP_WITH(dup, n)(p[3])}}; return r; }
LIFT_FUNCTION V2 OP_WITH(ld2, lane)(const E *p, V2 a, UP_TO(LAST) n)
{
    const V2 r = {{OP_WITH(set, lane)(p[0], a.val[0], n), OP_WITH(set, lane)(p[1], a.val[1], n)}};
    return r;
}
LIFT_FUNCTION V3 OP_WITH(ld3, lane)(const E *p, V3 a, UP_TO(LAST) n)
{
    const V3 r = {{OP_WITH(set, lane)(p[0], a.val[0], n), OP_WITH(set, lane)(p[1], a.val[1], n), OP_WITH(set, lane)(p[2], a.val[2], n)}};
    return r;
}
LIFT_FUNCTION V4 OP_WITH(ld4, lane)(const E *p, V4 a, UP_TO(LAST) n)
{
    const V4 r = {{OP_WITH(set, lane)(p[0], a.val[0], n), OP_WITH(set, lane)(p[1], a.val[1], n),
                   OP_WITH(set, lane)(p[2], a.val[2], n), OP_WITH(set, lane)(p[3], a.val[3], n)}};
    return r;
}
LIFT_FUNCTION void OP_WITH(st2, lane)(E *p, V2 a, UP_TO(LAST) n) { p[0] = a.val[0][n], p[1] = a.val[1][n]; }
LIFT_FUNCTION void OP_WITH(st3, lane)(E *p, V3 a, UP_TO(LAST) n) { p[0] = a.val[0][n], p[1] = a.val[1][n], p[2] = a.val[2][n]; }
LIFT_FUNCTION void OP_WITH(st4, lane)(E *p, V4 a, UP_TO(LAST) n) { p[0] = a.val[0][n], p[1] = a.val[1][n], p[2] = a.val[2][n], p[3] = a.val[3][n]; }
#undef AT
#undef TO
#undef V2
#undef V3
#undef V4
#undef OWN
#undef X2
#undef X3
#undef X4
