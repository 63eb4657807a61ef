; Systems that choose the size of pages themselves.

define linkonce_odr void @lift_wish_for_large_pages(ptr %memory, i64 %bytes) {
  ret void
}
