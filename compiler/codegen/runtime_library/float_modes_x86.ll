; How floats are rounded and whether tiny ones count as zero: MXCSR without the flags of what has
; happened. Bits 7 to 12 say that no exception traps, 13 and 14 how to round, 15 and 6 are FTZ and DAZ.

declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)

; The modes of this thread.
define linkonce_odr i64 @lift_float_modes() {
  %place = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %place)
  %word = load i32, ptr %place
  %modes = and i32 %word, 65472
  %wide = zext i32 %modes to i64
  ret i64 %wide
}

; Gives this thread the modes that lift_float_modes gave of another.
define linkonce_odr void @lift_set_float_modes(i64 %modes) {
  %place = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %place)
  %word = load i32, ptr %place
  %flags = and i32 %word, 63
  %wanted = trunc i64 %modes to i32
  %new = or i32 %flags, %wanted
  store i32 %new, ptr %place
  call void @llvm.x86.sse.ldmxcsr(ptr %place)
  ret void
}

; int (void): whether this thread has the modes that C programs start with.
define weak i32 @lift_default_float_modes() {
  %modes = call i64 @lift_float_modes()
  %default = icmp eq i64 %modes, 8064
  %result = zext i1 %default to i32
  ret i32 %result
}
