; Large pages for memory that is walked through once: fewer page faults, fewer address look-ups.

declare i32 @madvise(ptr, i64, i32)

define linkonce_odr void @lift_wish_for_large_pages(ptr %memory, i64 %bytes) {
  ; 14 is MADV_HUGEPAGE; a kernel without it says no and nothing is lost.
  call i32 @madvise(ptr %memory, i64 %bytes, i32 14)
  ret void
}
