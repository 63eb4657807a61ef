; The locks of updates that no instruction does: one of 256, by the address that is updated.
;
; Every symbol is weak, so that the linker keeps one copy.

@lift_locks_1 = weak global [256 x [16 x i32]] zeroinitializer, align 64

declare i32 @sched_yield()

define linkonce_odr ptr @lift_lock_of(ptr %address) {
  %number = ptrtoint ptr %address to i64
  %mixed = mul i64 %number, -7046029254386353131
  %place = lshr i64 %mixed, 56
  %lock = getelementptr [256 x [16 x i32]], ptr @lift_locks_1, i64 0, i64 %place
  ret ptr %lock
}

define weak void @lift_lock(ptr %address) {
entry:
  %lock = call ptr @lift_lock_of(ptr %address)
  br label %try
try:
  %spins = phi i32 [ 0, %entry ], [ %more, %wait ], [ 0, %rest ]
  %before = atomicrmw xchg ptr %lock, i32 1 acquire
  %free = icmp eq i32 %before, 0
  br i1 %free, label %done, label %wait
wait:
  %more = add i32 %spins, 1
  %long = icmp sgt i32 %more, 64
  br i1 %long, label %rest, label %try
rest:
  ; Whoever holds the lock may wait for this very core.
  call i32 @sched_yield()
  br label %try
done:
  ret void
}

define weak void @lift_unlock(ptr %address) {
  %lock = call ptr @lift_lock_of(ptr %address)
  store atomic i32 0, ptr %lock release, align 64
  ret void
}
