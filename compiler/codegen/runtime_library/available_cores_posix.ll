; The cores that are switched on, for systems without processor masks.

declare i64 @sysconf(i32)

define linkonce_odr i32 @lift_available_cores() {
  %cores = call i64 @sysconf(i32 $ONLINE)
  %known = icmp sgt i64 %cores, 0
  %chosen = select i1 %known, i64 %cores, i64 1
  %result = trunc i64 %chosen to i32
  ret i32 %result
}
