"""Processors, systems and features in targets, as the real package spells and numbers them.

Which of them this compiler can generate code for, compiler/frontend/target.py says.
"""

from __future__ import annotations

from ..lang.enums import NamedNumber, enumeration


class TargetArch(NamedNumber):
    """The kind of processor."""

    ArchUnknown = 0
    X86 = 1
    ARM = 2
    Hexagon = 3
    POWERPC = 4
    WebAssembly = 5
    RISCV = 6


class TargetOS(NamedNumber):
    """The operating system."""

    OSUnknown = 0
    Linux = 1
    Windows = 2
    OSX = 3
    Android = 4
    IOS = 5
    QuRT = 6
    NoOS = 7
    Fuchsia = 8
    wasmrt = 9


ARCHES = {
    "arch_unknown": TargetArch.ArchUnknown, "x86": TargetArch.X86, "arm": TargetArch.ARM,
    "hexagon": TargetArch.Hexagon, "powerpc": TargetArch.POWERPC, "wasm": TargetArch.WebAssembly,
    "riscv": TargetArch.RISCV,
}  # fmt: skip
SYSTEMS = {
    "os_unknown": TargetOS.OSUnknown, "linux": TargetOS.Linux, "windows": TargetOS.Windows,
    "osx": TargetOS.OSX, "android": TargetOS.Android, "ios": TargetOS.IOS, "qurt": TargetOS.QuRT,
    "noos": TargetOS.NoOS, "fuchsia": TargetOS.Fuchsia, "wasmrt": TargetOS.wasmrt,
}  # fmt: skip

_TUNES = (
    *("Generic", "K8", "K8_SSE3", "AMDFam10", "BtVer1", "BdVer1", "BdVer2", "BdVer3", "BdVer4"),
    *("BtVer2", "ZnVer1", "ZnVer2", "ZnVer3", "ZnVer4", "ZnVer5"),
)
TargetProcessorTune = enumeration(
    "TargetProcessorTune", {f"Tune{name}": i for i, name in enumerate(_TUNES)}
)
TUNES = {f"tune_{name.lower()}": TargetProcessorTune[f"Tune{name}"] for name in _TUNES}

_FEATURES = """
JIT=0:jit Debug=1:debug EnableBacktraces=2:enable_backtraces NoAsserts=3:no_asserts
NoBoundsQuery=4:no_bounds_query SSE41=5:sse41 AVX=6:avx AVX2=7:avx2 AVXVNNI=8:avxvnni FMA=9:fma
FMA4=10:fma4 F16C=11:f16c ARMv7s=12:armv7s NoNEON=13:no_neon VSX=14:vsx
POWER_ARCH_2_07=15:power_arch_2_07 CUDA=16:cuda CUDACapability30=17:cuda_capability_30
CUDACapability32=18:cuda_capability_32 CUDACapability35=19:cuda_capability_35
CUDACapability50=20:cuda_capability_50 CUDACapability61=21:cuda_capability_61
CUDACapability70=22:cuda_capability_70 CUDACapability75=23:cuda_capability_75
CUDACapability80=24:cuda_capability_80 CUDACapability86=25:cuda_capability_86 OpenCL=26:opencl
CLDoubles=27:cl_doubles CLAtomics64=28:cl_atomics64 UserContext=29:user_context Profile=30:profile
NoRuntime=31:no_runtime Metal=32:metal CPlusPlusMangling=33:c_plus_plus_name_mangling
LargeBuffers=34:large_buffers HVX_128=35:hvx_128 HVX=35:hvx HVX_v62=36:hvx_v62
FuzzFloatStores=37:fuzz_float_stores SoftFloatABI=38:soft_float_abi MSAN=39:msan AVX512=40:avx512
AVX512_KNL=41:avx512_knl AVX512_Skylake=42:avx512_skylake AVX512_Cannonlake=43:avx512_cannonlake
AVX512_Zen4=44:avx512_zen4 AVX512_Zen5=45:avx512_zen5
AVX512_SapphireRapids=46:avx512_sapphirerapids TraceLoads=47:trace_loads
TraceStores=48:trace_stores TraceRealizations=49:trace_realizations TracePipeline=50:trace_pipeline
HVX_v65=51:hvx_v65 HVX_v66=52:hvx_v66 HVX_v68=53:hvx_v68 CLHalf=54:cl_half
StrictFloat=55:strict_float TSAN=56:tsan ASAN=57:asan D3D12Compute=58:d3d12compute
CheckUnsafePromises=59:check_unsafe_promises HexagonDma=60:hexagon_dma
EmbedBitcode=61:embed_bitcode EnableLLVMLoopOpt=62:enable_llvm_loop_opt
WasmMvpOnly=63:wasm_mvponly WasmSimd128=64:wasm_simd128 WasmThreads=65:wasm_threads
WasmBulkMemory=66:wasm_bulk_memory WebGPU=67:webgpu SVE=68:sve SVE2=69:sve2 EGL=70:egl
ARMDotProd=71:arm_dot_prod ARMFp16=72:arm_fp16 LLVMLargeCodeModel=73:llvm_large_code_model
RVV=74:rvv ARMv8a=75:armv8a ARMv81a=76:armv81a ARMv82a=77:armv82a ARMv83a=78:armv83a
ARMv84a=79:armv84a ARMv85a=80:armv85a ARMv86a=81:armv86a ARMv87a=82:armv87a ARMv88a=83:armv88a
ARMv89a=84:armv89a SanitizerCoverage=85:sanitizer_coverage ProfileByTimer=86:profile_by_timer
SPIRV=87:spirv Vulkan=88:vulkan VulkanInt8=89:vk_int8 VulkanInt16=90:vk_int16
VulkanInt64=91:vk_int64 VulkanFloat16=92:vk_float16 VulkanFloat64=93:vk_float64
VulkanV10=94:vk_v10 VulkanV12=95:vk_v12 VulkanV13=96:vk_v13 Semihosting=97:semihosting
AVX10_1=98:avx10_1 X86APX=99:x86apx Simulator=100:simulator
"""
_OUR_FEATURES = """
ContractFloats=10001:contract_floats CUDAEmulated=10002:cuda_emulated
CUDACapability89=10003:cuda_capability_89 CUDACapability90=10004:cuda_capability_90
CUDACapability100=10005:cuda_capability_100 CUDACapability120=10006:cuda_capability_120
"""
"""Features that the real package has not, by numbers far from those that it may give out."""
_PARTS = [entry.replace("=", ":").split(":") for entry in (_FEATURES + _OUR_FEATURES).split()]
TargetFeature = enumeration(
    "TargetFeature",
    {**{name: int(number) for name, number, _ in _PARTS}, "FeatureEnd": len(_FEATURES.split()) - 1},
)
FEATURES = {text: TargetFeature[name] for name, _, text in _PARTS}
"""By the name in a target's text."""
