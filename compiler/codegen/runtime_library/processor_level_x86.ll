; What the processor at hand and its operating system can do: 1 SSE4.1, 2 AVX2, 3 AVX-512, 0 less.
;
; Level 1 is x86-64-v2 (SSSE3, SSE4.1, SSE4.2, POPCNT), 2 is x86-64-v3 (AVX, AVX2, FMA, F16C, BMI, BMI2,
; LZCNT, MOVBE), 3 is x86-64-v4 (AVX-512 F, BW, CD, DQ, VL). Registers count where the system saves
; them (XGETBV). LIFT_CPU=sse41|avx2|avx512 chooses a lower level.
;
; Every symbol is weak, so that the linker keeps one copy. The level is found by whoever asks first; two
; threads that ask at once find the same.

@lift_processor_level_1 = weak global i32 -1, align 64
@lift.processor_variable = private constant [9 x i8] c"LIFT_CPU\00"
@lift.processor_sse41 = private constant [6 x i8] c"sse41\00"
@lift.processor_avx2 = private constant [5 x i8] c"avx2\00"
@lift.processor_avx512 = private constant [7 x i8] c"avx512\00"
@lift.processor_unknown = private constant [68 x i8] c"lift: LIFT_CPU=%s is ignored: it is none of sse41, avx2 and avx512\0A\00"
@lift.processor_lacks = private constant [65 x i8] c"lift: LIFT_CPU=%s is ignored: this machine doesn't support that\0A\00"

declare ptr @getenv(ptr)
declare i32 @strcmp(ptr, ptr)
declare i32 @dprintf(i32, ptr, ...)

; uint32_t (void): xor ecx, ecx; xgetbv; ret
define weak hidden i32 @lift_saved_registers() noinline nounwind prologue [6 x i8] c"\31\c9\0f\01\d0\c3" {
  ret i32 0
}

; Whether all bits of `wanted` are in `word`.
define internal i1 @lift.has(i32 %word, i32 %wanted) {
  %common = and i32 %word, %wanted
  %all = icmp eq i32 %common, %wanted
  ret i1 %all
}

define internal i32 @lift.found_level() {
entry:
  %registers = alloca [4 x i32]
  %b.at = getelementptr i32, ptr %registers, i64 1
  %c.at = getelementptr i32, ptr %registers, i64 2
  call void @lift_cpuid(i32 0, i32 0, ptr %registers)
  %leaves = load i32, ptr %registers
  call void @lift_cpuid(i32 1, i32 0, ptr %registers)
  %c1 = load i32, ptr %c.at
  ; bits 9, 19, 20, 23: SSSE3, SSE4.1, SSE4.2, POPCNT
  %one = call i1 @lift.has(i32 %c1, i32 9961984)
  br i1 %one, label %is1, label %is0
is0:
  ret i32 0
is1:
  ; bits 12, 22, 26, 27, 28, 29: FMA, MOVBE, XSAVE, OSXSAVE, AVX, F16C
  %avx = call i1 @lift.has(i32 %c1, i32 1010831360)
  %many = icmp uge i32 %leaves, 7
  %more = and i1 %avx, %many
  br i1 %more, label %registers_saved, label %stay1
stay1:
  ret i32 1
registers_saved:
  %saved = call i32 @lift_saved_registers()
  %ymm = call i1 @lift.has(i32 %saved, i32 6)
  call void @lift_cpuid(i32 -2147483648, i32 0, ptr %registers)
  %extended = load i32, ptr %registers
  %has_extended = icmp ugt i32 %extended, -2147483648
  %go_on = and i1 %ymm, %has_extended
  br i1 %go_on, label %look2, label %stay1
look2:
  call void @lift_cpuid(i32 -2147483647, i32 0, ptr %registers)
  %c81 = load i32, ptr %c.at
  %lzcnt = call i1 @lift.has(i32 %c81, i32 32)
  call void @lift_cpuid(i32 7, i32 0, ptr %registers)
  %b7 = load i32, ptr %b.at
  ; bits 3, 5, 8: BMI, AVX2, BMI2
  %avx2 = call i1 @lift.has(i32 %b7, i32 296)
  %two = and i1 %avx2, %lzcnt
  br i1 %two, label %is2, label %stay1
is2:
  ; bits 5, 6, 7: the masks and the registers of 512 bits
  %zmm = call i1 @lift.has(i32 %saved, i32 230)
  ; bits 16, 17, 28, 30, 31: AVX-512 F, DQ, CD, BW, VL
  %avx512 = call i1 @lift.has(i32 %b7, i32 -805109760)
  %three = and i1 %zmm, %avx512
  %level = select i1 %three, i32 3, i32 2
  ret i32 %level
}

define internal i32 @lift.wished_level(i32 %found) {
entry:
  %text = call ptr @getenv(ptr @lift.processor_variable)
  %unset = icmp eq ptr %text, null
  br i1 %unset, label %as_found, label %read
as_found:
  ret i32 %found
read:
  %first = load i8, ptr %text
  %empty = icmp eq i8 %first, 0
  br i1 %empty, label %as_found, label %compare
compare:
  %c1 = call i32 @strcmp(ptr %text, ptr @lift.processor_sse41)
  %c2 = call i32 @strcmp(ptr %text, ptr @lift.processor_avx2)
  %c3 = call i32 @strcmp(ptr %text, ptr @lift.processor_avx512)
  %is1 = icmp eq i32 %c1, 0
  %is2 = icmp eq i32 %c2, 0
  %is3 = icmp eq i32 %c3, 0
  %l1 = select i1 %is1, i32 1, i32 0
  %l2 = select i1 %is2, i32 2, i32 %l1
  %wished = select i1 %is3, i32 3, i32 %l2
  %unknown = icmp eq i32 %wished, 0
  br i1 %unknown, label %say_unknown, label %known
say_unknown:
  call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @lift.processor_unknown, ptr %text)
  ret i32 %found
known:
  %lacks = icmp ugt i32 %wished, %found
  br i1 %lacks, label %say_lacks, label %take
say_lacks:
  call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @lift.processor_lacks, ptr %text)
  ret i32 %found
take:
  ret i32 %wished
}

define weak i32 @lift_processor_level() {
entry:
  %before = load atomic i32, ptr @lift_processor_level_1 monotonic, align 4
  %known = icmp sge i32 %before, 0
  br i1 %known, label %done, label %find
find:
  %found = call i32 @lift.found_level()
  %level = call i32 @lift.wished_level(i32 %found)
  ; The first to store has said whatever there was to say; the others take its answer.
  %pair = cmpxchg ptr @lift_processor_level_1, i32 -1, i32 %level monotonic monotonic
  ret i32 %level
done:
  ret i32 %before
}
