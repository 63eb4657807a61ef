; void (uint32_t leaf, uint32_t subleaf, uint32_t registers[4]), as bytes because not every host of this
; compiler has an assembler for x86:
;   mov r8, rdx; mov r9, rbx; mov eax, edi; mov ecx, esi; cpuid; mov [r8], eax; mov [r8+4], ebx
;   mov [r8+8], ecx; mov [r8+12], edx; mov rbx, r9; ret
define weak hidden void @lift_cpuid(i32 %leaf, i32 %subleaf, ptr %registers) noinline nounwind prologue [31 x i8] c"\49\89\d0\49\89\d9\89\f8\89\f1\0f\a2\41\89\00\41\89\58\04\41\89\48\08\41\89\50\0c\4c\89\cb\c3" {
  ret void
}
