/* Calls of CUDA's driver that the real package's runtime makes, and ours doesn't, by way of those that ours makes. */
#include "driver_types.h"

CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *, const void *, unsigned, CUjit_option *, void **);
CUresult CUDAAPI cuMemcpyDtoDAsync_v2(CUdeviceptr, CUdeviceptr, size_t, CUstream);
CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *image);
CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size);
CUresult CUDAAPI cuMemcpy3D_v2(const void *copy);
CUresult CUDAAPI cuCtxGetApiVersion(CUcontext context, unsigned *version);
CUresult CUDAAPI cuProfilerStop(void);

CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size)
{
    return cuMemcpyDtoDAsync_v2(to, from, size, NULL);
}

/* It is looked up, and called for rows that lie apart on both sides. */
CUresult CUDAAPI cuMemcpy3D_v2(const void *copy)
{
    return copy ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
    *version = 3020;
    return context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult CUDAAPI cuProfilerStop(void)
{
    return CUDA_SUCCESS;
}
