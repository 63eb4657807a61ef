/* Behind a list of functions. */
#undef LIFT_WIDTH
#undef BYTES
#undef V
#undef VF
#undef VD
#undef OP
#undef i8v
#undef u8v
#undef i16v
#undef u16v
#undef i32v
#undef u32v
#undef i64v
#undef u64v
#undef f32v
#undef f64v
