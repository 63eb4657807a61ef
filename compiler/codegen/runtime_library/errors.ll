; Where a pipeline that failed says so: the program's handler, or a line on the standard error.

@lift_error_handler = weak global ptr null
@lift.error_line = private constant [10 x i8] c"lift: %s\0A\00"

declare i32 @dprintf(i32, ptr, ...)

; Sets void (*handler)(const char *message); null brings the line on the standard error back.
define weak void @lift_set_error_handler(ptr %handler) {
  store atomic ptr %handler, ptr @lift_error_handler release, align 8
  ret void
}

define weak void @lift_error(ptr %message) {
entry:
  %handler = load atomic ptr, ptr @lift_error_handler acquire, align 8
  %none = icmp eq ptr %handler, null
  br i1 %none, label %print, label %call
call:
  call void %handler(ptr %message)
  ret void
print:
  call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @lift.error_line, ptr %message)
  ret void
}
