/* Behind a list of functions. */
#undef LIFT_WIDTH
#undef BYTES
#undef FLOATS_AT
#undef MOST_PS
#undef MOST_PD
#undef V
#undef VF
#undef VD
#undef V_u
#undef VF_u
#undef VD_u
#undef OP
#undef WHOLE
#undef V2
#undef V2F
#undef BYTES2
