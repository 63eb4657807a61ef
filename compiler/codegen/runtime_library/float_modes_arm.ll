; How floats are rounded and whether tiny ones count as zero: FPCR's bits FIZ, AH, NEP (0 to 2), the
; traps (8 to 12, 15), FZ16 (19), the rounding (22, 23), FZ, DN and AHP (24 to 26).

declare i64 @llvm.aarch64.get.fpcr()
declare void @llvm.aarch64.set.fpcr(i64)

; The modes of this thread.
define linkonce_odr i64 @lift_float_modes() {
  %word = call i64 @llvm.aarch64.get.fpcr()
  %modes = and i64 %word, 130588423
  ret i64 %modes
}

; Gives this thread the modes that lift_float_modes gave of another.
define linkonce_odr void @lift_set_float_modes(i64 %modes) {
  %word = call i64 @llvm.aarch64.get.fpcr()
  %others = and i64 %word, -130588424
  %new = or i64 %others, %modes
  call void @llvm.aarch64.set.fpcr(i64 %new)
  ret void
}

; int (void): whether this thread has the modes that C programs start with.
define weak i32 @lift_default_float_modes() {
  %modes = call i64 @lift_float_modes()
  %default = icmp eq i64 %modes, 0
  %result = zext i1 %default to i32
  ret i32 %result
}
