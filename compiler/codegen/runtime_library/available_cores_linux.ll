; The cores that this process may run on, as the kernel's scheduler has it.

declare i32 @sched_getaffinity(i32, i64, ptr)
declare i64 @llvm.ctpop.i64(i64)

define linkonce_odr i32 @lift_available_cores() {
entry:
  %mask = alloca [16 x i64]
  store [16 x i64] zeroinitializer, ptr %mask
  call i32 @sched_getaffinity(i32 0, i64 128, ptr %mask)
  br label %word
word:
  %i = phi i64 [ 0, %entry ], [ %following, %word ]
  %sum = phi i64 [ 0, %entry ], [ %more, %word ]
  %word.p = getelementptr i64, ptr %mask, i64 %i
  %bits = load i64, ptr %word.p
  %ones = call i64 @llvm.ctpop.i64(i64 %bits)
  %more = add i64 %sum, %ones
  %following = add i64 %i, 1
  %last = icmp eq i64 %following, 16
  br i1 %last, label %done, label %word
done:
  %known = icmp sgt i64 %more, 0
  %cores = select i1 %known, i64 %more, i64 1
  %result = trunc i64 %cores to i32
  ret i32 %result
}
