; Made of cuda.c by `python -m tests.codegen.cuda_text`: change that one.
%struct.lift_cuda = type { %union.lock, [32 x %union.lock], i32, i32, i32, i32, i64, i64, i32, i32, ptr, i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%union.lock = type { %union.pthread_mutex_t, [24 x i8] }
%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }
%struct.halide_device_interface_t = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.place = type { ptr, i32 }
%struct.failure = type { i32, [1016 x i8], i32 }
%struct.lift_cuda_kernel = type { ptr, ptr, ptr, ptr, i32, i32 }
%struct.timespec = type { i64, i64 }
%struct.brought = type { i64, i64, ptr, ptr }
%struct.copy = type { [64 x %struct.step], i32, i64, i32, i32 }
%struct.step = type { i64, i64, i64 }
%struct.halide_dimension_t = type { i32, i32, i32, i32 }
%struct.rows = type { i64, i64, i32, ptr, i64, ptr, i64, i64, i64, i32, ptr, i64, ptr, i64, i64, i64 }

@.str = private unnamed_addr constant [48 x i8] c"The device memory of %s can't be freed: %s (%s)\00", align 1
@lift_cuda_1 = weak global %struct.lift_cuda zeroinitializer, align 8
@.str.1 = private unnamed_addr constant [40 x i8] c"The kernel %s can't be started: %s (%s)\00", align 1
@.str.2 = private unnamed_addr constant [48 x i8] c"The thread's stream can't be set: out of memory\00", align 1
@.str.3 = private unnamed_addr constant [38 x i8] c"CUDA's context can't be used: %s (%s)\00", align 1
@.str.4 = private unnamed_addr constant [47 x i8] c"What was started on the device failed: %s (%s)\00", align 1
@.str.5 = private unnamed_addr constant [14 x i8] c"lift_cuda_use\00", align 1
@.str.6 = private unnamed_addr constant [13 x i8] c"This program\00", align 1
@.str.7 = private unnamed_addr constant [39 x i8] c"its images can't be copied to the host\00", align 1
@.str.8 = private unnamed_addr constant [14 x i8] c"out of memory\00", align 1
@.str.9 = private unnamed_addr constant [51 x i8] c"an image on the device can't be copied to the host\00", align 1
@.str.10 = private unnamed_addr constant [40 x i8] c"its results can't be copied to the host\00", align 1
@.str.11 = private unnamed_addr constant [42 x i8] c"its results can't be copied to the device\00", align 1
@.str.12 = private unnamed_addr constant [57 x i8] c"some of its images lie on the device, where it can't run\00", align 1
@.str.13 = private unnamed_addr constant [60 x i8] c"an object has a pointer to the device that isn't understood\00", align 1
@.str.14 = private unnamed_addr constant [36 x i8] c"The memory is on no device: %s (%s)\00", align 1
@lift_cuda_interface = weak constant %struct.halide_device_interface_t { ptr @interface_malloc, ptr @interface_free, ptr @interface_sync, ptr @interface_release, ptr @interface_copy_to_host, ptr @interface_copy_to_device, ptr @interface_both_malloc, ptr @interface_both_free, ptr @interface_buffer_copy, ptr @interface_crop, ptr @interface_slice, ptr @interface_let_go, ptr @interface_wrap, ptr @interface_let_go, ptr @interface_capability, ptr null }, align 8
@.str.15 = private unnamed_addr constant [52 x i8] c"The device memory of %s was made by another runtime\00", align 1
@.str.16 = private unnamed_addr constant [45 x i8] c"The device memory of %s isn't there: %s (%s)\00", align 1
@.str.17 = private unnamed_addr constant [30 x i8] c"no allocation has its address\00", align 1
@.str.18 = private unnamed_addr constant [49 x i8] c"Where %s lies on the device isn't known: %s (%s)\00", align 1
@.str.19 = private unnamed_addr constant [48 x i8] c"The device memory of %s lies in another context\00", align 1
@.str.20 = private unnamed_addr constant [52 x i8] c"%s can't have its %lld bytes on the device: %s (%s)\00", align 1
@.str.21 = private unnamed_addr constant [50 x i8] c"The extent of %s in dimension %d is negative (%d)\00", align 1
@.str.22 = private unnamed_addr constant [80 x i8] c"Memory on the device can't go backwards, as dimension %d of %s does (stride %d)\00", align 1
@.str.23 = private unnamed_addr constant [38 x i8] c"%s is larger than any device's memory\00", align 1
@.str.24 = private unnamed_addr constant [9 x i8] c"a buffer\00", align 1
@.str.25 = private unnamed_addr constant [30 x i8] c"the device has no memory left\00", align 1
@.str.26 = private unnamed_addr constant [84 x i8] c"CUDA isn't usable here: a process that fork() made can't use what its parent opened\00", align 1
@.str.27 = private unnamed_addr constant [60 x i8] c"there is no NVIDIA device, or CUDA_VISIBLE_DEVICES hides it\00", align 1
@.str.28 = private unnamed_addr constant [66 x i8] c"the device is older than the ones that this code was compiled for\00", align 1
@.str.29 = private unnamed_addr constant [52 x i8] c"the driver is older than this code's PTX: update it\00", align 1
@.str.30 = private unnamed_addr constant [47 x i8] c"the context, and what lay in it, was destroyed\00", align 1
@.str.31 = private unnamed_addr constant [66 x i8] c"a block needs more registers or shared memory than the device has\00", align 1
@.str.32 = private unnamed_addr constant [109 x i8] c"a kernel went wrong on the device, and all that this process has there is lost: only a new process can go on\00", align 1
@.str.33 = private unnamed_addr constant [8 x i8] c"unknown\00", align 1
@.str.34 = private unnamed_addr constant [41 x i8] c"an error that the driver has no name for\00", align 1
@.str.35 = private unnamed_addr constant [45 x i8] c"%s was changed on the host and on the device\00", align 1
@.str.36 = private unnamed_addr constant [62 x i8] c"%s is said to be newest on the device, where it has no memory\00", align 1
@.str.37 = private unnamed_addr constant [47 x i8] c"%s has no memory on the host to be copied from\00", align 1
@.str.38 = private unnamed_addr constant [42 x i8] c"%s can't be copied to the device: %s (%s)\00", align 1
@.str.39 = private unnamed_addr constant [45 x i8] c"%s has %d dimensions; copies have %d at most\00", align 1
@.str.40 = private unnamed_addr constant [45 x i8] c"%s has no memory on the host to be copied to\00", align 1
@.str.41 = private unnamed_addr constant [44 x i8] c"%s can't be copied from the device: %s (%s)\00", align 1
@.str.42 = private unnamed_addr constant [91 x i8] c"The device memory of %s doesn't begin at a multiple of %u bytes, as the kernel %s needs it\00", align 1
@.str.43 = private unnamed_addr constant [38 x i8] c"Out of memory (for the kernels of %s)\00", align 1
@.str.44 = private unnamed_addr constant [43 x i8] c"The kernels of %s can't be loaded: %s (%s)\00", align 1
@.str.45 = private unnamed_addr constant [37 x i8] c"The kernel %s can't be used: %s (%s)\00", align 1
@.str.46 = private unnamed_addr constant [82 x i8] c"The kernel %s has %u bytes of shared memory in a block; the device has %d at most\00", align 1
@.str.47 = private unnamed_addr constant [83 x i8] c"The kernel %s has %d threads in dimension %d of a block; the device has %d at most\00", align 1
@.str.48 = private unnamed_addr constant [71 x i8] c"The kernel %s has %d blocks in dimension %d; the device has %d at most\00", align 1
@.str.49 = private unnamed_addr constant [69 x i8] c"The kernel %s has %lld threads in a block; the device has %d at most\00", align 1
@.str.50 = private unnamed_addr constant [36 x i8] c"Too many keys of threads are in use\00", align 1
@.str.51 = private unnamed_addr constant [3 x i8] c"%s\00", align 1
@.str.52 = private unnamed_addr constant [18 x i8] c"LIFT_CUDA_LIBRARY\00", align 1
@.str.53 = private unnamed_addr constant [17 x i8] c"LIFT_CUDA_DEVICE\00", align 1
@.str.54 = private unnamed_addr constant [11 x i8] c"libcuda.so\00", align 1
@.str.55 = private unnamed_addr constant [13 x i8] c"libcuda.so.1\00", align 1
@.str.56 = private unnamed_addr constant [33 x i8] c"There is no CUDA driver here: %s\00", align 1
@.str.57 = private unnamed_addr constant [82 x i8] c"The CUDA driver is too old: it has no %s. CUDA 11.4 is the oldest one that serves\00", align 1
@.str.58 = private unnamed_addr constant [39 x i8] c"The CUDA driver can't be used: %s (%s)\00", align 1
@.str.59 = private unnamed_addr constant [34 x i8] c"The CUDA driver can't be used: %s\00", align 1
@.str.60 = private unnamed_addr constant [52 x i8] c"There is no CUDA device %s: there are %d, from 0 on\00", align 1
@.str.61 = private unnamed_addr constant [15 x i8] c"of that number\00", align 1
@.str.62 = private unnamed_addr constant [38 x i8] c"CUDA device %d can't be used: %s (%s)\00", align 1
@.str.63 = private unnamed_addr constant [7 x i8] c"cuInit\00", align 1
@.str.64 = private unnamed_addr constant [11 x i8] c"cuCtxGetId\00", align 1
@.str.65 = private unnamed_addr constant [19 x i8] c"cuDriverGetVersion\00", align 1
@.str.66 = private unnamed_addr constant [17 x i8] c"cuDeviceGetCount\00", align 1
@.str.67 = private unnamed_addr constant [12 x i8] c"cuDeviceGet\00", align 1
@.str.68 = private unnamed_addr constant [16 x i8] c"cuDeviceGetName\00", align 1
@.str.69 = private unnamed_addr constant [21 x i8] c"cuDeviceGetAttribute\00", align 1
@.str.70 = private unnamed_addr constant [25 x i8] c"cuDevicePrimaryCtxRetain\00", align 1
@.str.71 = private unnamed_addr constant [20 x i8] c"cuCtxPushCurrent_v2\00", align 1
@.str.72 = private unnamed_addr constant [19 x i8] c"cuCtxPopCurrent_v2\00", align 1
@.str.73 = private unnamed_addr constant [16 x i8] c"cuCtxGetCurrent\00", align 1
@.str.74 = private unnamed_addr constant [15 x i8] c"cuCtxGetDevice\00", align 1
@.str.75 = private unnamed_addr constant [17 x i8] c"cuCtxSynchronize\00", align 1
@.str.76 = private unnamed_addr constant [19 x i8] c"cuModuleLoadDataEx\00", align 1
@.str.77 = private unnamed_addr constant [15 x i8] c"cuModuleUnload\00", align 1
@.str.78 = private unnamed_addr constant [20 x i8] c"cuModuleGetFunction\00", align 1
@.str.79 = private unnamed_addr constant [19 x i8] c"cuFuncSetAttribute\00", align 1
@.str.80 = private unnamed_addr constant [15 x i8] c"cuLaunchKernel\00", align 1
@.str.81 = private unnamed_addr constant [14 x i8] c"cuMemAlloc_v2\00", align 1
@.str.82 = private unnamed_addr constant [13 x i8] c"cuMemFree_v2\00", align 1
@.str.83 = private unnamed_addr constant [16 x i8] c"cuMemAllocAsync\00", align 1
@.str.84 = private unnamed_addr constant [15 x i8] c"cuMemFreeAsync\00", align 1
@.str.85 = private unnamed_addr constant [26 x i8] c"cuDeviceGetDefaultMemPool\00", align 1
@.str.86 = private unnamed_addr constant [22 x i8] c"cuMemPoolSetAttribute\00", align 1
@.str.87 = private unnamed_addr constant [16 x i8] c"cuMemPoolTrimTo\00", align 1
@.str.88 = private unnamed_addr constant [21 x i8] c"cuMemcpyHtoDAsync_v2\00", align 1
@.str.89 = private unnamed_addr constant [21 x i8] c"cuMemcpyDtoHAsync_v2\00", align 1
@.str.90 = private unnamed_addr constant [21 x i8] c"cuMemcpyDtoDAsync_v2\00", align 1
@.str.91 = private unnamed_addr constant [19 x i8] c"cuMemcpy2DAsync_v2\00", align 1
@.str.92 = private unnamed_addr constant [20 x i8] c"cuStreamSynchronize\00", align 1
@.str.93 = private unnamed_addr constant [22 x i8] c"cuPointerGetAttribute\00", align 1
@.str.94 = private unnamed_addr constant [28 x i8] c"cuMemRetainAllocationHandle\00", align 1
@.str.95 = private unnamed_addr constant [13 x i8] c"cuMemRelease\00", align 1
@.str.96 = private unnamed_addr constant [15 x i8] c"cuGetErrorName\00", align 1
@.str.97 = private unnamed_addr constant [17 x i8] c"cuGetErrorString\00", align 1
@.str.98 = private unnamed_addr constant [53 x i8] c"%s asks for a GPU, and all runs on the processor: %s\00", align 1
@.str.99 = private unnamed_addr constant [10 x i8] c"LIFT_CUDA\00", align 1
@.str.100 = private unnamed_addr constant [2 x i8] c"0\00", align 1
@.str.101 = private unnamed_addr constant [16 x i8] c"LIFT_CUDA_BYTES\00", align 1
@.str.102 = private unnamed_addr constant [9 x i8] c"measured\00", align 1
@.str.103 = private unnamed_addr constant [72 x i8] c"LIFT_CUDA_BYTES=%s is ignored: it is no number of bytes, nor 'measured'\00", align 1
@.str.104 = private unnamed_addr constant [11 x i8] c"%s: %s: %s\00", align 1
@.str.105 = private unnamed_addr constant [46 x i8] c"where it begins and ends isn't known: %s (%s)\00", align 1
@.str.106 = private unnamed_addr constant [67 x i8] c"it was mapped, maybe piece by piece, and where it ends isn't known\00", align 1
@.str.107 = private unnamed_addr constant [76 x i8] c"the allocation there has %lld bytes, and which of them are used isn't known\00", align 1
@.str.108 = private unnamed_addr constant [45 x i8] c"out of memory (twice %lld bytes on the host)\00", align 1
@.str.109 = private unnamed_addr constant [40 x i8] c"it can't be copied to the host: %s (%s)\00", align 1
@.str.110 = private unnamed_addr constant [39 x i8] c"Out of memory (%lld bytes on the host)\00", align 1
@.str.111 = private unnamed_addr constant [38 x i8] c"A copy is to another runtime's memory\00", align 1
@.str.112 = private unnamed_addr constant [57 x i8] c"What is copied was changed on the host and on the device\00", align 1
@.str.113 = private unnamed_addr constant [48 x i8] c"A copy is between buffers of one type and shape\00", align 1
@.str.114 = private unnamed_addr constant [39 x i8] c"A copy is from memory that isn't there\00", align 1
@.str.115 = private unnamed_addr constant [37 x i8] c"A copy is to memory that isn't there\00", align 1
@.str.116 = private unnamed_addr constant [49 x i8] c"The extent of a copy in dimension %d is negative\00", align 1
@.str.117 = private unnamed_addr constant [55 x i8] c"A copy is of elements that aren't there (dimension %d)\00", align 1
@.str.118 = private unnamed_addr constant [23 x i8] c"A copy failed: %s (%s)\00", align 1
@.str.119 = private unnamed_addr constant [58 x i8] c"A part of a buffer goes beyond the buffer in dimension %d\00", align 1
@.str.120 = private unnamed_addr constant [33 x i8] c"A crop has device memory already\00", align 1
@.str.121 = private unnamed_addr constant [35 x i8] c"A buffer has device memory already\00", align 1

define weak i32 @lift_cuda_malloc(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 8
  %5 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5)
  %6 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %5)
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %34

8:                                                ; preds = %3
  %9 = ptrtoint ptr %1 to i64
  %10 = udiv i64 %9, 56
  %11 = and i64 %10, 31
  %12 = getelementptr inbounds [32 x %union.lock], ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 64), i64 0, i64 %11
  %13 = call i32 @pthread_mutex_lock(ptr noundef nonnull %12)
  %14 = call fastcc i32 @is_of_others(ptr noundef %0, ptr noundef %1, ptr noundef %2)
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %24

16:                                               ; preds = %8
  %17 = load i64, ptr %1, align 8
  %18 = icmp eq i64 %17, 0
  br i1 %18, label %22, label %19

19:                                               ; preds = %16
  %20 = load ptr, ptr %5, align 8
  %21 = call fastcc i32 @is_elsewhere(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2, ptr noundef %20)
  br label %24

22:                                               ; preds = %16
  %23 = call fastcc i32 @allocate_for(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  br label %24

24:                                               ; preds = %19, %22, %8
  %25 = phi i32 [ %14, %8 ], [ %21, %19 ], [ %23, %22 ]
  %26 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %12)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %27 = getelementptr inbounds i8, ptr %5, i64 8
  %28 = load i32, ptr %27, align 8
  %29 = icmp eq i32 %28, 0
  br i1 %29, label %33, label %30

30:                                               ; preds = %24
  %31 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %32 = call i32 %31(ptr noundef nonnull %4)
  br label %33

33:                                               ; preds = %24, %30
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  br label %34

34:                                               ; preds = %3, %33
  %35 = phi i32 [ %25, %33 ], [ %6, %3 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5)
  ret i32 %35
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

define internal fastcc noundef i32 @enter(ptr noundef %0, ptr noundef %1) unnamed_addr {
  %3 = tail call fastcc i32 @opened(ptr noundef %0)
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %5, label %28

5:                                                ; preds = %2
  store ptr null, ptr %1, align 8
  %6 = getelementptr inbounds i8, ptr %1, i64 8
  store i32 0, ptr %6, align 8
  %7 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2240), align 8
  %8 = tail call i32 %7(ptr noundef nonnull %1)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %19

10:                                               ; preds = %5
  %11 = load ptr, ptr %1, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %13, label %28

13:                                               ; preds = %10
  %14 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2152), align 8
  store ptr %14, ptr %1, align 8
  %15 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2224), align 8
  %16 = tail call i32 %15(ptr noundef %14)
  %17 = icmp eq i32 %16, 0
  %18 = zext i1 %17 to i32
  store i32 %18, ptr %6, align 8
  br i1 %17, label %28, label %19

19:                                               ; preds = %5, %13
  %20 = phi i32 [ %16, %13 ], [ %8, %5 ]
  %21 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %22 = extractvalue { i32, i1 } %21, 1
  br i1 %22, label %23, label %28

23:                                               ; preds = %19
  %24 = getelementptr inbounds i8, ptr %0, i64 4
  %25 = tail call fastcc ptr @sentence_of(i32 noundef %20)
  %26 = tail call fastcc ptr @name_of(i32 noundef %20)
  %27 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %24, i64 noundef 1016, ptr noundef nonnull @.str.3, ptr noundef %25, ptr noundef %26)
  br label %28

28:                                               ; preds = %10, %13, %23, %19, %2
  %29 = phi i32 [ %3, %2 ], [ -29, %19 ], [ -29, %23 ], [ 0, %13 ], [ 0, %10 ]
  ret i32 %29
}

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr

define internal fastcc range(i32 -42, 1) i32 @is_of_others(ptr noundef %0, ptr nocapture noundef readonly %1, ptr noundef %2) unnamed_addr {
  %4 = load i64, ptr %1, align 8
  %5 = icmp eq i64 %4, 0
  br i1 %5, label %18, label %6

6:                                                ; preds = %3
  %7 = getelementptr inbounds i8, ptr %1, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = icmp eq ptr %8, @lift_cuda_interface
  br i1 %9, label %18, label %10

10:                                               ; preds = %6
  %11 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %12 = extractvalue { i32, i1 } %11, 1
  br i1 %12, label %13, label %18

13:                                               ; preds = %10
  %14 = getelementptr inbounds i8, ptr %0, i64 4
  %15 = icmp eq ptr %2, null
  %16 = select i1 %15, ptr @.str.24, ptr %2
  %17 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %14, i64 noundef 1016, ptr noundef nonnull @.str.15, ptr noundef nonnull %16)
  br label %18

18:                                               ; preds = %13, %10, %3, %6
  %19 = phi i32 [ 0, %6 ], [ 0, %3 ], [ -42, %10 ], [ -42, %13 ]
  ret i32 %19
}

define internal fastcc noundef i32 @is_elsewhere(ptr noundef %0, ptr nocapture noundef readonly %1, ptr noundef %2, ptr noundef readnone %3) unnamed_addr {
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5)
  store ptr null, ptr %5, align 8
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %6)
  store i32 -1, ptr %6, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %7)
  store i32 -1, ptr %7, align 4
  %8 = getelementptr inbounds i8, ptr %1, i64 24
  %9 = load i64, ptr %8, align 8
  %10 = and i64 %9, 65536
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %16, label %12

12:                                               ; preds = %4
  %13 = getelementptr inbounds i8, ptr %1, i64 48
  %14 = load ptr, ptr %13, align 8
  %15 = ptrtoint ptr %14 to i64
  br label %18

16:                                               ; preds = %4
  %17 = load i64, ptr %1, align 8
  br label %18

18:                                               ; preds = %16, %12
  %19 = phi i64 [ %15, %12 ], [ %17, %16 ]
  %20 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2408), align 8
  %21 = call i32 %20(ptr noundef nonnull %5, i32 noundef 1, i64 noundef %19)
  %22 = icmp ne i32 %21, 0
  %23 = load ptr, ptr %5, align 8
  %24 = icmp ne ptr %23, %3
  %25 = select i1 %22, i1 true, i1 %24
  br i1 %25, label %26, label %77

26:                                               ; preds = %18
  %27 = icmp eq i32 %21, 0
  %28 = icmp ne ptr %23, null
  %29 = select i1 %27, i1 %28, i1 false
  br i1 %29, label %69, label %30

30:                                               ; preds = %26
  %31 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2408), align 8
  %32 = call i32 %31(ptr noundef nonnull %6, i32 noundef 9, i64 noundef %19)
  %33 = icmp ne i32 %32, 0
  %34 = select i1 %22, i1 %33, i1 false
  br i1 %34, label %35, label %49

35:                                               ; preds = %30
  %36 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %37 = extractvalue { i32, i1 } %36, 1
  br i1 %37, label %38, label %77

38:                                               ; preds = %35
  %39 = getelementptr inbounds i8, ptr %0, i64 4
  %40 = icmp eq ptr %2, null
  %41 = select i1 %40, ptr @.str.24, ptr %2
  %42 = icmp eq i32 %21, 1
  br i1 %42, label %45, label %43

43:                                               ; preds = %38
  %44 = call fastcc ptr @sentence_of(i32 noundef %21)
  br label %45

45:                                               ; preds = %38, %43
  %46 = phi ptr [ %44, %43 ], [ @.str.17, %38 ]
  %47 = call fastcc ptr @name_of(i32 noundef %21)
  %48 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %39, i64 noundef 1016, ptr noundef nonnull @.str.16, ptr noundef nonnull %41, ptr noundef %46, ptr noundef %47)
  br label %77

49:                                               ; preds = %30
  br i1 %33, label %54, label %50

50:                                               ; preds = %49
  %51 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2248), align 8
  %52 = call i32 %51(ptr noundef nonnull %7)
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %65, label %54

54:                                               ; preds = %50, %49
  %55 = phi i32 [ %32, %49 ], [ %52, %50 ]
  %56 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %57 = extractvalue { i32, i1 } %56, 1
  br i1 %57, label %58, label %77

58:                                               ; preds = %54
  %59 = getelementptr inbounds i8, ptr %0, i64 4
  %60 = icmp eq ptr %2, null
  %61 = select i1 %60, ptr @.str.24, ptr %2
  %62 = call fastcc ptr @sentence_of(i32 noundef %55)
  %63 = call fastcc ptr @name_of(i32 noundef %55)
  %64 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %59, i64 noundef 1016, ptr noundef nonnull @.str.18, ptr noundef nonnull %61, ptr noundef %62, ptr noundef %63)
  br label %77

65:                                               ; preds = %50
  %66 = load i32, ptr %6, align 4
  %67 = load i32, ptr %7, align 4
  %68 = icmp eq i32 %66, %67
  br i1 %68, label %77, label %69

69:                                               ; preds = %65, %26
  %70 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %71 = extractvalue { i32, i1 } %70, 1
  br i1 %71, label %72, label %77

72:                                               ; preds = %69
  %73 = getelementptr inbounds i8, ptr %0, i64 4
  %74 = icmp eq ptr %2, null
  %75 = select i1 %74, ptr @.str.24, ptr %2
  %76 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %73, i64 noundef 1016, ptr noundef nonnull @.str.19, ptr noundef nonnull %75)
  br label %77

77:                                               ; preds = %58, %54, %45, %35, %72, %69, %18, %65
  %78 = phi i32 [ 0, %65 ], [ 0, %18 ], [ -23, %69 ], [ -23, %72 ], [ -23, %35 ], [ -23, %45 ], [ -23, %54 ], [ -23, %58 ]
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %7)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5)
  ret i32 %78
}

define internal fastcc i32 @allocate_for(ptr noundef %0, ptr noundef %1, ptr noundef %2) unnamed_addr {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = tail call fastcc i64 @span(ptr noundef %0, ptr noundef %1, ptr noundef %2)
  %8 = icmp slt i64 %7, 0
  br i1 %8, label %9, label %11

9:                                                ; preds = %3
  %10 = trunc i64 %7 to i32
  br label %75

11:                                               ; preds = %3
  %12 = icmp eq i64 %7, 0
  %13 = add nuw nsw i64 %7, 3
  %14 = and i64 %13, 9223372036854775804
  %15 = select i1 %12, i64 4, i64 %14
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %4)
  store i32 0, ptr %4, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %5)
  store i32 0, ptr %5, align 4
  %16 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2248), align 8
  %17 = call i32 %16(ptr noundef nonnull %4)
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %20, label %19

19:                                               ; preds = %11
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %5)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4)
  br label %57

20:                                               ; preds = %11
  %21 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), align 8
  %22 = load i32, ptr %4, align 4
  %23 = call i32 %21(ptr noundef nonnull %5, i32 noundef 115, i32 noundef %22)
  %24 = icmp eq i32 %23, 0
  br i1 %24, label %26, label %25

25:                                               ; preds = %20
  store i32 0, ptr %5, align 4
  br label %29

26:                                               ; preds = %20
  %27 = load i32, ptr %5, align 4
  %28 = icmp eq i32 %27, 0
  br i1 %28, label %29, label %32

29:                                               ; preds = %26, %25
  %30 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2312), align 8
  %31 = call i32 %30(ptr noundef %1, i64 noundef %15)
  br label %54

32:                                               ; preds = %26
  %33 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2328), align 8
  %34 = call fastcc ptr @stream()
  %35 = call i32 %33(ptr noundef %1, i64 noundef %15, ptr noundef %34)
  %36 = icmp eq i32 %35, 2
  br i1 %36, label %37, label %54

37:                                               ; preds = %32
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %6)
  %38 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2264), align 8
  %39 = call i32 %38()
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %41, label %50

41:                                               ; preds = %37
  %42 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2344), align 8
  %43 = load i32, ptr %4, align 4
  %44 = call i32 %42(ptr noundef nonnull %6, i32 noundef %43)
  %45 = icmp eq i32 %44, 0
  br i1 %45, label %46, label %50

46:                                               ; preds = %41
  %47 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2360), align 8
  %48 = load ptr, ptr %6, align 8
  %49 = call i32 %47(ptr noundef %48, i64 noundef 0)
  br label %50

50:                                               ; preds = %46, %41, %37
  %51 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2328), align 8
  %52 = call fastcc ptr @stream()
  %53 = call i32 %51(ptr noundef %1, i64 noundef %15, ptr noundef %52)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6)
  br label %54

54:                                               ; preds = %29, %32, %50
  %55 = phi i32 [ %31, %29 ], [ %53, %50 ], [ %35, %32 ]
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %5)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4)
  %56 = icmp eq i32 %55, 0
  br i1 %56, label %73, label %57

57:                                               ; preds = %19, %54
  %58 = phi i32 [ %17, %19 ], [ %55, %54 ]
  store i64 0, ptr %1, align 8
  %59 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %60 = extractvalue { i32, i1 } %59, 1
  br i1 %60, label %61, label %70

61:                                               ; preds = %57
  %62 = getelementptr inbounds i8, ptr %0, i64 4
  %63 = icmp eq ptr %2, null
  %64 = select i1 %63, ptr @.str.24, ptr %2
  %65 = call fastcc ptr @sentence_of(i32 noundef %58)
  %66 = call fastcc ptr @name_of(i32 noundef %58)
  %67 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %62, i64 noundef 1016, ptr noundef nonnull @.str.20, ptr noundef nonnull %64, i64 noundef %15, ptr noundef %65, ptr noundef %66)
  %68 = icmp eq i32 %58, 2
  %69 = select i1 %68, i32 -11, i32 -16
  br label %75

70:                                               ; preds = %57
  %71 = icmp eq i32 %58, 2
  %72 = select i1 %71, i32 -11, i32 -16
  br label %75

73:                                               ; preds = %54
  %74 = getelementptr inbounds i8, ptr %1, i64 8
  store ptr @lift_cuda_interface, ptr %74, align 8
  br label %75

75:                                               ; preds = %61, %70, %73, %9
  %76 = phi i32 [ %10, %9 ], [ 0, %73 ], [ %69, %61 ], [ %72, %70 ]
  ret i32 %76
}

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

define weak i32 @lift_cuda_free(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %7)
  %8 = tail call fastcc i32 @is_of_others(ptr noundef %0, ptr noundef %1, ptr noundef %2)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %72

10:                                               ; preds = %3
  %11 = load i64, ptr %1, align 8
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %72, label %13

13:                                               ; preds = %10
  %14 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %7)
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %72

16:                                               ; preds = %13
  %17 = ptrtoint ptr %1 to i64
  %18 = udiv i64 %17, 56
  %19 = and i64 %18, 31
  %20 = getelementptr inbounds [32 x %union.lock], ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 64), i64 0, i64 %19
  %21 = call i32 @pthread_mutex_lock(ptr noundef nonnull %20)
  %22 = load i64, ptr %1, align 8
  %23 = icmp eq i64 %22, 0
  br i1 %23, label %58, label %24

24:                                               ; preds = %16
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %5)
  store i32 0, ptr %5, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %6)
  store i32 0, ptr %6, align 4
  %25 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2248), align 8
  %26 = call i32 %25(ptr noundef nonnull %5)
  %27 = icmp eq i32 %26, 0
  br i1 %27, label %28, label %42

28:                                               ; preds = %24
  %29 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), align 8
  %30 = load i32, ptr %5, align 4
  %31 = call i32 %29(ptr noundef nonnull %6, i32 noundef 115, i32 noundef %30)
  %32 = icmp eq i32 %31, 0
  %33 = load i32, ptr %6, align 4
  %34 = icmp ne i32 %33, 0
  %35 = select i1 %32, i1 %34, i1 false
  br i1 %35, label %36, label %42

36:                                               ; preds = %28
  %37 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2336), align 8
  %38 = call fastcc ptr @stream()
  %39 = call i32 %37(i64 noundef %22, ptr noundef %38)
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %41, label %42

41:                                               ; preds = %36
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %5)
  br label %58

42:                                               ; preds = %24, %28, %36
  %43 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2264), align 8
  %44 = call i32 %43()
  %45 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2320), align 8
  %46 = call i32 %45(i64 noundef %22)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %5)
  %47 = icmp eq i32 %46, 0
  br i1 %47, label %58, label %48

48:                                               ; preds = %42
  %49 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %50 = extractvalue { i32, i1 } %49, 1
  br i1 %50, label %51, label %58

51:                                               ; preds = %48
  %52 = getelementptr inbounds i8, ptr %0, i64 4
  %53 = icmp eq ptr %2, null
  %54 = select i1 %53, ptr @.str.24, ptr %2
  %55 = call fastcc ptr @sentence_of(i32 noundef %46)
  %56 = call fastcc ptr @name_of(i32 noundef %46)
  %57 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %52, i64 noundef 1016, ptr noundef nonnull @.str, ptr noundef nonnull %54, ptr noundef %55, ptr noundef %56)
  br label %58

58:                                               ; preds = %41, %51, %48, %42, %16
  %59 = phi i32 [ 0, %42 ], [ 0, %16 ], [ -18, %48 ], [ -18, %51 ], [ 0, %41 ]
  store i64 0, ptr %1, align 8
  %60 = getelementptr inbounds i8, ptr %1, i64 8
  store ptr null, ptr %60, align 8
  %61 = getelementptr inbounds i8, ptr %1, i64 24
  %62 = load i64, ptr %61, align 8
  %63 = and i64 %62, -3
  store i64 %63, ptr %61, align 8
  %64 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %20)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %65 = getelementptr inbounds i8, ptr %7, i64 8
  %66 = load i32, ptr %65, align 8
  %67 = icmp eq i32 %66, 0
  br i1 %67, label %71, label %68

68:                                               ; preds = %58
  %69 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %70 = call i32 %69(ptr noundef nonnull %4)
  br label %71

71:                                               ; preds = %58, %68
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  br label %72

72:                                               ; preds = %13, %3, %10, %71
  %73 = phi i32 [ %59, %71 ], [ 0, %10 ], [ %8, %3 ], [ %14, %13 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %7)
  ret i32 %73
}

declare i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr

define internal fastcc ptr @sentence_of(i32 noundef %0) unnamed_addr {
  %2 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  store ptr null, ptr %2, align 8
  switch i32 %0, label %9 [
    i32 2, label %23
    i32 3, label %3
    i32 100, label %4
    i32 209, label %5
    i32 222, label %6
    i32 201, label %7
    i32 709, label %7
    i32 701, label %8
    i32 700, label %12
  ]

3:                                                ; preds = %1
  br label %23

4:                                                ; preds = %1
  br label %23

5:                                                ; preds = %1
  br label %23

6:                                                ; preds = %1
  br label %23

7:                                                ; preds = %1, %1
  br label %23

8:                                                ; preds = %1
  br label %23

9:                                                ; preds = %1
  %10 = add i32 %0, -714
  %11 = icmp ult i32 %10, 6
  br i1 %11, label %12, label %13

12:                                               ; preds = %1, %9
  br label %23

13:                                               ; preds = %9
  %14 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2440), align 8
  %15 = icmp eq ptr %14, null
  br i1 %15, label %22, label %16

16:                                               ; preds = %13
  %17 = call i32 %14(i32 noundef %0, ptr noundef nonnull %2)
  %18 = icmp eq i32 %17, 0
  %19 = load ptr, ptr %2, align 8
  %20 = icmp ne ptr %19, null
  %21 = select i1 %18, i1 %20, i1 false
  br i1 %21, label %23, label %22

22:                                               ; preds = %16, %13
  br label %23

23:                                               ; preds = %16, %1, %22, %12, %8, %7, %6, %5, %4, %3
  %24 = phi ptr [ @.str.32, %12 ], [ @.str.33, %22 ], [ @.str.31, %8 ], [ @.str.30, %7 ], [ @.str.29, %6 ], [ @.str.28, %5 ], [ @.str.27, %4 ], [ @.str.26, %3 ], [ @.str.25, %1 ], [ %19, %16 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  ret ptr %24
}

define internal fastcc ptr @name_of(i32 noundef %0) unnamed_addr {
  %2 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  store ptr null, ptr %2, align 8
  %3 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2432), align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %12, label %5

5:                                                ; preds = %1
  %6 = call i32 %3(i32 noundef %0, ptr noundef nonnull %2)
  %7 = icmp eq i32 %6, 0
  %8 = load ptr, ptr %2, align 8
  %9 = icmp ne ptr %8, null
  %10 = select i1 %7, i1 %9, i1 false
  %11 = select i1 %10, ptr %8, ptr @.str.34
  br label %12

12:                                               ; preds = %5, %1
  %13 = phi ptr [ @.str.34, %1 ], [ %11, %5 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  ret ptr %13
}

define weak void @lift_cuda_drop(ptr noundef %0) local_unnamed_addr {
  %2 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %2)
  store i32 1, ptr %2, align 4
  %3 = call i32 @lift_cuda_free(ptr noundef nonnull %2, ptr noundef %0, ptr noundef null)
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %7, label %5

5:                                                ; preds = %1
  %6 = call i32 @lift_cuda_free(ptr noundef nonnull %2, ptr noundef %0, ptr noundef null)
  br label %7

7:                                                ; preds = %5, %1
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %2)
  ret void
}

define weak i32 @lift_cuda_copy_to_device(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 8
  %5 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5)
  %6 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %5)
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %112

8:                                                ; preds = %3
  %9 = ptrtoint ptr %1 to i64
  %10 = udiv i64 %9, 56
  %11 = and i64 %10, 31
  %12 = getelementptr inbounds [32 x %union.lock], ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 64), i64 0, i64 %11
  %13 = call i32 @pthread_mutex_lock(ptr noundef nonnull %12)
  %14 = load ptr, ptr %5, align 8
  %15 = call fastcc i32 @is_of_others(ptr noundef %0, ptr noundef %1, ptr noundef %2)
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %17, label %102

17:                                               ; preds = %8
  %18 = load i64, ptr %1, align 8
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %42, label %20

20:                                               ; preds = %17
  %21 = call fastcc i32 @is_elsewhere(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2, ptr noundef %14)
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %23, label %102

23:                                               ; preds = %20
  %24 = load i64, ptr %1, align 8
  %25 = icmp eq i64 %24, 0
  br i1 %25, label %42, label %26

26:                                               ; preds = %23
  %27 = getelementptr inbounds i8, ptr %1, i64 24
  %28 = load i64, ptr %27, align 8
  %29 = and i64 %28, 1
  %30 = icmp eq i64 %29, 0
  br i1 %30, label %102, label %31

31:                                               ; preds = %26
  %32 = and i64 %28, 2
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %55, label %34

34:                                               ; preds = %31
  %35 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %36 = extractvalue { i32, i1 } %35, 1
  br i1 %36, label %37, label %102

37:                                               ; preds = %34
  %38 = getelementptr inbounds i8, ptr %0, i64 4
  %39 = icmp eq ptr %2, null
  %40 = select i1 %39, ptr @.str.24, ptr %2
  %41 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %38, i64 noundef 1016, ptr noundef nonnull @.str.35, ptr noundef nonnull %40)
  br label %102

42:                                               ; preds = %23, %17
  %43 = getelementptr inbounds i8, ptr %1, i64 24
  %44 = load i64, ptr %43, align 8
  %45 = and i64 %44, 2
  %46 = icmp eq i64 %45, 0
  br i1 %46, label %67, label %47

47:                                               ; preds = %42
  %48 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %49 = extractvalue { i32, i1 } %48, 1
  br i1 %49, label %50, label %102

50:                                               ; preds = %47
  %51 = getelementptr inbounds i8, ptr %0, i64 4
  %52 = icmp eq ptr %2, null
  %53 = select i1 %52, ptr @.str.24, ptr %2
  %54 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %51, i64 noundef 1016, ptr noundef nonnull @.str.36, ptr noundef nonnull %53)
  br label %102

55:                                               ; preds = %31
  %56 = getelementptr inbounds i8, ptr %1, i64 16
  %57 = load ptr, ptr %56, align 8
  %58 = icmp eq ptr %57, null
  br i1 %58, label %59, label %67

59:                                               ; preds = %55
  %60 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %61 = extractvalue { i32, i1 } %60, 1
  br i1 %61, label %62, label %102

62:                                               ; preds = %59
  %63 = getelementptr inbounds i8, ptr %0, i64 4
  %64 = icmp eq ptr %2, null
  %65 = select i1 %64, ptr @.str.24, ptr %2
  %66 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %63, i64 noundef 1016, ptr noundef nonnull @.str.37, ptr noundef nonnull %65)
  br label %102

67:                                               ; preds = %55, %42
  %68 = phi ptr [ %27, %55 ], [ %43, %42 ]
  %69 = call fastcc i32 @has_too_many_dimensions(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  %70 = icmp eq i32 %69, 0
  br i1 %70, label %71, label %102

71:                                               ; preds = %67
  %72 = load i64, ptr %1, align 8
  %73 = icmp eq i64 %72, 0
  br i1 %73, label %74, label %84

74:                                               ; preds = %71
  %75 = call fastcc i32 @allocate_for(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  %76 = icmp eq i32 %75, 0
  br i1 %76, label %77, label %102

77:                                               ; preds = %74
  %78 = getelementptr inbounds i8, ptr %1, i64 16
  %79 = load ptr, ptr %78, align 8
  %80 = icmp eq ptr %79, null
  br i1 %80, label %102, label %81

81:                                               ; preds = %77
  %82 = load i64, ptr %68, align 8
  %83 = or i64 %82, 1
  store i64 %83, ptr %68, align 8
  br label %86

84:                                               ; preds = %71
  %85 = getelementptr inbounds i8, ptr %0, i64 1020
  store i32 1, ptr %85, align 4
  br label %86

86:                                               ; preds = %84, %81
  %87 = call fastcc i32 @copy_within(ptr noundef nonnull %1, i32 noundef 0)
  %88 = icmp eq i32 %87, 0
  br i1 %88, label %99, label %89

89:                                               ; preds = %86
  %90 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %91 = extractvalue { i32, i1 } %90, 1
  br i1 %91, label %92, label %102

92:                                               ; preds = %89
  %93 = getelementptr inbounds i8, ptr %0, i64 4
  %94 = icmp eq ptr %2, null
  %95 = select i1 %94, ptr @.str.24, ptr %2
  %96 = call fastcc ptr @sentence_of(i32 noundef %87)
  %97 = call fastcc ptr @name_of(i32 noundef %87)
  %98 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %93, i64 noundef 1016, ptr noundef nonnull @.str.38, ptr noundef nonnull %95, ptr noundef %96, ptr noundef %97)
  br label %102

99:                                               ; preds = %86
  %100 = load i64, ptr %68, align 8
  %101 = and i64 %100, -2
  store i64 %101, ptr %68, align 8
  br label %102

102:                                              ; preds = %8, %20, %26, %34, %37, %47, %50, %59, %62, %67, %74, %77, %89, %92, %99
  %103 = phi i32 [ 0, %99 ], [ %15, %8 ], [ %21, %20 ], [ 0, %26 ], [ -37, %34 ], [ -37, %37 ], [ -15, %47 ], [ -15, %50 ], [ -34, %59 ], [ -34, %62 ], [ %69, %67 ], [ %75, %74 ], [ 0, %77 ], [ -15, %89 ], [ -15, %92 ]
  %104 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %12)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %105 = getelementptr inbounds i8, ptr %5, i64 8
  %106 = load i32, ptr %105, align 8
  %107 = icmp eq i32 %106, 0
  br i1 %107, label %111, label %108

108:                                              ; preds = %102
  %109 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %110 = call i32 %109(ptr noundef nonnull %4)
  br label %111

111:                                              ; preds = %102, %108
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  br label %112

112:                                              ; preds = %3, %111
  %113 = phi i32 [ %103, %111 ], [ %6, %3 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5)
  ret i32 %113
}

define weak i32 @lift_cuda_copy_to_host(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 8
  %5 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5)
  %6 = getelementptr inbounds i8, ptr %1, i64 24
  %7 = load atomic i64, ptr %6 acquire, align 8
  %8 = and i64 %7, 2
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %92, label %10

10:                                               ; preds = %3
  %11 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %5)
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %92

13:                                               ; preds = %10
  %14 = ptrtoint ptr %1 to i64
  %15 = udiv i64 %14, 56
  %16 = and i64 %15, 31
  %17 = getelementptr inbounds [32 x %union.lock], ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 64), i64 0, i64 %16
  %18 = call i32 @pthread_mutex_lock(ptr noundef nonnull %17)
  %19 = load ptr, ptr %5, align 8
  %20 = load i64, ptr %6, align 8
  %21 = and i64 %20, 2
  %22 = icmp eq i64 %21, 0
  br i1 %22, label %82, label %23

23:                                               ; preds = %13
  %24 = and i64 %20, 1
  %25 = icmp eq i64 %24, 0
  br i1 %25, label %34, label %26

26:                                               ; preds = %23
  %27 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %28 = extractvalue { i32, i1 } %27, 1
  br i1 %28, label %29, label %82

29:                                               ; preds = %26
  %30 = getelementptr inbounds i8, ptr %0, i64 4
  %31 = icmp eq ptr %2, null
  %32 = select i1 %31, ptr @.str.24, ptr %2
  %33 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %30, i64 noundef 1016, ptr noundef nonnull @.str.35, ptr noundef nonnull %32)
  br label %82

34:                                               ; preds = %23
  %35 = load i64, ptr %1, align 8
  %36 = icmp eq i64 %35, 0
  br i1 %36, label %37, label %45

37:                                               ; preds = %34
  %38 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %39 = extractvalue { i32, i1 } %38, 1
  br i1 %39, label %40, label %82

40:                                               ; preds = %37
  %41 = getelementptr inbounds i8, ptr %0, i64 4
  %42 = icmp eq ptr %2, null
  %43 = select i1 %42, ptr @.str.24, ptr %2
  %44 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %41, i64 noundef 1016, ptr noundef nonnull @.str.36, ptr noundef nonnull %43)
  br label %82

45:                                               ; preds = %34
  %46 = getelementptr inbounds i8, ptr %1, i64 16
  %47 = load ptr, ptr %46, align 8
  %48 = icmp eq ptr %47, null
  br i1 %48, label %49, label %57

49:                                               ; preds = %45
  %50 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %51 = extractvalue { i32, i1 } %50, 1
  br i1 %51, label %52, label %82

52:                                               ; preds = %49
  %53 = getelementptr inbounds i8, ptr %0, i64 4
  %54 = icmp eq ptr %2, null
  %55 = select i1 %54, ptr @.str.24, ptr %2
  %56 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %53, i64 noundef 1016, ptr noundef nonnull @.str.40, ptr noundef nonnull %55)
  br label %82

57:                                               ; preds = %45
  %58 = call fastcc i32 @is_of_others(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %60, label %82

60:                                               ; preds = %57
  %61 = call fastcc i32 @has_too_many_dimensions(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  %62 = icmp eq i32 %61, 0
  br i1 %62, label %63, label %82

63:                                               ; preds = %60
  %64 = call fastcc i32 @is_elsewhere(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2, ptr noundef %19)
  %65 = icmp eq i32 %64, 0
  br i1 %65, label %66, label %82

66:                                               ; preds = %63
  %67 = call fastcc i32 @copy_within(ptr noundef nonnull %1, i32 noundef 1)
  %68 = icmp eq i32 %67, 0
  br i1 %68, label %79, label %69

69:                                               ; preds = %66
  %70 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %71 = extractvalue { i32, i1 } %70, 1
  br i1 %71, label %72, label %82

72:                                               ; preds = %69
  %73 = getelementptr inbounds i8, ptr %0, i64 4
  %74 = icmp eq ptr %2, null
  %75 = select i1 %74, ptr @.str.24, ptr %2
  %76 = call fastcc ptr @sentence_of(i32 noundef %67)
  %77 = call fastcc ptr @name_of(i32 noundef %67)
  %78 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %73, i64 noundef 1016, ptr noundef nonnull @.str.41, ptr noundef nonnull %75, ptr noundef %76, ptr noundef %77)
  br label %82

79:                                               ; preds = %66
  %80 = load i64, ptr %6, align 8
  %81 = and i64 %80, -3
  store i64 %81, ptr %6, align 8
  br label %82

82:                                               ; preds = %13, %26, %29, %37, %40, %49, %52, %57, %60, %63, %69, %72, %79
  %83 = phi i32 [ 0, %79 ], [ 0, %13 ], [ -37, %26 ], [ -37, %29 ], [ -14, %37 ], [ -14, %40 ], [ -34, %49 ], [ -34, %52 ], [ %58, %57 ], [ %61, %60 ], [ %64, %63 ], [ -14, %69 ], [ -14, %72 ]
  %84 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %17)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %85 = getelementptr inbounds i8, ptr %5, i64 8
  %86 = load i32, ptr %85, align 8
  %87 = icmp eq i32 %86, 0
  br i1 %87, label %91, label %88

88:                                               ; preds = %82
  %89 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %90 = call i32 %89(ptr noundef nonnull %4)
  br label %91

91:                                               ; preds = %82, %88
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  br label %92

92:                                               ; preds = %10, %3, %91
  %93 = phi i32 [ %83, %91 ], [ 0, %3 ], [ %11, %10 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5)
  ret i32 %93
}

define weak i32 @lift_cuda_launch(ptr noundef %0, ptr noundef %1, i32 noundef %2, ptr noundef %3, ptr noundef %4, ptr noundef %5) local_unnamed_addr {
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca [512 x i8], align 16
  %13 = alloca [2 x i32], align 8
  %14 = alloca [2 x ptr], align 16
  %15 = alloca ptr, align 8
  %16 = alloca i64, align 8
  %17 = alloca i64, align 8
  %18 = alloca %struct.place, align 8
  %19 = getelementptr inbounds i8, ptr %1, i64 8
  %20 = load ptr, ptr %19, align 8
  %21 = sext i32 %2 to i64
  %22 = getelementptr inbounds %struct.lift_cuda_kernel, ptr %20, i64 %21
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %18)
  br label %23

23:                                               ; preds = %30, %6
  %24 = phi i64 [ %34, %30 ], [ 0, %6 ]
  %25 = icmp eq i64 %24, 3
  br i1 %25, label %35, label %26

26:                                               ; preds = %23
  %27 = getelementptr inbounds i32, ptr %3, i64 %24
  %28 = load i32, ptr %27, align 4
  %29 = icmp slt i32 %28, 1
  br i1 %29, label %341, label %30

30:                                               ; preds = %26
  %31 = getelementptr inbounds i32, ptr %4, i64 %24
  %32 = load i32, ptr %31, align 4
  %33 = icmp slt i32 %32, 1
  %34 = add nuw nsw i64 %24, 1
  br i1 %33, label %341, label %23

35:                                               ; preds = %23
  %36 = getelementptr inbounds i8, ptr %22, i64 16
  %37 = load ptr, ptr %36, align 8
  %38 = getelementptr inbounds i8, ptr %22, i64 32
  %39 = getelementptr inbounds i8, ptr %22, i64 24
  br label %40

40:                                               ; preds = %77, %35
  %41 = phi i64 [ %79, %77 ], [ 0, %35 ]
  %42 = phi ptr [ %78, %77 ], [ %37, %35 ]
  %43 = load i32, ptr %38, align 8
  %44 = zext i32 %43 to i64
  %45 = icmp ult i64 %41, %44
  br i1 %45, label %46, label %81

46:                                               ; preds = %40
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %17)
  %47 = load ptr, ptr %39, align 8
  %48 = getelementptr inbounds i32, ptr %47, i64 %41
  %49 = load i32, ptr %48, align 4
  %50 = icmp eq i32 %49, 0
  br i1 %50, label %77, label %51

51:                                               ; preds = %46
  %52 = getelementptr inbounds ptr, ptr %5, i64 %41
  %53 = load ptr, ptr %52, align 8
  %54 = call ptr @memcpy(ptr noundef nonnull %17, ptr noundef %53, i64 noundef 8)
  %55 = load i64, ptr %17, align 8
  %56 = load ptr, ptr %39, align 8
  %57 = getelementptr inbounds i32, ptr %56, i64 %41
  %58 = load i32, ptr %57, align 4
  %59 = zext i32 %58 to i64
  %60 = urem i64 %55, %59
  %61 = icmp eq i64 %60, 0
  br i1 %61, label %73, label %62

62:                                               ; preds = %51
  %63 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %64 = extractvalue { i32, i1 } %63, 1
  br i1 %64, label %65, label %80

65:                                               ; preds = %62
  %66 = getelementptr inbounds i8, ptr %0, i64 4
  %67 = load ptr, ptr %39, align 8
  %68 = getelementptr inbounds i32, ptr %67, i64 %41
  %69 = load i32, ptr %68, align 4
  %70 = getelementptr inbounds i8, ptr %22, i64 8
  %71 = load ptr, ptr %70, align 8
  %72 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %66, i64 noundef 1016, ptr noundef nonnull @.str.42, ptr noundef %42, i32 noundef %69, ptr noundef %71)
  br label %80

73:                                               ; preds = %51
  %74 = call i64 @strlen(ptr noundef %42)
  %75 = add i64 %74, 1
  %76 = getelementptr inbounds i8, ptr %42, i64 %75
  br label %77

77:                                               ; preds = %73, %46
  %78 = phi ptr [ %76, %73 ], [ %42, %46 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %17)
  %79 = add nuw nsw i64 %41, 1
  br label %40

80:                                               ; preds = %62, %65
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %17)
  br label %341

81:                                               ; preds = %40
  %82 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %18)
  %83 = icmp eq i32 %82, 0
  br i1 %83, label %84, label %341

84:                                               ; preds = %81
  %85 = load ptr, ptr %18, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %16)
  store i64 0, ptr %16, align 8
  %86 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2256), align 8
  %87 = icmp eq ptr %86, null
  br i1 %87, label %88, label %90

88:                                               ; preds = %84
  %89 = ptrtoint ptr %85 to i64
  store i64 %89, ptr %16, align 8
  br label %103

90:                                               ; preds = %84
  %91 = call i32 %86(ptr noundef %85, ptr noundef nonnull %16)
  %92 = icmp eq i32 %91, 0
  br i1 %92, label %93, label %95

93:                                               ; preds = %90
  %94 = load i64, ptr %16, align 8
  br label %103

95:                                               ; preds = %90
  %96 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %97 = extractvalue { i32, i1 } %96, 1
  br i1 %97, label %98, label %211

98:                                               ; preds = %95
  %99 = getelementptr inbounds i8, ptr %0, i64 4
  %100 = call fastcc ptr @sentence_of(i32 noundef %91)
  %101 = call fastcc ptr @name_of(i32 noundef %91)
  %102 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %99, i64 noundef 1016, ptr noundef nonnull @.str.3, ptr noundef %100, ptr noundef %101)
  br label %211

103:                                              ; preds = %93, %88
  %104 = phi i64 [ %94, %93 ], [ %89, %88 ]
  %105 = call fastcc ptr @found(ptr noundef %1, i64 noundef %104)
  %106 = icmp eq ptr %105, null
  br i1 %106, label %108, label %107

107:                                              ; preds = %103
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %16)
  br label %217

108:                                              ; preds = %103
  %109 = call i32 @pthread_mutex_lock(ptr noundef nonnull @lift_cuda_1)
  %110 = load i64, ptr %16, align 8
  %111 = call fastcc ptr @found(ptr noundef %1, i64 noundef %110)
  %112 = icmp eq ptr %111, null
  br i1 %112, label %113, label %212

113:                                              ; preds = %108
  %114 = getelementptr inbounds i8, ptr %1, i64 24
  %115 = load i32, ptr %114, align 8
  %116 = zext i32 %115 to i64
  %117 = shl nuw nsw i64 %116, 3
  %118 = add nuw nsw i64 %117, 32
  %119 = call noalias ptr @calloc(i64 noundef 1, i64 noundef %118)
  %120 = icmp eq ptr %119, null
  br i1 %120, label %121, label %130

121:                                              ; preds = %113
  %122 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %123 = extractvalue { i32, i1 } %122, 1
  br i1 %123, label %124, label %212

124:                                              ; preds = %121
  %125 = getelementptr inbounds i8, ptr %0, i64 4
  %126 = load ptr, ptr %19, align 8
  %127 = getelementptr inbounds i8, ptr %126, i64 8
  %128 = load ptr, ptr %127, align 8
  %129 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %125, i64 noundef 1016, ptr noundef nonnull @.str.43, ptr noundef %128)
  br label %212

130:                                              ; preds = %113
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %12)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %13)
  store i64 25769803781, ptr %13, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %14)
  store ptr %12, ptr %14, align 16
  %131 = getelementptr inbounds i8, ptr %14, i64 8
  store ptr inttoptr (i64 512 to ptr), ptr %131, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %15)
  store ptr null, ptr %15, align 8
  store i8 0, ptr %12, align 16
  %132 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2272), align 8
  %133 = load ptr, ptr %1, align 8
  %134 = call i32 %132(ptr noundef nonnull %15, ptr noundef %133, i32 noundef 2, ptr noundef nonnull %13, ptr noundef nonnull %14)
  %135 = icmp eq i32 %134, 0
  br i1 %135, label %136, label %138

136:                                              ; preds = %130
  %137 = getelementptr inbounds i8, ptr %119, i64 32
  br label %158

138:                                              ; preds = %130
  %139 = load i8, ptr %12, align 16
  %140 = icmp eq i8 %139, 0
  br i1 %140, label %141, label %143

141:                                              ; preds = %138
  %142 = call fastcc ptr @sentence_of(i32 noundef %134)
  br label %143

143:                                              ; preds = %141, %138
  %144 = phi ptr [ %142, %141 ], [ %12, %138 ]
  switch i32 %134, label %147 [
    i32 222, label %145
    i32 209, label %145
    i32 2, label %145
  ]

145:                                              ; preds = %143, %143, %143
  %146 = call fastcc ptr @sentence_of(i32 noundef %134)
  br label %147

147:                                              ; preds = %145, %143
  %148 = phi ptr [ %146, %145 ], [ %144, %143 ]
  %149 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %150 = extractvalue { i32, i1 } %149, 1
  br i1 %150, label %151, label %200

151:                                              ; preds = %147
  %152 = getelementptr inbounds i8, ptr %0, i64 4
  %153 = load ptr, ptr %19, align 8
  %154 = getelementptr inbounds i8, ptr %153, i64 8
  %155 = load ptr, ptr %154, align 8
  %156 = call fastcc ptr @name_of(i32 noundef %134)
  %157 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %152, i64 noundef 1016, ptr noundef nonnull @.str.44, ptr noundef %155, ptr noundef %148, ptr noundef %156)
  br label %200

158:                                              ; preds = %198, %136
  %159 = phi i64 [ 0, %136 ], [ %199, %198 ]
  %160 = load i32, ptr %114, align 8
  %161 = zext i32 %160 to i64
  %162 = icmp ult i64 %159, %161
  br i1 %162, label %163, label %202

163:                                              ; preds = %158
  %164 = load ptr, ptr %19, align 8
  %165 = getelementptr inbounds %struct.lift_cuda_kernel, ptr %164, i64 %159
  %166 = getelementptr inbounds [0 x ptr], ptr %137, i64 0, i64 %159
  %167 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2288), align 8
  %168 = load ptr, ptr %15, align 8
  %169 = load ptr, ptr %165, align 8
  %170 = call i32 %167(ptr noundef nonnull %166, ptr noundef %168, ptr noundef %169)
  %171 = icmp eq i32 %170, 0
  br i1 %171, label %172, label %181

172:                                              ; preds = %163
  %173 = getelementptr inbounds i8, ptr %165, i64 36
  %174 = load i32, ptr %173, align 4
  %175 = icmp ugt i32 %174, 49152
  br i1 %175, label %176, label %198

176:                                              ; preds = %172
  %177 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2296), align 8
  %178 = load ptr, ptr %166, align 8
  %179 = call i32 %177(ptr noundef %178, i32 noundef 8, i32 noundef %174)
  %180 = icmp eq i32 %179, 0
  br i1 %180, label %198, label %181

181:                                              ; preds = %176, %163
  %182 = phi i32 [ %170, %163 ], [ %179, %176 ]
  %183 = call fastcc i32 @has_too_much_shared(ptr noundef %0, ptr noundef nonnull %165)
  %184 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2280), align 8
  %185 = load ptr, ptr %15, align 8
  %186 = call i32 %184(ptr noundef %185)
  %187 = icmp eq i32 %183, 0
  br i1 %187, label %188, label %200

188:                                              ; preds = %181
  %189 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %190 = extractvalue { i32, i1 } %189, 1
  br i1 %190, label %191, label %200

191:                                              ; preds = %188
  %192 = getelementptr inbounds i8, ptr %0, i64 4
  %193 = getelementptr inbounds i8, ptr %165, i64 8
  %194 = load ptr, ptr %193, align 8
  %195 = call fastcc ptr @sentence_of(i32 noundef %182)
  %196 = call fastcc ptr @name_of(i32 noundef %182)
  %197 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %192, i64 noundef 1016, ptr noundef nonnull @.str.45, ptr noundef %194, ptr noundef %195, ptr noundef %196)
  br label %200

198:                                              ; preds = %176, %172
  %199 = add nuw nsw i64 %159, 1
  br label %158

200:                                              ; preds = %191, %188, %181, %151, %147
  %201 = phi i32 [ -23, %188 ], [ -23, %191 ], [ %183, %181 ], [ -23, %151 ], [ -23, %147 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %15)
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %14)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %13)
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %12)
  call void @free(ptr noundef nonnull %119)
  br label %212

202:                                              ; preds = %158
  %203 = load ptr, ptr %15, align 8
  %204 = getelementptr inbounds i8, ptr %119, i64 24
  store ptr %203, ptr %204, align 8
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %15)
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %14)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %13)
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %12)
  %205 = load i64, ptr %16, align 8
  %206 = getelementptr inbounds i8, ptr %119, i64 8
  store i64 %205, ptr %206, align 8
  %207 = getelementptr inbounds i8, ptr %119, i64 16
  store ptr %85, ptr %207, align 8
  %208 = getelementptr inbounds i8, ptr %1, i64 16
  %209 = load ptr, ptr %208, align 8
  store ptr %209, ptr %119, align 8
  %210 = ptrtoint ptr %119 to i64
  store atomic i64 %210, ptr %208 release, align 8
  br label %212

211:                                              ; preds = %95, %98
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %16)
  br label %332

212:                                              ; preds = %108, %121, %124, %200, %202
  %213 = phi ptr [ null, %124 ], [ null, %121 ], [ null, %200 ], [ %119, %202 ], [ %111, %108 ]
  %214 = phi i32 [ -11, %124 ], [ -11, %121 ], [ %201, %200 ], [ 0, %202 ], [ 0, %108 ]
  %215 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @lift_cuda_1)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %16)
  %216 = icmp eq i32 %214, 0
  br i1 %216, label %217, label %332

217:                                              ; preds = %107, %212
  %218 = phi ptr [ %105, %107 ], [ %213, %212 ]
  %219 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2304), align 8
  %220 = getelementptr inbounds i8, ptr %218, i64 32
  %221 = getelementptr inbounds [0 x ptr], ptr %220, i64 0, i64 %21
  %222 = load ptr, ptr %221, align 8
  %223 = load i32, ptr %3, align 4
  %224 = getelementptr inbounds i8, ptr %3, i64 4
  %225 = load i32, ptr %224, align 4
  %226 = getelementptr inbounds i8, ptr %3, i64 8
  %227 = load i32, ptr %226, align 4
  %228 = load i32, ptr %4, align 4
  %229 = getelementptr inbounds i8, ptr %4, i64 4
  %230 = load i32, ptr %229, align 4
  %231 = getelementptr inbounds i8, ptr %4, i64 8
  %232 = load i32, ptr %231, align 4
  %233 = getelementptr inbounds i8, ptr %22, i64 36
  %234 = load i32, ptr %233, align 4
  %235 = call fastcc ptr @stream()
  %236 = call i32 %219(ptr noundef %222, i32 noundef %223, i32 noundef %225, i32 noundef %227, i32 noundef %228, i32 noundef %230, i32 noundef %232, i32 noundef %234, ptr noundef %235, ptr noundef %5, ptr noundef null)
  %237 = icmp eq i32 %236, 0
  br i1 %237, label %238, label %241

238:                                              ; preds = %217
  %239 = getelementptr inbounds i8, ptr %0, i64 1020
  store i32 1, ptr %239, align 4
  %240 = atomicrmw add ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2136), i64 1 monotonic, align 8
  br label %332

241:                                              ; preds = %217
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %8)
  store i32 0, ptr %8, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %9)
  store i32 1024, ptr %9, align 4
  %242 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2248), align 8
  %243 = call i32 %242(ptr noundef nonnull %8)
  %244 = icmp eq i32 %243, 0
  br i1 %244, label %246, label %245

245:                                              ; preds = %241
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %9)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %8)
  br label %322

246:                                              ; preds = %241, %297
  %247 = phi i64 [ %298, %297 ], [ 0, %241 ]
  %248 = phi i64 [ %254, %297 ], [ 1, %241 ]
  %249 = icmp eq i64 %247, 3
  br i1 %249, label %300, label %250

250:                                              ; preds = %246
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %10)
  store i32 0, ptr %10, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %11)
  store i32 0, ptr %11, align 4
  %251 = getelementptr inbounds i32, ptr %4, i64 %247
  %252 = load i32, ptr %251, align 4
  %253 = sext i32 %252 to i64
  %254 = mul nsw i64 %248, %253
  %255 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), align 8
  %256 = load i32, ptr %8, align 4
  %257 = trunc i64 %247 to i32
  %258 = add i32 %257, 2
  %259 = call i32 %255(ptr noundef nonnull %10, i32 noundef %258, i32 noundef %256)
  %260 = icmp eq i32 %259, 0
  br i1 %260, label %261, label %275

261:                                              ; preds = %250
  %262 = load i32, ptr %251, align 4
  %263 = load i32, ptr %10, align 4
  %264 = icmp sgt i32 %262, %263
  br i1 %264, label %265, label %275

265:                                              ; preds = %261
  %266 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %267 = extractvalue { i32, i1 } %266, 1
  br i1 %267, label %268, label %299

268:                                              ; preds = %265
  %269 = getelementptr inbounds i8, ptr %0, i64 4
  %270 = getelementptr inbounds i8, ptr %22, i64 8
  %271 = load ptr, ptr %270, align 8
  %272 = load i32, ptr %251, align 4
  %273 = load i32, ptr %10, align 4
  %274 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %269, i64 noundef 1016, ptr noundef nonnull @.str.47, ptr noundef %271, i32 noundef %272, i32 noundef %257, i32 noundef %273)
  br label %299

275:                                              ; preds = %261, %250
  %276 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), align 8
  %277 = load i32, ptr %8, align 4
  %278 = add i32 %257, 5
  %279 = call i32 %276(ptr noundef nonnull %11, i32 noundef %278, i32 noundef %277)
  %280 = icmp eq i32 %279, 0
  br i1 %280, label %281, label %297

281:                                              ; preds = %275
  %282 = getelementptr inbounds i32, ptr %3, i64 %247
  %283 = load i32, ptr %282, align 4
  %284 = load i32, ptr %11, align 4
  %285 = icmp sgt i32 %283, %284
  br i1 %285, label %286, label %297

286:                                              ; preds = %281
  %287 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %288 = extractvalue { i32, i1 } %287, 1
  br i1 %288, label %289, label %299

289:                                              ; preds = %286
  %290 = getelementptr inbounds i32, ptr %3, i64 %247
  %291 = getelementptr inbounds i8, ptr %0, i64 4
  %292 = getelementptr inbounds i8, ptr %22, i64 8
  %293 = load ptr, ptr %292, align 8
  %294 = load i32, ptr %290, align 4
  %295 = load i32, ptr %11, align 4
  %296 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %291, i64 noundef 1016, ptr noundef nonnull @.str.48, ptr noundef %293, i32 noundef %294, i32 noundef %257, i32 noundef %295)
  br label %299

297:                                              ; preds = %281, %275
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %11)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %10)
  %298 = add nuw nsw i64 %247, 1
  br label %246

299:                                              ; preds = %289, %286, %268, %265
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %11)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %10)
  br label %318

300:                                              ; preds = %246
  %301 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), align 8
  %302 = load i32, ptr %8, align 4
  %303 = call i32 %301(ptr noundef nonnull %9, i32 noundef 1, i32 noundef %302)
  %304 = icmp eq i32 %303, 0
  %305 = load i32, ptr %9, align 4
  %306 = sext i32 %305 to i64
  %307 = icmp sgt i64 %248, %306
  %308 = select i1 %304, i1 %307, i1 false
  br i1 %308, label %309, label %319

309:                                              ; preds = %300
  %310 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %311 = extractvalue { i32, i1 } %310, 1
  br i1 %311, label %312, label %318

312:                                              ; preds = %309
  %313 = getelementptr inbounds i8, ptr %0, i64 4
  %314 = getelementptr inbounds i8, ptr %22, i64 8
  %315 = load ptr, ptr %314, align 8
  %316 = load i32, ptr %9, align 4
  %317 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %313, i64 noundef 1016, ptr noundef nonnull @.str.49, ptr noundef %315, i64 noundef %248, i32 noundef %316)
  br label %318

318:                                              ; preds = %299, %309, %312
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %9)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %8)
  br label %332

319:                                              ; preds = %300
  %320 = call fastcc i32 @has_too_much_shared(ptr noundef %0, ptr noundef readonly %22)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %9)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %8)
  %321 = icmp eq i32 %320, 0
  br i1 %321, label %322, label %332

322:                                              ; preds = %245, %319
  %323 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %324 = extractvalue { i32, i1 } %323, 1
  br i1 %324, label %325, label %332

325:                                              ; preds = %322
  %326 = getelementptr inbounds i8, ptr %0, i64 4
  %327 = getelementptr inbounds i8, ptr %22, i64 8
  %328 = load ptr, ptr %327, align 8
  %329 = call fastcc ptr @sentence_of(i32 noundef %236)
  %330 = call fastcc ptr @name_of(i32 noundef %236)
  %331 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %326, i64 noundef 1016, ptr noundef nonnull @.str.1, ptr noundef %328, ptr noundef %329, ptr noundef %330)
  br label %332

332:                                              ; preds = %318, %211, %325, %322, %238, %319, %212
  %333 = phi i32 [ %214, %212 ], [ %320, %319 ], [ 0, %238 ], [ -23, %322 ], [ -23, %325 ], [ -29, %211 ], [ -23, %318 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %7)
  %334 = getelementptr inbounds i8, ptr %18, i64 8
  %335 = load i32, ptr %334, align 8
  %336 = icmp eq i32 %335, 0
  br i1 %336, label %340, label %337

337:                                              ; preds = %332
  %338 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %339 = call i32 %338(ptr noundef nonnull %7)
  br label %340

340:                                              ; preds = %332, %337
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %7)
  br label %341

341:                                              ; preds = %30, %26, %80, %81, %340
  %342 = phi i32 [ %333, %340 ], [ -23, %80 ], [ %82, %81 ], [ 0, %26 ], [ 0, %30 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %18)
  ret i32 %342
}

define internal fastcc ptr @stream() unnamed_addr {
  %1 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2160), align 8
  %2 = icmp eq i32 %1, 0
  br i1 %2, label %6, label %3

3:                                                ; preds = %0
  %4 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2164), align 4
  %5 = tail call ptr @pthread_getspecific(i32 noundef %4)
  br label %6

6:                                                ; preds = %0, %3
  %7 = phi ptr [ %5, %3 ], [ null, %0 ]
  ret ptr %7
}

define weak void @lift_cuda_unload(ptr noundef %0) local_unnamed_addr {
  %2 = alloca i64, align 8
  %3 = alloca ptr, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2112), align 8
  %7 = icmp eq i32 %6, 1
  br i1 %7, label %8, label %12

8:                                                ; preds = %1
  %9 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2116), align 4
  %10 = tail call i32 @getpid()
  %11 = icmp eq i32 %9, %10
  br label %12

12:                                               ; preds = %8, %1
  %13 = phi i1 [ false, %1 ], [ %11, %8 ]
  store ptr null, ptr %4, align 8
  br label %14

14:                                               ; preds = %50, %12
  %15 = phi ptr [ %5, %12 ], [ %18, %50 ]
  %16 = icmp eq ptr %15, null
  br i1 %16, label %51, label %17

17:                                               ; preds = %14
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  store i64 0, ptr %2, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3)
  %18 = load ptr, ptr %15, align 8
  br i1 %13, label %19, label %50

19:                                               ; preds = %17
  %20 = getelementptr inbounds i8, ptr %15, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2256), align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %24, label %26

24:                                               ; preds = %19
  %25 = ptrtoint ptr %21 to i64
  store i64 %25, ptr %2, align 8
  br label %31

26:                                               ; preds = %19
  %27 = call i32 %22(ptr noundef %21, ptr noundef nonnull %2)
  %28 = icmp eq i32 %27, 0
  br i1 %28, label %29, label %50

29:                                               ; preds = %26
  %30 = load i64, ptr %2, align 8
  br label %31

31:                                               ; preds = %29, %24
  %32 = phi i64 [ %30, %29 ], [ %25, %24 ]
  %33 = getelementptr inbounds i8, ptr %15, i64 8
  %34 = load i64, ptr %33, align 8
  %35 = icmp eq i64 %32, %34
  br i1 %35, label %36, label %50

36:                                               ; preds = %31
  %37 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2224), align 8
  %38 = load ptr, ptr %20, align 8
  %39 = call i32 %37(ptr noundef %38)
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %41, label %50

41:                                               ; preds = %36
  %42 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2264), align 8
  %43 = call i32 %42()
  %44 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2280), align 8
  %45 = getelementptr inbounds i8, ptr %15, i64 24
  %46 = load ptr, ptr %45, align 8
  %47 = call i32 %44(ptr noundef %46)
  %48 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %49 = call i32 %48(ptr noundef nonnull %3)
  br label %50

50:                                               ; preds = %41, %36, %31, %26, %17
  call void @free(ptr noundef nonnull %15)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  br label %14

51:                                               ; preds = %14
  ret void
}

declare i32 @getpid() local_unnamed_addr

declare void @free(ptr noundef) local_unnamed_addr

define weak i32 @lift_cuda_use_stream(ptr noundef %0, ptr noundef %1) local_unnamed_addr {
  %3 = tail call fastcc i32 @opened(ptr noundef %0)
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %5, label %15

5:                                                ; preds = %2
  %6 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2164), align 4
  %7 = tail call i32 @pthread_setspecific(i32 noundef %6, ptr noundef %1)
  %8 = icmp eq i32 %7, 0
  br i1 %8, label %15, label %9

9:                                                ; preds = %5
  %10 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %11 = extractvalue { i32, i1 } %10, 1
  br i1 %11, label %12, label %15

12:                                               ; preds = %9
  %13 = getelementptr inbounds i8, ptr %0, i64 4
  %14 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %13, i64 noundef 1016, ptr noundef nonnull @.str.2)
  br label %15

15:                                               ; preds = %12, %9, %5, %2
  %16 = phi i32 [ %3, %2 ], [ 0, %5 ], [ -11, %9 ], [ -11, %12 ]
  ret i32 %16
}

define internal fastcc noundef i32 @opened(ptr noundef %0) unnamed_addr {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = load atomic i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2112) acquire, align 8
  %8 = icmp eq i32 %7, 1
  br i1 %8, label %405, label %9

9:                                                ; preds = %1
  %10 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @lift_cuda_1)
  %11 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2112), align 8
  %12 = icmp eq i32 %11, 1
  br i1 %12, label %401, label %13

13:                                               ; preds = %9
  %14 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2160), align 8
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %20

16:                                               ; preds = %13
  %17 = tail call i32 @pthread_key_create(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2164), ptr noundef null)
  %18 = icmp eq i32 %17, 0
  %19 = zext i1 %18 to i32
  store i32 %19, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2160), align 8
  br i1 %18, label %20, label %383

20:                                               ; preds = %13, %16
  %21 = tail call ptr @getenv(ptr noundef nonnull @.str.52)
  %22 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2144), align 8
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %24, label %26

24:                                               ; preds = %20
  %25 = tail call ptr @getenv(ptr noundef nonnull @.str.53)
  br label %26

26:                                               ; preds = %24, %20
  %27 = phi ptr [ %25, %24 ], [ null, %20 ]
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %6)
  store i32 0, ptr %6, align 4
  %28 = tail call ptr @getenv(ptr noundef nonnull @.str.53)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5)
  %29 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2144), align 8
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %33, label %31

31:                                               ; preds = %26
  %32 = add nsw i32 %29, -1
  br label %47

33:                                               ; preds = %26
  %34 = icmp eq ptr %28, null
  br i1 %34, label %47, label %35

35:                                               ; preds = %33
  %36 = load i8, ptr %28, align 1
  %37 = icmp eq i8 %36, 0
  br i1 %37, label %47, label %38

38:                                               ; preds = %35
  %39 = call i64 @strtol(ptr noundef nonnull %28, ptr noundef nonnull %5, i32 noundef 10)
  %40 = load ptr, ptr %5, align 8
  %41 = load i8, ptr %40, align 1
  %42 = icmp ne i8 %41, 0
  %43 = icmp ugt i64 %39, 64
  %44 = select i1 %42, i1 true, i1 %43
  %45 = trunc i64 %39 to i32
  %46 = select i1 %44, i32 -1, i32 %45
  br label %47

47:                                               ; preds = %38, %35, %33, %31
  %48 = phi i32 [ %32, %31 ], [ %46, %38 ], [ 0, %35 ], [ 0, %33 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5)
  %49 = icmp eq ptr %21, null
  br i1 %49, label %53, label %50

50:                                               ; preds = %47
  %51 = load i8, ptr %21, align 1
  %52 = icmp eq i8 %51, 0
  br i1 %52, label %53, label %56

53:                                               ; preds = %50, %47
  %54 = call ptr @dlopen(ptr noundef nonnull @.str.54, i32 noundef 2)
  %55 = icmp eq ptr %54, null
  br i1 %55, label %56, label %69

56:                                               ; preds = %53, %50
  %57 = phi ptr [ @.str.55, %53 ], [ %21, %50 ]
  %58 = call ptr @dlopen(ptr noundef nonnull %57, i32 noundef 2)
  %59 = icmp eq ptr %58, null
  br i1 %59, label %60, label %69

60:                                               ; preds = %56
  %61 = call ptr @dlerror()
  %62 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %63 = extractvalue { i32, i1 } %62, 1
  br i1 %63, label %64, label %389

64:                                               ; preds = %60
  %65 = getelementptr inbounds i8, ptr %0, i64 4
  %66 = icmp eq ptr %61, null
  %67 = select i1 %66, ptr %57, ptr %61
  %68 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %65, i64 noundef 1016, ptr noundef nonnull @.str.56, ptr noundef nonnull %67)
  br label %389

69:                                               ; preds = %56, %53
  %70 = phi ptr [ %58, %56 ], [ %54, %53 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %71 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.63)
  store ptr %71, ptr %4, align 8
  %72 = icmp eq ptr %71, null
  br i1 %72, label %73, label %76

73:                                               ; preds = %69
  %74 = call i32 @strcmp(ptr noundef nonnull @.str.63, ptr noundef nonnull @.str.64)
  %75 = icmp eq i32 %74, 0
  br i1 %75, label %76, label %314

76:                                               ; preds = %73, %69
  %77 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2168), ptr noundef nonnull %4, i64 noundef 8)
  %78 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.65)
  store ptr %78, ptr %4, align 8
  %79 = icmp eq ptr %78, null
  br i1 %79, label %80, label %83

80:                                               ; preds = %76
  %81 = call i32 @strcmp(ptr noundef nonnull @.str.65, ptr noundef nonnull @.str.64)
  %82 = icmp eq i32 %81, 0
  br i1 %82, label %83, label %314

83:                                               ; preds = %80, %76
  %84 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2176), ptr noundef nonnull %4, i64 noundef 8)
  %85 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.66)
  store ptr %85, ptr %4, align 8
  %86 = icmp eq ptr %85, null
  br i1 %86, label %87, label %90

87:                                               ; preds = %83
  %88 = call i32 @strcmp(ptr noundef nonnull @.str.66, ptr noundef nonnull @.str.64)
  %89 = icmp eq i32 %88, 0
  br i1 %89, label %90, label %314

90:                                               ; preds = %87, %83
  %91 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2184), ptr noundef nonnull %4, i64 noundef 8)
  %92 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.67)
  store ptr %92, ptr %4, align 8
  %93 = icmp eq ptr %92, null
  br i1 %93, label %94, label %97

94:                                               ; preds = %90
  %95 = call i32 @strcmp(ptr noundef nonnull @.str.67, ptr noundef nonnull @.str.64)
  %96 = icmp eq i32 %95, 0
  br i1 %96, label %97, label %314

97:                                               ; preds = %94, %90
  %98 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2192), ptr noundef nonnull %4, i64 noundef 8)
  %99 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.68)
  store ptr %99, ptr %4, align 8
  %100 = icmp eq ptr %99, null
  br i1 %100, label %101, label %104

101:                                              ; preds = %97
  %102 = call i32 @strcmp(ptr noundef nonnull @.str.68, ptr noundef nonnull @.str.64)
  %103 = icmp eq i32 %102, 0
  br i1 %103, label %104, label %314

104:                                              ; preds = %101, %97
  %105 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2200), ptr noundef nonnull %4, i64 noundef 8)
  %106 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.69)
  store ptr %106, ptr %4, align 8
  %107 = icmp eq ptr %106, null
  br i1 %107, label %108, label %111

108:                                              ; preds = %104
  %109 = call i32 @strcmp(ptr noundef nonnull @.str.69, ptr noundef nonnull @.str.64)
  %110 = icmp eq i32 %109, 0
  br i1 %110, label %111, label %314

111:                                              ; preds = %108, %104
  %112 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), ptr noundef nonnull %4, i64 noundef 8)
  %113 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.70)
  store ptr %113, ptr %4, align 8
  %114 = icmp eq ptr %113, null
  br i1 %114, label %115, label %118

115:                                              ; preds = %111
  %116 = call i32 @strcmp(ptr noundef nonnull @.str.70, ptr noundef nonnull @.str.64)
  %117 = icmp eq i32 %116, 0
  br i1 %117, label %118, label %314

118:                                              ; preds = %115, %111
  %119 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2216), ptr noundef nonnull %4, i64 noundef 8)
  %120 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.71)
  store ptr %120, ptr %4, align 8
  %121 = icmp eq ptr %120, null
  br i1 %121, label %122, label %125

122:                                              ; preds = %118
  %123 = call i32 @strcmp(ptr noundef nonnull @.str.71, ptr noundef nonnull @.str.64)
  %124 = icmp eq i32 %123, 0
  br i1 %124, label %125, label %314

125:                                              ; preds = %122, %118
  %126 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2224), ptr noundef nonnull %4, i64 noundef 8)
  %127 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.72)
  store ptr %127, ptr %4, align 8
  %128 = icmp eq ptr %127, null
  br i1 %128, label %129, label %132

129:                                              ; preds = %125
  %130 = call i32 @strcmp(ptr noundef nonnull @.str.72, ptr noundef nonnull @.str.64)
  %131 = icmp eq i32 %130, 0
  br i1 %131, label %132, label %314

132:                                              ; preds = %129, %125
  %133 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), ptr noundef nonnull %4, i64 noundef 8)
  %134 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.73)
  store ptr %134, ptr %4, align 8
  %135 = icmp eq ptr %134, null
  br i1 %135, label %136, label %139

136:                                              ; preds = %132
  %137 = call i32 @strcmp(ptr noundef nonnull @.str.73, ptr noundef nonnull @.str.64)
  %138 = icmp eq i32 %137, 0
  br i1 %138, label %139, label %314

139:                                              ; preds = %136, %132
  %140 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2240), ptr noundef nonnull %4, i64 noundef 8)
  %141 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.74)
  store ptr %141, ptr %4, align 8
  %142 = icmp eq ptr %141, null
  br i1 %142, label %143, label %146

143:                                              ; preds = %139
  %144 = call i32 @strcmp(ptr noundef nonnull @.str.74, ptr noundef nonnull @.str.64)
  %145 = icmp eq i32 %144, 0
  br i1 %145, label %146, label %314

146:                                              ; preds = %143, %139
  %147 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2248), ptr noundef nonnull %4, i64 noundef 8)
  %148 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.64)
  store ptr %148, ptr %4, align 8
  %149 = icmp eq ptr %148, null
  br i1 %149, label %150, label %153

150:                                              ; preds = %146
  %151 = call i32 @strcmp(ptr noundef nonnull @.str.64, ptr noundef nonnull @.str.64)
  %152 = icmp eq i32 %151, 0
  br i1 %152, label %153, label %314

153:                                              ; preds = %150, %146
  %154 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2256), ptr noundef nonnull %4, i64 noundef 8)
  %155 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.75)
  store ptr %155, ptr %4, align 8
  %156 = icmp eq ptr %155, null
  br i1 %156, label %157, label %160

157:                                              ; preds = %153
  %158 = call i32 @strcmp(ptr noundef nonnull @.str.75, ptr noundef nonnull @.str.64)
  %159 = icmp eq i32 %158, 0
  br i1 %159, label %160, label %314

160:                                              ; preds = %157, %153
  %161 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2264), ptr noundef nonnull %4, i64 noundef 8)
  %162 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.76)
  store ptr %162, ptr %4, align 8
  %163 = icmp eq ptr %162, null
  br i1 %163, label %164, label %167

164:                                              ; preds = %160
  %165 = call i32 @strcmp(ptr noundef nonnull @.str.76, ptr noundef nonnull @.str.64)
  %166 = icmp eq i32 %165, 0
  br i1 %166, label %167, label %314

167:                                              ; preds = %164, %160
  %168 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2272), ptr noundef nonnull %4, i64 noundef 8)
  %169 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.77)
  store ptr %169, ptr %4, align 8
  %170 = icmp eq ptr %169, null
  br i1 %170, label %171, label %174

171:                                              ; preds = %167
  %172 = call i32 @strcmp(ptr noundef nonnull @.str.77, ptr noundef nonnull @.str.64)
  %173 = icmp eq i32 %172, 0
  br i1 %173, label %174, label %314

174:                                              ; preds = %171, %167
  %175 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2280), ptr noundef nonnull %4, i64 noundef 8)
  %176 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.78)
  store ptr %176, ptr %4, align 8
  %177 = icmp eq ptr %176, null
  br i1 %177, label %178, label %181

178:                                              ; preds = %174
  %179 = call i32 @strcmp(ptr noundef nonnull @.str.78, ptr noundef nonnull @.str.64)
  %180 = icmp eq i32 %179, 0
  br i1 %180, label %181, label %314

181:                                              ; preds = %178, %174
  %182 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2288), ptr noundef nonnull %4, i64 noundef 8)
  %183 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.79)
  store ptr %183, ptr %4, align 8
  %184 = icmp eq ptr %183, null
  br i1 %184, label %185, label %188

185:                                              ; preds = %181
  %186 = call i32 @strcmp(ptr noundef nonnull @.str.79, ptr noundef nonnull @.str.64)
  %187 = icmp eq i32 %186, 0
  br i1 %187, label %188, label %314

188:                                              ; preds = %185, %181
  %189 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2296), ptr noundef nonnull %4, i64 noundef 8)
  %190 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.80)
  store ptr %190, ptr %4, align 8
  %191 = icmp eq ptr %190, null
  br i1 %191, label %192, label %195

192:                                              ; preds = %188
  %193 = call i32 @strcmp(ptr noundef nonnull @.str.80, ptr noundef nonnull @.str.64)
  %194 = icmp eq i32 %193, 0
  br i1 %194, label %195, label %314

195:                                              ; preds = %192, %188
  %196 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2304), ptr noundef nonnull %4, i64 noundef 8)
  %197 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.81)
  store ptr %197, ptr %4, align 8
  %198 = icmp eq ptr %197, null
  br i1 %198, label %199, label %202

199:                                              ; preds = %195
  %200 = call i32 @strcmp(ptr noundef nonnull @.str.81, ptr noundef nonnull @.str.64)
  %201 = icmp eq i32 %200, 0
  br i1 %201, label %202, label %314

202:                                              ; preds = %199, %195
  %203 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2312), ptr noundef nonnull %4, i64 noundef 8)
  %204 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.82)
  store ptr %204, ptr %4, align 8
  %205 = icmp eq ptr %204, null
  br i1 %205, label %206, label %209

206:                                              ; preds = %202
  %207 = call i32 @strcmp(ptr noundef nonnull @.str.82, ptr noundef nonnull @.str.64)
  %208 = icmp eq i32 %207, 0
  br i1 %208, label %209, label %314

209:                                              ; preds = %206, %202
  %210 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2320), ptr noundef nonnull %4, i64 noundef 8)
  %211 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.83)
  store ptr %211, ptr %4, align 8
  %212 = icmp eq ptr %211, null
  br i1 %212, label %213, label %216

213:                                              ; preds = %209
  %214 = call i32 @strcmp(ptr noundef nonnull @.str.83, ptr noundef nonnull @.str.64)
  %215 = icmp eq i32 %214, 0
  br i1 %215, label %216, label %314

216:                                              ; preds = %213, %209
  %217 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2328), ptr noundef nonnull %4, i64 noundef 8)
  %218 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.84)
  store ptr %218, ptr %4, align 8
  %219 = icmp eq ptr %218, null
  br i1 %219, label %220, label %223

220:                                              ; preds = %216
  %221 = call i32 @strcmp(ptr noundef nonnull @.str.84, ptr noundef nonnull @.str.64)
  %222 = icmp eq i32 %221, 0
  br i1 %222, label %223, label %314

223:                                              ; preds = %220, %216
  %224 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2336), ptr noundef nonnull %4, i64 noundef 8)
  %225 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.85)
  store ptr %225, ptr %4, align 8
  %226 = icmp eq ptr %225, null
  br i1 %226, label %227, label %230

227:                                              ; preds = %223
  %228 = call i32 @strcmp(ptr noundef nonnull @.str.85, ptr noundef nonnull @.str.64)
  %229 = icmp eq i32 %228, 0
  br i1 %229, label %230, label %314

230:                                              ; preds = %227, %223
  %231 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2344), ptr noundef nonnull %4, i64 noundef 8)
  %232 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.86)
  store ptr %232, ptr %4, align 8
  %233 = icmp eq ptr %232, null
  br i1 %233, label %234, label %237

234:                                              ; preds = %230
  %235 = call i32 @strcmp(ptr noundef nonnull @.str.86, ptr noundef nonnull @.str.64)
  %236 = icmp eq i32 %235, 0
  br i1 %236, label %237, label %314

237:                                              ; preds = %234, %230
  %238 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2352), ptr noundef nonnull %4, i64 noundef 8)
  %239 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.87)
  store ptr %239, ptr %4, align 8
  %240 = icmp eq ptr %239, null
  br i1 %240, label %241, label %244

241:                                              ; preds = %237
  %242 = call i32 @strcmp(ptr noundef nonnull @.str.87, ptr noundef nonnull @.str.64)
  %243 = icmp eq i32 %242, 0
  br i1 %243, label %244, label %314

244:                                              ; preds = %241, %237
  %245 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2360), ptr noundef nonnull %4, i64 noundef 8)
  %246 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.88)
  store ptr %246, ptr %4, align 8
  %247 = icmp eq ptr %246, null
  br i1 %247, label %248, label %251

248:                                              ; preds = %244
  %249 = call i32 @strcmp(ptr noundef nonnull @.str.88, ptr noundef nonnull @.str.64)
  %250 = icmp eq i32 %249, 0
  br i1 %250, label %251, label %314

251:                                              ; preds = %248, %244
  %252 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2368), ptr noundef nonnull %4, i64 noundef 8)
  %253 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.89)
  store ptr %253, ptr %4, align 8
  %254 = icmp eq ptr %253, null
  br i1 %254, label %255, label %258

255:                                              ; preds = %251
  %256 = call i32 @strcmp(ptr noundef nonnull @.str.89, ptr noundef nonnull @.str.64)
  %257 = icmp eq i32 %256, 0
  br i1 %257, label %258, label %314

258:                                              ; preds = %255, %251
  %259 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2376), ptr noundef nonnull %4, i64 noundef 8)
  %260 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.90)
  store ptr %260, ptr %4, align 8
  %261 = icmp eq ptr %260, null
  br i1 %261, label %262, label %265

262:                                              ; preds = %258
  %263 = call i32 @strcmp(ptr noundef nonnull @.str.90, ptr noundef nonnull @.str.64)
  %264 = icmp eq i32 %263, 0
  br i1 %264, label %265, label %314

265:                                              ; preds = %262, %258
  %266 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2384), ptr noundef nonnull %4, i64 noundef 8)
  %267 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.91)
  store ptr %267, ptr %4, align 8
  %268 = icmp eq ptr %267, null
  br i1 %268, label %269, label %272

269:                                              ; preds = %265
  %270 = call i32 @strcmp(ptr noundef nonnull @.str.91, ptr noundef nonnull @.str.64)
  %271 = icmp eq i32 %270, 0
  br i1 %271, label %272, label %314

272:                                              ; preds = %269, %265
  %273 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2392), ptr noundef nonnull %4, i64 noundef 8)
  %274 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.92)
  store ptr %274, ptr %4, align 8
  %275 = icmp eq ptr %274, null
  br i1 %275, label %276, label %279

276:                                              ; preds = %272
  %277 = call i32 @strcmp(ptr noundef nonnull @.str.92, ptr noundef nonnull @.str.64)
  %278 = icmp eq i32 %277, 0
  br i1 %278, label %279, label %314

279:                                              ; preds = %276, %272
  %280 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2400), ptr noundef nonnull %4, i64 noundef 8)
  %281 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.93)
  store ptr %281, ptr %4, align 8
  %282 = icmp eq ptr %281, null
  br i1 %282, label %283, label %286

283:                                              ; preds = %279
  %284 = call i32 @strcmp(ptr noundef nonnull @.str.93, ptr noundef nonnull @.str.64)
  %285 = icmp eq i32 %284, 0
  br i1 %285, label %286, label %314

286:                                              ; preds = %283, %279
  %287 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2408), ptr noundef nonnull %4, i64 noundef 8)
  %288 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.94)
  store ptr %288, ptr %4, align 8
  %289 = icmp eq ptr %288, null
  br i1 %289, label %290, label %293

290:                                              ; preds = %286
  %291 = call i32 @strcmp(ptr noundef nonnull @.str.94, ptr noundef nonnull @.str.64)
  %292 = icmp eq i32 %291, 0
  br i1 %292, label %293, label %314

293:                                              ; preds = %290, %286
  %294 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2416), ptr noundef nonnull %4, i64 noundef 8)
  %295 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.95)
  store ptr %295, ptr %4, align 8
  %296 = icmp eq ptr %295, null
  br i1 %296, label %297, label %300

297:                                              ; preds = %293
  %298 = call i32 @strcmp(ptr noundef nonnull @.str.95, ptr noundef nonnull @.str.64)
  %299 = icmp eq i32 %298, 0
  br i1 %299, label %300, label %314

300:                                              ; preds = %297, %293
  %301 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2424), ptr noundef nonnull %4, i64 noundef 8)
  %302 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.96)
  store ptr %302, ptr %4, align 8
  %303 = icmp eq ptr %302, null
  br i1 %303, label %304, label %307

304:                                              ; preds = %300
  %305 = call i32 @strcmp(ptr noundef nonnull @.str.96, ptr noundef nonnull @.str.64)
  %306 = icmp eq i32 %305, 0
  br i1 %306, label %307, label %314

307:                                              ; preds = %304, %300
  %308 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2432), ptr noundef nonnull %4, i64 noundef 8)
  %309 = call ptr @dlsym(ptr noundef nonnull %70, ptr noundef nonnull @.str.97)
  store ptr %309, ptr %4, align 8
  %310 = icmp eq ptr %309, null
  br i1 %310, label %311, label %321

311:                                              ; preds = %307
  %312 = call i32 @strcmp(ptr noundef nonnull @.str.97, ptr noundef nonnull @.str.64)
  %313 = icmp eq i32 %312, 0
  br i1 %313, label %321, label %314

314:                                              ; preds = %311, %304, %297, %290, %283, %276, %269, %262, %255, %248, %241, %234, %227, %220, %213, %206, %199, %192, %185, %178, %171, %164, %157, %150, %143, %136, %129, %122, %115, %108, %101, %94, %87, %80, %73
  %315 = phi ptr [ @.str.97, %311 ], [ @.str.96, %304 ], [ @.str.95, %297 ], [ @.str.94, %290 ], [ @.str.93, %283 ], [ @.str.92, %276 ], [ @.str.91, %269 ], [ @.str.90, %262 ], [ @.str.89, %255 ], [ @.str.88, %248 ], [ @.str.87, %241 ], [ @.str.86, %234 ], [ @.str.85, %227 ], [ @.str.84, %220 ], [ @.str.83, %213 ], [ @.str.82, %206 ], [ @.str.81, %199 ], [ @.str.80, %192 ], [ @.str.79, %185 ], [ @.str.78, %178 ], [ @.str.77, %171 ], [ @.str.76, %164 ], [ @.str.75, %157 ], [ @.str.64, %150 ], [ @.str.74, %143 ], [ @.str.73, %136 ], [ @.str.72, %129 ], [ @.str.71, %122 ], [ @.str.70, %115 ], [ @.str.69, %108 ], [ @.str.68, %101 ], [ @.str.67, %94 ], [ @.str.66, %87 ], [ @.str.65, %80 ], [ @.str.63, %73 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  %316 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %317 = extractvalue { i32, i1 } %316, 1
  br i1 %317, label %318, label %389

318:                                              ; preds = %314
  %319 = getelementptr inbounds i8, ptr %0, i64 4
  %320 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %319, i64 noundef 1016, ptr noundef nonnull @.str.57, ptr noundef nonnull %315)
  br label %389

321:                                              ; preds = %311, %307
  %322 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2440), ptr noundef nonnull %4, i64 noundef 8)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  %323 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2168), align 8
  %324 = call i32 %323(i32 noundef 0)
  %325 = icmp eq i32 %324, 0
  br i1 %325, label %326, label %334

326:                                              ; preds = %321
  %327 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2176), align 8
  %328 = call i32 %327(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2120))
  %329 = icmp eq i32 %328, 0
  br i1 %329, label %330, label %334

330:                                              ; preds = %326
  %331 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2184), align 8
  %332 = call i32 %331(ptr noundef nonnull %6)
  %333 = icmp eq i32 %332, 0
  br i1 %333, label %343, label %334

334:                                              ; preds = %330, %326, %321
  %335 = phi i32 [ %324, %321 ], [ %328, %326 ], [ %332, %330 ]
  %336 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %337 = extractvalue { i32, i1 } %336, 1
  br i1 %337, label %338, label %389

338:                                              ; preds = %334
  %339 = getelementptr inbounds i8, ptr %0, i64 4
  %340 = call fastcc ptr @sentence_of(i32 noundef %335)
  %341 = call fastcc ptr @name_of(i32 noundef %335)
  %342 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %339, i64 noundef 1016, ptr noundef nonnull @.str.58, ptr noundef %340, ptr noundef %341)
  br label %389

343:                                              ; preds = %330
  %344 = load i32, ptr %6, align 4
  %345 = icmp eq i32 %344, 0
  br i1 %345, label %346, label %352

346:                                              ; preds = %343
  %347 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %348 = extractvalue { i32, i1 } %347, 1
  br i1 %348, label %349, label %389

349:                                              ; preds = %346
  %350 = getelementptr inbounds i8, ptr %0, i64 4
  %351 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %350, i64 noundef 1016, ptr noundef nonnull @.str.59, ptr noundef nonnull @.str.27)
  br label %389

352:                                              ; preds = %343
  %353 = icmp sgt i32 %48, -1
  %354 = icmp slt i32 %48, %344
  %355 = and i1 %353, %354
  br i1 %355, label %365, label %356

356:                                              ; preds = %352
  %357 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %358 = extractvalue { i32, i1 } %357, 1
  br i1 %358, label %359, label %389

359:                                              ; preds = %356
  %360 = getelementptr inbounds i8, ptr %0, i64 4
  %361 = icmp eq ptr %27, null
  %362 = select i1 %361, ptr @.str.61, ptr %27
  %363 = load i32, ptr %6, align 4
  %364 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %360, i64 noundef 1016, ptr noundef nonnull @.str.60, ptr noundef nonnull %362, i32 noundef %363)
  br label %389

365:                                              ; preds = %352
  %366 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2192), align 8
  %367 = call i32 %366(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2148), i32 noundef %48)
  %368 = icmp eq i32 %367, 0
  br i1 %368, label %369, label %374

369:                                              ; preds = %365
  %370 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2216), align 8
  %371 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2148), align 4
  %372 = call i32 %370(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2152), i32 noundef %371)
  %373 = icmp eq i32 %372, 0
  br i1 %373, label %390, label %374

374:                                              ; preds = %369, %365
  %375 = phi i32 [ %367, %365 ], [ %372, %369 ]
  %376 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %377 = extractvalue { i32, i1 } %376, 1
  br i1 %377, label %378, label %389

378:                                              ; preds = %374
  %379 = getelementptr inbounds i8, ptr %0, i64 4
  %380 = call fastcc ptr @sentence_of(i32 noundef %375)
  %381 = call fastcc ptr @name_of(i32 noundef %375)
  %382 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %379, i64 noundef 1016, ptr noundef nonnull @.str.62, i32 noundef %48, ptr noundef %380, ptr noundef %381)
  br label %389

383:                                              ; preds = %16
  %384 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %385 = extractvalue { i32, i1 } %384, 1
  br i1 %385, label %386, label %401

386:                                              ; preds = %383
  %387 = getelementptr inbounds i8, ptr %0, i64 4
  %388 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %387, i64 noundef 1016, ptr noundef nonnull @.str.50)
  br label %401

389:                                              ; preds = %60, %64, %314, %318, %334, %338, %346, %349, %356, %359, %374, %378
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6)
  br label %401

390:                                              ; preds = %369
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6)
  %391 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2148), align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3)
  store i64 -1, ptr %3, align 8
  %392 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2344), align 8
  %393 = call i32 %392(ptr noundef nonnull %2, i32 noundef %391)
  %394 = icmp eq i32 %393, 0
  br i1 %394, label %395, label %399

395:                                              ; preds = %390
  %396 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2352), align 8
  %397 = load ptr, ptr %2, align 8
  %398 = call i32 %396(ptr noundef %397, i32 noundef 4, ptr noundef nonnull %3)
  br label %399

399:                                              ; preds = %390, %395
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  %400 = call i32 @getpid()
  store i32 %400, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2116), align 4
  store atomic i32 1, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2112) release, align 8
  br label %401

401:                                              ; preds = %386, %383, %389, %399, %9
  %402 = phi i1 [ true, %399 ], [ true, %9 ], [ false, %389 ], [ false, %383 ], [ false, %386 ]
  %403 = phi i32 [ 0, %399 ], [ 0, %9 ], [ -29, %389 ], [ -11, %383 ], [ -11, %386 ]
  %404 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @lift_cuda_1)
  br i1 %402, label %405, label %415

405:                                              ; preds = %401, %1
  %406 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2116), align 4
  %407 = call i32 @getpid()
  %408 = icmp eq i32 %406, %407
  br i1 %408, label %415, label %409

409:                                              ; preds = %405
  %410 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %411 = extractvalue { i32, i1 } %410, 1
  br i1 %411, label %412, label %415

412:                                              ; preds = %409
  %413 = getelementptr inbounds i8, ptr %0, i64 4
  %414 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %413, i64 noundef 1016, ptr noundef nonnull @.str.51, ptr noundef nonnull @.str.26)
  br label %415

415:                                              ; preds = %405, %412, %409, %401
  %416 = phi i32 [ %403, %401 ], [ -29, %409 ], [ -29, %412 ], [ 0, %405 ]
  ret i32 %416
}

declare i32 @pthread_setspecific(i32 noundef, ptr noundef) local_unnamed_addr

define weak i32 @lift_cuda_set_stream(ptr noundef %0) local_unnamed_addr {
  %2 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %2)
  store i32 0, ptr %2, align 4
  %3 = call i32 @lift_cuda_use_stream(ptr noundef nonnull %2, ptr noundef %0)
  %4 = call fastcc i32 @told(ptr noundef nonnull %2, i32 noundef %3)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %2)
  ret i32 %3
}

define internal fastcc noundef i32 @told(ptr noundef %0, i32 noundef returned %1) unnamed_addr {
  %3 = icmp eq i32 %1, 0
  br i1 %3, label %6, label %4

4:                                                ; preds = %2
  %5 = getelementptr inbounds i8, ptr %0, i64 4
  tail call void @lift_error(ptr noundef nonnull %5)
  br label %6

6:                                                ; preds = %4, %2
  ret i32 %1
}

define weak ptr @lift_cuda_stream() local_unnamed_addr {
  %1 = tail call fastcc ptr @stream()
  ret ptr %1
}

define weak i32 @lift_cuda_origin(ptr noundef %0, ptr noundef %1) local_unnamed_addr {
  %3 = alloca ptr, align 8
  %4 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4)
  %5 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %4)
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %18

7:                                                ; preds = %2
  %8 = load ptr, ptr %4, align 8
  store ptr %8, ptr %1, align 8
  %9 = call fastcc ptr @stream()
  %10 = getelementptr inbounds i8, ptr %1, i64 8
  store ptr %9, ptr %10, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3)
  %11 = getelementptr inbounds i8, ptr %4, i64 8
  %12 = load i32, ptr %11, align 8
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %17, label %14

14:                                               ; preds = %7
  %15 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %16 = call i32 %15(ptr noundef nonnull %3)
  br label %17

17:                                               ; preds = %7, %14
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3)
  br label %18

18:                                               ; preds = %2, %17
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4)
  ret i32 %5
}

define weak i32 @lift_cuda_come(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = tail call fastcc i32 @opened(ptr noundef %0)
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %6, label %29

6:                                                ; preds = %3
  store ptr null, ptr %2, align 8
  %7 = tail call fastcc ptr @stream()
  %8 = getelementptr inbounds i8, ptr %2, i64 8
  store ptr %7, ptr %8, align 8
  %9 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2224), align 8
  %10 = load ptr, ptr %1, align 8
  %11 = tail call i32 %9(ptr noundef %10)
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %21, label %13

13:                                               ; preds = %6
  %14 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %15 = extractvalue { i32, i1 } %14, 1
  br i1 %15, label %16, label %29

16:                                               ; preds = %13
  %17 = getelementptr inbounds i8, ptr %0, i64 4
  %18 = tail call fastcc ptr @sentence_of(i32 noundef %11)
  %19 = tail call fastcc ptr @name_of(i32 noundef %11)
  %20 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %17, i64 noundef 1016, ptr noundef nonnull @.str.3, ptr noundef %18, ptr noundef %19)
  br label %29

21:                                               ; preds = %6
  %22 = getelementptr inbounds i8, ptr %1, i64 8
  %23 = load ptr, ptr %22, align 8
  %24 = tail call i32 @lift_cuda_use_stream(ptr noundef %0, ptr noundef %23)
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %29, label %26

26:                                               ; preds = %21
  %27 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %28 = tail call i32 %27(ptr noundef nonnull %2)
  br label %29

29:                                               ; preds = %21, %16, %13, %3, %26
  %30 = phi i32 [ %24, %26 ], [ %4, %3 ], [ -29, %13 ], [ -29, %16 ], [ 0, %21 ]
  ret i32 %30
}

define weak void @lift_cuda_go(ptr noundef %0) local_unnamed_addr {
  %2 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2164), align 4
  %3 = getelementptr inbounds i8, ptr %0, i64 8
  %4 = load ptr, ptr %3, align 8
  %5 = tail call i32 @pthread_setspecific(i32 noundef %2, ptr noundef %4)
  %6 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %7 = tail call i32 %6(ptr noundef %0)
  ret void
}

define weak i32 @lift_cuda_wait_for_all(ptr noundef %0) local_unnamed_addr {
  %2 = alloca ptr, align 8
  %3 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %3)
  %4 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %3)
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %6, label %27

6:                                                ; preds = %1
  %7 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2264), align 8
  %8 = call i32 %7()
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %18, label %10

10:                                               ; preds = %6
  %11 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %12 = extractvalue { i32, i1 } %11, 1
  br i1 %12, label %13, label %18

13:                                               ; preds = %10
  %14 = getelementptr inbounds i8, ptr %0, i64 4
  %15 = call fastcc ptr @sentence_of(i32 noundef %8)
  %16 = call fastcc ptr @name_of(i32 noundef %8)
  %17 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %14, i64 noundef 1016, ptr noundef nonnull @.str.4, ptr noundef %15, ptr noundef %16)
  br label %18

18:                                               ; preds = %13, %10, %6
  %19 = phi i32 [ 0, %6 ], [ -17, %10 ], [ -17, %13 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  %20 = getelementptr inbounds i8, ptr %3, i64 8
  %21 = load i32, ptr %20, align 8
  %22 = icmp eq i32 %21, 0
  br i1 %22, label %26, label %23

23:                                               ; preds = %18
  %24 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %25 = call i32 %24(ptr noundef nonnull %2)
  br label %26

26:                                               ; preds = %18, %23
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  br label %27

27:                                               ; preds = %1, %26
  %28 = phi i32 [ %19, %26 ], [ %4, %1 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %3)
  ret i32 %28
}

define weak i32 @lift_cuda_set_device(i32 noundef %0) local_unnamed_addr {
  %2 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @lift_cuda_1)
  %3 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2112), align 8
  %4 = icmp eq i32 %3, 1
  %5 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2148), align 4
  %6 = icmp ne i32 %5, %0
  %7 = select i1 %4, i1 %6, i1 false
  br i1 %7, label %10, label %8

8:                                                ; preds = %1
  %9 = add nsw i32 %0, 1
  store i32 %9, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2144), align 8
  br label %10

10:                                               ; preds = %8, %1
  %11 = phi i32 [ 0, %8 ], [ -29, %1 ]
  %12 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @lift_cuda_1)
  ret i32 %11
}

define weak i32 @lift_cuda_use(i32 noundef %0) local_unnamed_addr {
  %2 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %2)
  store i32 0, ptr %2, align 4
  %3 = icmp eq i32 %0, 0
  br i1 %3, label %7, label %4

4:                                                ; preds = %1
  %5 = call fastcc i32 @stays_here(ptr noundef nonnull %2, ptr noundef nonnull @.str.5)
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %9

7:                                                ; preds = %4, %1
  %8 = phi i32 [ 2, %4 ], [ 1, %1 ]
  store atomic i32 %8, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2124) release, align 4
  br label %9

9:                                                ; preds = %4, %7
  %10 = phi i32 [ 0, %7 ], [ %5, %4 ]
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %2)
  ret i32 %10
}

define internal fastcc noundef i32 @stays_here(ptr noundef %0, ptr noundef %1) unnamed_addr {
  %3 = alloca [1116 x i8], align 16
  call void @llvm.lifetime.start.p0(i64 1116, ptr nonnull %3)
  %4 = tail call fastcc i32 @opened(ptr noundef %0)
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %9, label %6

6:                                                ; preds = %2
  store atomic i32 1, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2124) release, align 4
  %7 = getelementptr inbounds i8, ptr %0, i64 4
  %8 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %3, i64 noundef 1116, ptr noundef nonnull @.str.98, ptr noundef %1, ptr noundef nonnull %7)
  call void @lift_error(ptr noundef nonnull %3)
  br label %9

9:                                                ; preds = %2, %6
  call void @llvm.lifetime.end.p0(i64 1116, ptr nonnull %3)
  ret i32 %4
}

define weak void @lift_cuda_set_threshold(i64 noundef %0) local_unnamed_addr {
  %2 = tail call i64 @llvm.smax.i64(i64 %0, i64 1)
  store atomic i64 %2, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2128) release, align 8
  ret void
}

define weak void @lift_cuda_measure_threshold() local_unnamed_addr {
  store atomic i64 -1, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2128) release, align 8
  ret void
}

define weak i64 @lift_cuda_launches() local_unnamed_addr {
  %1 = load atomic i64, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2136) monotonic, align 8
  ret i64 %1
}

define weak i32 @lift_cuda_is_used() local_unnamed_addr {
  %1 = tail call fastcc i32 @is_used()
  ret i32 %1
}

define internal fastcc range(i32 0, 2) i32 @is_used() unnamed_addr {
  %1 = alloca %struct.failure, align 4
  %2 = load atomic i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2124) acquire, align 4
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %4, label %25

4:                                                ; preds = %0
  %5 = tail call ptr @getenv(ptr noundef nonnull @.str.99)
  %6 = icmp eq ptr %5, null
  br i1 %6, label %14, label %7

7:                                                ; preds = %4
  %8 = load i8, ptr %5, align 1
  %9 = icmp eq i8 %8, 0
  br i1 %9, label %14, label %10

10:                                               ; preds = %7
  %11 = tail call i32 @strcmp(ptr noundef nonnull %5, ptr noundef nonnull @.str.100)
  %12 = icmp eq i32 %11, 0
  %13 = select i1 %12, i32 1, i32 2
  br label %14

14:                                               ; preds = %10, %7, %4
  %15 = phi i32 [ 1, %7 ], [ 1, %4 ], [ %13, %10 ]
  %16 = cmpxchg ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2124), i32 0, i32 %15 acq_rel acquire, align 4
  %17 = extractvalue { i32, i1 } %16, 1
  %18 = extractvalue { i32, i1 } %16, 0
  br i1 %17, label %19, label %25

19:                                               ; preds = %14
  %20 = icmp eq i32 %15, 2
  br i1 %20, label %21, label %25

21:                                               ; preds = %19
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %1)
  store i32 0, ptr %1, align 4
  %22 = call fastcc i32 @stays_here(ptr noundef nonnull %1, ptr noundef nonnull @.str.99)
  %23 = icmp eq i32 %22, 0
  %24 = select i1 %23, i32 2, i32 1
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %1)
  br label %25

25:                                               ; preds = %21, %19, %14, %0
  %26 = phi i32 [ %2, %0 ], [ %24, %21 ], [ 1, %19 ], [ %18, %14 ]
  %27 = icmp eq i32 %26, 2
  %28 = zext i1 %27 to i32
  ret i32 %28
}

define weak i32 @lift_cuda_is_on_device(ptr noundef %0) local_unnamed_addr {
  %2 = alloca ptr, align 8
  %3 = alloca %struct.failure, align 4
  %4 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %3)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4)
  store i32 1, ptr %3, align 4
  %5 = tail call fastcc i32 @is_used()
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %19, label %7

7:                                                ; preds = %1
  %8 = call fastcc i32 @enter(ptr noundef nonnull %3, ptr noundef nonnull %4)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %19

10:                                               ; preds = %7
  %11 = call fastcc i32 @is_of_device(ptr noundef %0)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  %12 = getelementptr inbounds i8, ptr %4, i64 8
  %13 = load i32, ptr %12, align 8
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %18, label %15

15:                                               ; preds = %10
  %16 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %17 = call i32 %16(ptr noundef nonnull %2)
  br label %18

18:                                               ; preds = %10, %15
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  br label %19

19:                                               ; preds = %1, %7, %18
  %20 = phi i32 [ %11, %18 ], [ 0, %7 ], [ 0, %1 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %3)
  ret i32 %20
}

define internal fastcc range(i32 0, 2) i32 @is_of_device(ptr noundef %0) unnamed_addr {
  %2 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %2)
  store i32 0, ptr %2, align 4
  %3 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2408), align 8
  %4 = ptrtoint ptr %0 to i64
  %5 = call i32 %3(ptr noundef nonnull %2, i32 noundef 2, i64 noundef %4)
  %6 = icmp eq i32 %5, 0
  %7 = load i32, ptr %2, align 4
  %8 = icmp eq i32 %7, 2
  %9 = select i1 %6, i1 %8, i1 false
  %10 = zext i1 %9 to i32
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %2)
  ret i32 %10
}

define weak i32 @lift_cuda_wants(i64 noundef %0, ptr noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %4)
  store i32 0, ptr %4, align 4
  %5 = tail call fastcc i32 @is_used()
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %29, label %7

7:                                                ; preds = %3
  %8 = call fastcc i32 @stays_here(ptr noundef nonnull %4, ptr noundef nonnull @.str.6)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %29

10:                                               ; preds = %7
  %11 = call i32 @llvm.smax.i32(i32 %2, i32 0)
  %12 = zext nneg i32 %11 to i64
  br label %13

13:                                               ; preds = %10, %16
  %14 = phi i64 [ 0, %10 ], [ %21, %16 ]
  %15 = icmp eq i64 %14, %12
  br i1 %15, label %22, label %16

16:                                               ; preds = %13
  %17 = getelementptr inbounds ptr, ptr %1, i64 %14
  %18 = load ptr, ptr %17, align 8
  %19 = call i32 @lift_cuda_is_on_device(ptr noundef %18)
  %20 = icmp eq i32 %19, 0
  %21 = add nuw nsw i64 %14, 1
  br i1 %20, label %13, label %29

22:                                               ; preds = %13
  %23 = call fastcc i64 @threshold()
  %24 = icmp eq i64 %23, -1
  br i1 %24, label %29, label %25

25:                                               ; preds = %22
  %26 = call fastcc i64 @threshold()
  %27 = icmp sle i64 %26, %0
  %28 = zext i1 %27 to i32
  br label %29

29:                                               ; preds = %16, %22, %25, %3, %7
  %30 = phi i32 [ 0, %7 ], [ 0, %3 ], [ 0, %22 ], [ %28, %25 ], [ 1, %16 ]
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %4)
  ret i32 %30
}

define internal fastcc i64 @threshold() unnamed_addr {
  %1 = alloca ptr, align 8
  %2 = alloca [200 x i8], align 16
  %3 = load atomic i64, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2128) acquire, align 8
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %5, label %30

5:                                                ; preds = %0
  %6 = tail call ptr @getenv(ptr noundef nonnull @.str.101)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %1)
  store ptr null, ptr %1, align 8
  call void @llvm.lifetime.start.p0(i64 200, ptr nonnull %2)
  %7 = icmp eq ptr %6, null
  br i1 %7, label %25, label %8

8:                                                ; preds = %5
  %9 = load i8, ptr %6, align 1
  %10 = icmp eq i8 %9, 0
  br i1 %10, label %25, label %11

11:                                               ; preds = %8
  %12 = call i64 @strtoll(ptr noundef nonnull %6, ptr noundef nonnull %1, i32 noundef 10)
  %13 = load ptr, ptr %1, align 8
  %14 = icmp eq ptr %13, null
  br i1 %14, label %25, label %15

15:                                               ; preds = %11
  %16 = call i32 @strcmp(ptr noundef nonnull %6, ptr noundef nonnull @.str.102)
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %28, label %18

18:                                               ; preds = %15
  %19 = load i8, ptr %13, align 1
  %20 = icmp ne i8 %19, 0
  %21 = icmp slt i64 %12, 0
  %22 = select i1 %20, i1 true, i1 %21
  br i1 %22, label %23, label %25

23:                                               ; preds = %18
  %24 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %2, i64 noundef 200, ptr noundef nonnull @.str.103, ptr noundef nonnull %6)
  call void @lift_error(ptr noundef nonnull %2)
  br label %28

25:                                               ; preds = %8, %5, %11, %18
  %26 = phi i64 [ %12, %18 ], [ %12, %11 ], [ 9223372036854775807, %5 ], [ 9223372036854775807, %8 ]
  %27 = call i64 @llvm.smax.i64(i64 %26, i64 1)
  br label %28

28:                                               ; preds = %15, %23, %25
  %29 = phi i64 [ 9223372036854775807, %23 ], [ %27, %25 ], [ -1, %15 ]
  store atomic i64 %29, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2128) release, align 8
  call void @llvm.lifetime.end.p0(i64 200, ptr nonnull %2)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %1)
  br label %30

30:                                               ; preds = %28, %0
  %31 = phi i64 [ %3, %0 ], [ %29, %28 ]
  ret i64 %31
}

define weak i32 @lift_cuda_chooses(ptr noundef %0, i64 noundef %1, ptr noundef %2, i32 noundef %3, ptr noundef %4) local_unnamed_addr {
  store i64 0, ptr %4, align 8
  %6 = tail call i32 @lift_cuda_wants(i64 noundef %1, ptr noundef %2, i32 noundef %3)
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %42

8:                                                ; preds = %5
  %9 = icmp slt i64 %1, 1
  br i1 %9, label %42, label %10

10:                                               ; preds = %8
  %11 = tail call fastcc i32 @is_used()
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %42, label %13

13:                                               ; preds = %10
  %14 = tail call fastcc i64 @threshold()
  %15 = icmp eq i64 %14, -1
  br i1 %15, label %16, label %42

16:                                               ; preds = %13
  %17 = or i64 %1, 1
  %18 = tail call range(i64 0, 64) i64 @llvm.ctlz.i64(i64 %17, i1 true)
  %19 = xor i64 %18, 63
  %20 = getelementptr inbounds i8, ptr %0, i64 1024
  %21 = getelementptr inbounds [64 x i32], ptr %20, i64 0, i64 %19
  %22 = load atomic i32, ptr %21 monotonic, align 4
  %23 = icmp slt i32 %22, 6
  br i1 %23, label %24, label %30

24:                                               ; preds = %16
  %25 = atomicrmw add ptr %21, i32 1 monotonic, align 4
  %26 = icmp slt i32 %25, 6
  br i1 %26, label %27, label %30

27:                                               ; preds = %24
  %28 = tail call fastcc i64 @now()
  store i64 %28, ptr %4, align 8
  %29 = srem i32 %25, 2
  br label %42

30:                                               ; preds = %16, %24
  %31 = getelementptr inbounds [64 x i64], ptr %0, i64 0, i64 %19
  %32 = load atomic i64, ptr %31 monotonic, align 8
  %33 = getelementptr inbounds i8, ptr %0, i64 512
  %34 = getelementptr inbounds [64 x i64], ptr %33, i64 0, i64 %19
  %35 = load atomic i64, ptr %34 monotonic, align 8
  %36 = icmp ne i64 %32, 0
  %37 = icmp ne i64 %35, 0
  %38 = select i1 %36, i1 %37, i1 false
  %39 = icmp slt i64 %35, %32
  %40 = select i1 %38, i1 %39, i1 false
  %41 = zext i1 %40 to i32
  br label %42

42:                                               ; preds = %8, %10, %13, %5, %30, %27
  %43 = phi i32 [ %29, %27 ], [ %41, %30 ], [ 1, %5 ], [ 0, %13 ], [ 0, %10 ], [ 0, %8 ]
  ret i32 %43
}

define internal fastcc i64 @now() unnamed_addr {
  %1 = alloca %struct.timespec, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %1)
  %2 = call i32 @clock_gettime(i32 noundef 1, ptr noundef nonnull %1)
  %3 = load i64, ptr %1, align 8
  %4 = mul nsw i64 %3, 1000000000
  %5 = getelementptr inbounds i8, ptr %1, i64 8
  %6 = load i64, ptr %5, align 8
  %7 = add nsw i64 %4, %6
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %1)
  ret i64 %7
}

define weak void @lift_cuda_took(ptr noundef %0, i64 noundef %1, i32 noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = sext i32 %2 to i64
  %6 = or i64 %1, 1
  %7 = tail call range(i64 0, 64) i64 @llvm.ctlz.i64(i64 %6, i1 true)
  %8 = xor i64 %7, 63
  %9 = getelementptr inbounds [2 x [64 x i64]], ptr %0, i64 0, i64 %5, i64 %8
  %10 = tail call fastcc i64 @now()
  %11 = sub nsw i64 %10, %3
  %12 = load atomic i64, ptr %9 monotonic, align 8
  %13 = tail call i64 @llvm.smax.i64(i64 %11, i64 1)
  br label %14

14:                                               ; preds = %19, %4
  %15 = phi i64 [ %12, %4 ], [ %22, %19 ]
  %16 = icmp eq i64 %15, 0
  %17 = icmp slt i64 %13, %15
  %18 = select i1 %16, i1 true, i1 %17
  br i1 %18, label %19, label %23

19:                                               ; preds = %14
  %20 = cmpxchg ptr %9, i64 %15, i64 %13 monotonic monotonic, align 8
  %21 = extractvalue { i64, i1 } %20, 1
  %22 = extractvalue { i64, i1 } %20, 0
  br i1 %21, label %23, label %14

23:                                               ; preds = %14, %19
  ret void
}

define weak ptr @lift_cuda_bring(ptr noundef %0, ptr noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 8
  %5 = alloca i64, align 8
  %6 = alloca [2 x ptr], align 16
  %7 = alloca %struct.failure, align 4
  %8 = alloca %struct.place, align 8
  %9 = sext i32 %2 to i64
  %10 = shl nsw i64 %9, 5
  %11 = or disjoint i64 %10, 16
  %12 = tail call noalias ptr @calloc(i64 noundef 1, i64 noundef %11)
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %7)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %8)
  store i32 0, ptr %7, align 4
  %13 = icmp eq ptr %12, null
  br i1 %13, label %14, label %15

14:                                               ; preds = %3
  tail call fastcc void @end_program(ptr noundef %0, ptr noundef nonnull @.str.7, ptr noundef nonnull @.str.8)
  unreachable

15:                                               ; preds = %3
  %16 = call fastcc i32 @enter(ptr noundef nonnull %7, ptr noundef nonnull %8)
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %20, label %18

18:                                               ; preds = %15
  %19 = getelementptr inbounds i8, ptr %7, i64 4
  call fastcc void @end_program(ptr noundef %0, ptr noundef nonnull @.str.7, ptr noundef nonnull %19)
  unreachable

20:                                               ; preds = %15
  store ptr %0, ptr %12, align 8
  %21 = getelementptr inbounds i8, ptr %12, i64 16
  %22 = getelementptr inbounds i8, ptr %12, i64 8
  %23 = getelementptr inbounds i8, ptr %6, i64 8
  %24 = call i32 @llvm.smax.i32(i32 %2, i32 0)
  %25 = zext nneg i32 %24 to i64
  br label %26

26:                                               ; preds = %155, %20
  %27 = phi i64 [ %156, %155 ], [ 0, %20 ]
  %28 = icmp eq i64 %27, %25
  br i1 %28, label %157, label %29

29:                                               ; preds = %26
  %30 = getelementptr inbounds ptr, ptr %1, i64 %27
  %31 = load ptr, ptr %30, align 8
  %32 = ptrtoint ptr %31 to i64
  %33 = call fastcc i32 @is_of_device(ptr noundef %31)
  %34 = icmp eq i32 %33, 0
  br i1 %34, label %155, label %35

35:                                               ; preds = %29
  %36 = load i32, ptr %22, align 8
  %37 = call i32 @llvm.smax.i32(i32 %36, i32 0)
  %38 = zext nneg i32 %37 to i64
  br label %39

39:                                               ; preds = %35, %49
  %40 = phi i64 [ 0, %35 ], [ %50, %49 ]
  %41 = icmp eq i64 %40, %38
  br i1 %41, label %53, label %42

42:                                               ; preds = %39
  %43 = getelementptr inbounds [0 x %struct.brought], ptr %21, i64 0, i64 %40
  %44 = load i64, ptr %43, align 8
  %45 = sub i64 %32, %44
  %46 = getelementptr inbounds i8, ptr %43, i64 8
  %47 = load i64, ptr %46, align 8
  %48 = icmp ult i64 %45, %47
  br i1 %48, label %51, label %49

49:                                               ; preds = %42
  %50 = add nuw nsw i64 %40, 1
  br label %39

51:                                               ; preds = %42
  %52 = trunc nuw nsw i64 %40 to i32
  br label %53

53:                                               ; preds = %39, %51
  %54 = phi i32 [ %52, %51 ], [ %37, %39 ]
  %55 = icmp eq i32 %54, %36
  br i1 %55, label %56, label %147

56:                                               ; preds = %53
  %57 = add nsw i32 %36, 1
  store i32 %57, ptr %22, align 8
  %58 = sext i32 %36 to i64
  %59 = getelementptr inbounds [0 x %struct.brought], ptr %21, i64 0, i64 %58
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5)
  store i64 0, ptr %5, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %6)
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %6, i8 0, i64 16, i1 false)
  %60 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2408), align 8
  %61 = call i32 %60(ptr noundef nonnull %59, i32 noundef 11, i64 noundef %32)
  %62 = icmp eq i32 %61, 0
  br i1 %62, label %63, label %68

63:                                               ; preds = %56
  %64 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2408), align 8
  %65 = getelementptr inbounds i8, ptr %59, i64 8
  %66 = call i32 %64(ptr noundef nonnull %65, i32 noundef 12, i64 noundef %32)
  %67 = icmp eq i32 %66, 0
  br i1 %67, label %77, label %68

68:                                               ; preds = %63, %56
  %69 = phi i32 [ %61, %56 ], [ %66, %63 ]
  %70 = cmpxchg ptr %7, i32 0, i32 1 acq_rel monotonic, align 4
  %71 = extractvalue { i32, i1 } %70, 1
  br i1 %71, label %72, label %145

72:                                               ; preds = %68
  %73 = getelementptr inbounds i8, ptr %7, i64 4
  %74 = call fastcc ptr @sentence_of(i32 noundef %69)
  %75 = call fastcc ptr @name_of(i32 noundef %69)
  %76 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %73, i64 noundef 1016, ptr noundef nonnull @.str.105, ptr noundef %74, ptr noundef %75)
  br label %145

77:                                               ; preds = %63
  %78 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2416), align 8
  %79 = call i32 %78(ptr noundef nonnull %5, ptr noundef %31)
  %80 = icmp eq i32 %79, 0
  br i1 %80, label %81, label %90

81:                                               ; preds = %77
  %82 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2424), align 8
  %83 = load i64, ptr %5, align 8
  %84 = call i32 %82(i64 noundef %83)
  %85 = cmpxchg ptr %7, i32 0, i32 1 acq_rel monotonic, align 4
  %86 = extractvalue { i32, i1 } %85, 1
  br i1 %86, label %87, label %145

87:                                               ; preds = %81
  %88 = getelementptr inbounds i8, ptr %7, i64 4
  %89 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %88, i64 noundef 1016, ptr noundef nonnull @.str.106)
  br label %145

90:                                               ; preds = %77
  %91 = load i64, ptr %65, align 8
  %92 = icmp ugt i64 %91, 4294967296
  br i1 %92, label %93, label %100

93:                                               ; preds = %90
  %94 = cmpxchg ptr %7, i32 0, i32 1 acq_rel monotonic, align 4
  %95 = extractvalue { i32, i1 } %94, 1
  br i1 %95, label %96, label %145

96:                                               ; preds = %93
  %97 = getelementptr inbounds i8, ptr %7, i64 4
  %98 = load i64, ptr %65, align 8
  %99 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %97, i64 noundef 1016, ptr noundef nonnull @.str.107, i64 noundef %98)
  br label %145

100:                                              ; preds = %90
  %101 = call i32 @posix_memalign(ptr noundef nonnull %6, i64 noundef 4096, i64 noundef %91)
  %102 = icmp eq i32 %101, 0
  br i1 %102, label %103, label %107

103:                                              ; preds = %100
  %104 = load i64, ptr %65, align 8
  %105 = call i32 @posix_memalign(ptr noundef nonnull %23, i64 noundef 4096, i64 noundef %104)
  %106 = icmp eq i32 %105, 0
  br i1 %106, label %115, label %107

107:                                              ; preds = %103, %100
  %108 = load ptr, ptr %6, align 16
  call void @free(ptr noundef %108)
  %109 = cmpxchg ptr %7, i32 0, i32 1 acq_rel monotonic, align 4
  %110 = extractvalue { i32, i1 } %109, 1
  br i1 %110, label %111, label %145

111:                                              ; preds = %107
  %112 = getelementptr inbounds i8, ptr %7, i64 4
  %113 = load i64, ptr %65, align 8
  %114 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %112, i64 noundef 1016, ptr noundef nonnull @.str.108, i64 noundef %113)
  br label %145

115:                                              ; preds = %103
  %116 = load ptr, ptr %6, align 16
  %117 = getelementptr inbounds i8, ptr %59, i64 16
  store ptr %116, ptr %117, align 8
  %118 = load ptr, ptr %23, align 8
  %119 = getelementptr inbounds i8, ptr %59, i64 24
  store ptr %118, ptr %119, align 8
  %120 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2376), align 8
  %121 = load i64, ptr %59, align 8
  %122 = load i64, ptr %65, align 8
  %123 = call fastcc ptr @stream()
  %124 = call i32 %120(ptr noundef %116, i64 noundef %121, i64 noundef %122, ptr noundef %123)
  %125 = icmp eq i32 %124, 0
  br i1 %125, label %126, label %131

126:                                              ; preds = %115
  %127 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2400), align 8
  %128 = call fastcc ptr @stream()
  %129 = call i32 %127(ptr noundef %128)
  %130 = icmp eq i32 %129, 0
  br i1 %130, label %140, label %131

131:                                              ; preds = %126, %115
  %132 = phi i32 [ %129, %126 ], [ %124, %115 ]
  %133 = cmpxchg ptr %7, i32 0, i32 1 acq_rel monotonic, align 4
  %134 = extractvalue { i32, i1 } %133, 1
  br i1 %134, label %135, label %145

135:                                              ; preds = %131
  %136 = getelementptr inbounds i8, ptr %7, i64 4
  %137 = call fastcc ptr @sentence_of(i32 noundef %132)
  %138 = call fastcc ptr @name_of(i32 noundef %132)
  %139 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %136, i64 noundef 1016, ptr noundef nonnull @.str.109, ptr noundef %137, ptr noundef %138)
  br label %145

140:                                              ; preds = %126
  %141 = load ptr, ptr %119, align 8
  %142 = load ptr, ptr %117, align 8
  %143 = load i64, ptr %65, align 8
  %144 = call ptr @memcpy(ptr noundef %141, ptr noundef %142, i64 noundef %143)
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %6)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5)
  br label %147

145:                                              ; preds = %68, %72, %81, %87, %93, %96, %107, %111, %131, %135
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %6)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5)
  %146 = getelementptr inbounds i8, ptr %7, i64 4
  call fastcc void @end_program(ptr noundef %0, ptr noundef nonnull @.str.9, ptr noundef nonnull %146)
  unreachable

147:                                              ; preds = %140, %53
  %148 = zext nneg i32 %54 to i64
  %149 = getelementptr inbounds [0 x %struct.brought], ptr %21, i64 0, i64 %148
  %150 = getelementptr inbounds i8, ptr %149, i64 16
  %151 = load ptr, ptr %150, align 8
  %152 = load i64, ptr %149, align 8
  %153 = sub i64 %32, %152
  %154 = getelementptr inbounds i8, ptr %151, i64 %153
  store ptr %154, ptr %30, align 8
  br label %155

155:                                              ; preds = %29, %147
  %156 = add nuw nsw i64 %27, 1
  br label %26

157:                                              ; preds = %26, %176
  %158 = phi i64 [ %177, %176 ], [ 0, %26 ]
  %159 = icmp eq i64 %158, %25
  br i1 %159, label %165, label %160

160:                                              ; preds = %157
  %161 = load i32, ptr %22, align 8
  %162 = getelementptr inbounds ptr, ptr %1, i64 %158
  %163 = call i32 @llvm.smax.i32(i32 %161, i32 0)
  %164 = zext nneg i32 %163 to i64
  br label %173

165:                                              ; preds = %157
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %166 = getelementptr inbounds i8, ptr %8, i64 8
  %167 = load i32, ptr %166, align 8
  %168 = icmp eq i32 %167, 0
  br i1 %168, label %172, label %169

169:                                              ; preds = %165
  %170 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %171 = call i32 %170(ptr noundef nonnull %4)
  br label %172

172:                                              ; preds = %165, %169
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %8)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %7)
  ret ptr %12

173:                                              ; preds = %160, %191
  %174 = phi i64 [ 0, %160 ], [ %192, %191 ]
  %175 = icmp eq i64 %174, %164
  br i1 %175, label %176, label %178

176:                                              ; preds = %173
  %177 = add nuw nsw i64 %158, 1
  br label %157

178:                                              ; preds = %173
  %179 = load ptr, ptr %162, align 8
  %180 = ptrtoint ptr %179 to i64
  %181 = getelementptr inbounds [0 x %struct.brought], ptr %21, i64 0, i64 %174
  %182 = load i64, ptr %181, align 8
  %183 = getelementptr inbounds i8, ptr %181, i64 8
  %184 = load i64, ptr %183, align 8
  %185 = add i64 %184, %182
  %186 = icmp eq i64 %185, %180
  br i1 %186, label %187, label %191

187:                                              ; preds = %178
  %188 = getelementptr inbounds i8, ptr %181, i64 16
  %189 = load ptr, ptr %188, align 8
  %190 = getelementptr inbounds i8, ptr %189, i64 %184
  store ptr %190, ptr %162, align 8
  br label %191

191:                                              ; preds = %178, %187
  %192 = add nuw nsw i64 %174, 1
  br label %173
}

declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr

define internal fastcc void @end_program(ptr noundef %0, ptr noundef %1, ptr noundef %2) unnamed_addr {
  %4 = alloca [1400 x i8], align 16
  call void @llvm.lifetime.start.p0(i64 1400, ptr nonnull %4)
  %5 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %4, i64 noundef 1400, ptr noundef nonnull @.str.104, ptr noundef %0, ptr noundef %1, ptr noundef %2)
  call void @lift_error(ptr noundef nonnull %4)
  call void @abort()
  unreachable
}

define weak i32 @lift_cuda_bring_again(ptr noundef %0, i32 noundef %1) local_unnamed_addr {
  %3 = alloca ptr, align 8
  %4 = alloca %struct.failure, align 4
  %5 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %4)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5)
  store i32 0, ptr %4, align 4
  %6 = call fastcc i32 @enter(ptr noundef nonnull %4, ptr noundef nonnull %5)
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %11

8:                                                ; preds = %2
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = getelementptr inbounds i8, ptr %0, i64 16
  br label %14

11:                                               ; preds = %2
  %12 = load ptr, ptr %0, align 8
  %13 = getelementptr inbounds i8, ptr %4, i64 4
  call fastcc void @end_program(ptr noundef %12, ptr noundef nonnull @.str.10, ptr noundef nonnull %13)
  unreachable

14:                                               ; preds = %8, %45
  %15 = phi i64 [ 0, %8 ], [ %52, %45 ]
  %16 = phi i32 [ 0, %8 ], [ %46, %45 ]
  %17 = load i32, ptr %9, align 8
  %18 = sext i32 %17 to i64
  %19 = icmp slt i64 %15, %18
  %20 = icmp eq i32 %16, 0
  %21 = select i1 %19, i1 %20, i1 false
  br i1 %21, label %30, label %22

22:                                               ; preds = %14
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3)
  %23 = getelementptr inbounds i8, ptr %5, i64 8
  %24 = load i32, ptr %23, align 8
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %29, label %26

26:                                               ; preds = %22
  %27 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %28 = call i32 %27(ptr noundef nonnull %3)
  br label %29

29:                                               ; preds = %22, %26
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3)
  br i1 %20, label %56, label %53

30:                                               ; preds = %14
  %31 = getelementptr inbounds [0 x %struct.brought], ptr %10, i64 0, i64 %15
  %32 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2376), align 8
  %33 = getelementptr inbounds i8, ptr %31, i64 16
  %34 = load ptr, ptr %33, align 8
  %35 = load i64, ptr %31, align 8
  %36 = getelementptr inbounds i8, ptr %31, i64 8
  %37 = load i64, ptr %36, align 8
  %38 = call fastcc ptr @stream()
  %39 = call i32 %32(ptr noundef %34, i64 noundef %35, i64 noundef %37, ptr noundef %38)
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %41, label %45

41:                                               ; preds = %30
  %42 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2400), align 8
  %43 = call fastcc ptr @stream()
  %44 = call i32 %42(ptr noundef %43)
  br label %45

45:                                               ; preds = %41, %30
  %46 = phi i32 [ %39, %30 ], [ %44, %41 ]
  %47 = getelementptr inbounds i8, ptr %31, i64 24
  %48 = load ptr, ptr %47, align 8
  %49 = load ptr, ptr %33, align 8
  %50 = load i64, ptr %36, align 8
  %51 = call ptr @memcpy(ptr noundef %48, ptr noundef %49, i64 noundef %50)
  %52 = add nuw nsw i64 %15, 1
  br label %14

53:                                               ; preds = %29
  %54 = load ptr, ptr %0, align 8
  %55 = call fastcc ptr @sentence_of(i32 noundef %16)
  call fastcc void @end_program(ptr noundef %54, ptr noundef nonnull @.str.10, ptr noundef %55)
  unreachable

56:                                               ; preds = %29
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %4)
  ret i32 %1
}

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr

define weak void @lift_cuda_return(ptr noundef %0) local_unnamed_addr {
  %2 = alloca ptr, align 8
  %3 = alloca %struct.failure, align 4
  %4 = alloca %struct.place, align 8
  %5 = load ptr, ptr %0, align 8
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %3)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4)
  store i32 0, ptr %3, align 4
  %6 = call fastcc i32 @enter(ptr noundef nonnull %3, ptr noundef nonnull %4)
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %11

8:                                                ; preds = %1
  %9 = getelementptr inbounds i8, ptr %5, i64 8
  %10 = getelementptr inbounds i8, ptr %5, i64 16
  br label %14

11:                                               ; preds = %1
  %12 = load ptr, ptr %5, align 8
  %13 = getelementptr inbounds i8, ptr %3, i64 4
  call fastcc void @end_program(ptr noundef %12, ptr noundef nonnull @.str.11, ptr noundef nonnull %13)
  unreachable

14:                                               ; preds = %8, %79
  %15 = phi i64 [ 0, %8 ], [ %81, %79 ]
  %16 = phi i32 [ 0, %8 ], [ %80, %79 ]
  %17 = load i32, ptr %9, align 8
  %18 = sext i32 %17 to i64
  %19 = icmp slt i64 %15, %18
  %20 = icmp eq i32 %16, 0
  %21 = and i1 %20, %19
  br i1 %21, label %23, label %22

22:                                               ; preds = %14
  br i1 %20, label %82, label %86

23:                                               ; preds = %14
  %24 = getelementptr inbounds [0 x %struct.brought], ptr %10, i64 0, i64 %15
  %25 = getelementptr inbounds i8, ptr %24, i64 8
  %26 = getelementptr inbounds i8, ptr %24, i64 16
  %27 = getelementptr inbounds i8, ptr %24, i64 24
  br label %28

28:                                               ; preds = %77, %23
  %29 = phi i64 [ 0, %23 ], [ %78, %77 ]
  %30 = load i64, ptr %25, align 8
  %31 = icmp ult i64 %29, %30
  br i1 %31, label %32, label %79

32:                                               ; preds = %28
  %33 = and i64 %29, 63
  %34 = icmp eq i64 %33, 0
  %35 = sub i64 %30, %29
  %36 = icmp ugt i64 %35, 63
  %37 = and i1 %34, %36
  %38 = load ptr, ptr %26, align 8
  %39 = load ptr, ptr %27, align 8
  br i1 %37, label %40, label %47

40:                                               ; preds = %32
  %41 = getelementptr inbounds i8, ptr %38, i64 %29
  %42 = getelementptr inbounds i8, ptr %39, i64 %29
  %43 = call i32 @memcmp(ptr noundef %41, ptr noundef %42, i64 noundef 64)
  %44 = icmp eq i32 %43, 0
  br i1 %44, label %45, label %47

45:                                               ; preds = %40
  %46 = add i64 %29, 64
  br label %77

47:                                               ; preds = %40, %32
  %48 = getelementptr inbounds i8, ptr %38, i64 %29
  %49 = load i8, ptr %48, align 1
  %50 = getelementptr inbounds i8, ptr %39, i64 %29
  %51 = load i8, ptr %50, align 1
  %52 = icmp eq i8 %49, %51
  br i1 %52, label %53, label %55

53:                                               ; preds = %47
  %54 = add nuw i64 %29, 1
  br label %77

55:                                               ; preds = %47, %66
  %56 = phi i64 [ %67, %66 ], [ %29, %47 ]
  %57 = icmp ult i64 %56, %30
  br i1 %57, label %58, label %68

58:                                               ; preds = %55
  %59 = getelementptr inbounds i8, ptr %38, i64 %56
  %60 = load i8, ptr %59, align 1
  %61 = getelementptr inbounds i8, ptr %39, i64 %56
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %60, %62
  br i1 %63, label %64, label %66

64:                                               ; preds = %58
  %65 = sub i64 %56, %29
  br label %68

66:                                               ; preds = %58
  %67 = add nuw i64 %56, 1
  br label %55

68:                                               ; preds = %55, %64
  %69 = phi i64 [ %65, %64 ], [ %35, %55 ]
  %70 = phi i64 [ %56, %64 ], [ %30, %55 ]
  %71 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2368), align 8
  %72 = load i64, ptr %24, align 8
  %73 = add i64 %72, %29
  %74 = call fastcc ptr @stream()
  %75 = call i32 %71(i64 noundef %73, ptr noundef nonnull %48, i64 noundef %69, ptr noundef %74)
  %76 = icmp eq i32 %75, 0
  br i1 %76, label %77, label %79

77:                                               ; preds = %68, %53, %45
  %78 = phi i64 [ %54, %53 ], [ %46, %45 ], [ %70, %68 ]
  br label %28

79:                                               ; preds = %28, %68
  %80 = phi i32 [ 0, %28 ], [ %75, %68 ]
  %81 = add nuw nsw i64 %15, 1
  br label %14

82:                                               ; preds = %22
  %83 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2400), align 8
  %84 = call fastcc ptr @stream()
  %85 = call i32 %83(ptr noundef %84)
  br label %86

86:                                               ; preds = %82, %22
  %87 = phi i32 [ %16, %22 ], [ %85, %82 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  %88 = getelementptr inbounds i8, ptr %4, i64 8
  %89 = load i32, ptr %88, align 8
  %90 = icmp eq i32 %89, 0
  br i1 %90, label %94, label %91

91:                                               ; preds = %86
  %92 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %93 = call i32 %92(ptr noundef nonnull %2)
  br label %94

94:                                               ; preds = %86, %91
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  %95 = icmp eq i32 %87, 0
  br i1 %95, label %99, label %96

96:                                               ; preds = %94
  %97 = load ptr, ptr %5, align 8
  %98 = call fastcc ptr @sentence_of(i32 noundef %87)
  call fastcc void @end_program(ptr noundef %97, ptr noundef nonnull @.str.11, ptr noundef %98)
  unreachable

99:                                               ; preds = %94, %105
  %100 = phi i64 [ %111, %105 ], [ 0, %94 ]
  %101 = load i32, ptr %9, align 8
  %102 = sext i32 %101 to i64
  %103 = icmp slt i64 %100, %102
  br i1 %103, label %105, label %104

104:                                              ; preds = %99
  call void @free(ptr noundef nonnull %5)
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %3)
  ret void

105:                                              ; preds = %99
  %106 = getelementptr inbounds [0 x %struct.brought], ptr %10, i64 0, i64 %100
  %107 = getelementptr inbounds i8, ptr %106, i64 16
  %108 = load ptr, ptr %107, align 8
  call void @free(ptr noundef %108)
  %109 = getelementptr inbounds i8, ptr %106, i64 24
  %110 = load ptr, ptr %109, align 8
  call void @free(ptr noundef %110)
  %111 = add nuw nsw i64 %100, 1
  br label %99
}

define weak void @lift_cuda_refuse(ptr noundef %0, ptr noundef %1) local_unnamed_addr {
  tail call fastcc void @end_program(ptr noundef %0, ptr noundef nonnull @.str.12, ptr noundef %1)
  unreachable
}

define weak void @lift_cuda_refuse_others(ptr noundef %0, ptr noundef %1, i64 noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 8
  br label %5

5:                                                ; preds = %17, %3
  %6 = phi i64 [ 0, %3 ], [ %7, %17 ]
  %7 = add nuw nsw i64 %6, 8
  %8 = icmp sgt i64 %7, %2
  br i1 %8, label %9, label %10

9:                                                ; preds = %5
  ret void

10:                                               ; preds = %5
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %11 = getelementptr inbounds i8, ptr %1, i64 %6
  %12 = call ptr @memcpy(ptr noundef nonnull %4, ptr noundef %11, i64 noundef 8)
  %13 = load ptr, ptr %4, align 8
  %14 = call i32 @lift_cuda_is_on_device(ptr noundef %13)
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %17, label %16

16:                                               ; preds = %10
  call void @lift_cuda_refuse(ptr noundef %0, ptr noundef nonnull @.str.13)
  br label %17

17:                                               ; preds = %16, %10
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  br label %5
}

define weak void @lift_cuda_put_back(ptr noundef %0, ptr noundef %1, ptr noundef %2, i64 noundef %3) local_unnamed_addr {
  %5 = tail call i64 @llvm.smax.i64(i64 %3, i64 0)
  br label %6

6:                                                ; preds = %18, %4
  %7 = phi i64 [ 0, %4 ], [ %19, %18 ]
  %8 = icmp eq i64 %7, %5
  br i1 %8, label %9, label %10

9:                                                ; preds = %6
  ret void

10:                                               ; preds = %6
  %11 = getelementptr inbounds i8, ptr %1, i64 %7
  %12 = load i8, ptr %11, align 1
  %13 = getelementptr inbounds i8, ptr %2, i64 %7
  %14 = load i8, ptr %13, align 1
  %15 = icmp eq i8 %12, %14
  br i1 %15, label %18, label %16

16:                                               ; preds = %10
  %17 = getelementptr inbounds i8, ptr %0, i64 %7
  store i8 %12, ptr %17, align 1
  br label %18

18:                                               ; preds = %10, %16
  %19 = add nuw i64 %7, 1
  br label %6
}

define weak ptr @lift_cuda_copy_of(ptr noundef %0, i64 noundef %1) local_unnamed_addr {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca %struct.failure, align 4
  %6 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %5)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %6)
  %7 = tail call noalias ptr @malloc(i64 noundef %1)
  store i32 1, ptr %5, align 4
  %8 = icmp eq ptr %7, null
  br i1 %8, label %12, label %9

9:                                                ; preds = %2
  %10 = call fastcc i32 @enter(ptr noundef nonnull %5, ptr noundef nonnull %6)
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %13, label %12

12:                                               ; preds = %9, %2
  call void @free(ptr noundef %7)
  br label %40

13:                                               ; preds = %9
  %14 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2376), align 8
  %15 = ptrtoint ptr %0 to i64
  %16 = call fastcc ptr @stream()
  %17 = call i32 %14(ptr noundef nonnull %7, i64 noundef %15, i64 noundef %1, ptr noundef %16)
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %19, label %31

19:                                               ; preds = %13
  %20 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2400), align 8
  %21 = call fastcc ptr @stream()
  %22 = call i32 %20(ptr noundef %21)
  %23 = icmp eq i32 %22, 0
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %24 = getelementptr inbounds i8, ptr %6, i64 8
  %25 = load i32, ptr %24, align 8
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %30, label %27

27:                                               ; preds = %19
  %28 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %29 = call i32 %28(ptr noundef nonnull %4)
  br label %30

30:                                               ; preds = %19, %27
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  br i1 %23, label %40, label %39

31:                                               ; preds = %13
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3)
  %32 = getelementptr inbounds i8, ptr %6, i64 8
  %33 = load i32, ptr %32, align 8
  %34 = icmp eq i32 %33, 0
  br i1 %34, label %38, label %35

35:                                               ; preds = %31
  %36 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %37 = call i32 %36(ptr noundef nonnull %3)
  br label %38

38:                                               ; preds = %31, %35
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3)
  br label %39

39:                                               ; preds = %38, %30
  call void @free(ptr noundef nonnull %7)
  br label %40

40:                                               ; preds = %30, %39, %12
  %41 = phi ptr [ null, %12 ], [ null, %39 ], [ %7, %30 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %6)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %5)
  ret ptr %41
}

declare noalias ptr @malloc(i64 noundef) local_unnamed_addr

define weak i32 @lift_cuda_describe(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef %4) local_unnamed_addr {
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %6)
  store i32 0, ptr %6, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %7)
  store i32 0, ptr %7, align 4
  %8 = tail call fastcc i32 @opened(ptr noundef %0)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %27

10:                                               ; preds = %5
  %11 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2120), align 8
  store i32 %11, ptr %1, align 4
  %12 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), align 8
  %13 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2148), align 4
  %14 = call i32 %12(ptr noundef nonnull %6, i32 noundef 75, i32 noundef %13)
  %15 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), align 8
  %16 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2148), align 4
  %17 = call i32 %15(ptr noundef nonnull %7, i32 noundef 76, i32 noundef %16)
  %18 = load i32, ptr %6, align 4
  %19 = mul nsw i32 %18, 10
  %20 = load i32, ptr %7, align 4
  %21 = add nsw i32 %19, %20
  store i32 %21, ptr %2, align 4
  %22 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2200), align 8
  %23 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2148), align 4
  %24 = call i32 %22(ptr noundef %3, i32 noundef %4, i32 noundef %23)
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %27, label %26

26:                                               ; preds = %10
  store i8 0, ptr %3, align 1
  br label %27

27:                                               ; preds = %10, %26, %5
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %7)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6)
  ret i32 %8
}

define weak i32 @lift_cuda_wait_for(ptr noundef %0, ptr noundef %1) local_unnamed_addr {
  %3 = alloca ptr, align 8
  %4 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4)
  %5 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %4)
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %28

7:                                                ; preds = %2
  %8 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2400), align 8
  %9 = call i32 %8(ptr noundef %1)
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %19, label %11

11:                                               ; preds = %7
  %12 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %13 = extractvalue { i32, i1 } %12, 1
  br i1 %13, label %14, label %19

14:                                               ; preds = %11
  %15 = getelementptr inbounds i8, ptr %0, i64 4
  %16 = call fastcc ptr @sentence_of(i32 noundef %9)
  %17 = call fastcc ptr @name_of(i32 noundef %9)
  %18 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %15, i64 noundef 1016, ptr noundef nonnull @.str.4, ptr noundef %16, ptr noundef %17)
  br label %19

19:                                               ; preds = %14, %11, %7
  %20 = phi i32 [ 0, %7 ], [ -17, %11 ], [ -17, %14 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3)
  %21 = getelementptr inbounds i8, ptr %4, i64 8
  %22 = load i32, ptr %21, align 8
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %27, label %24

24:                                               ; preds = %19
  %25 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %26 = call i32 %25(ptr noundef nonnull %3)
  br label %27

27:                                               ; preds = %19, %24
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3)
  br label %28

28:                                               ; preds = %2, %27
  %29 = phi i32 [ %20, %27 ], [ %5, %2 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4)
  ret i32 %29
}

define weak i32 @lift_cuda_wait(ptr noundef %0) local_unnamed_addr {
  %2 = tail call fastcc ptr @stream()
  %3 = tail call i32 @lift_cuda_wait_for(ptr noundef %0, ptr noundef %2)
  ret i32 %3
}

define weak i32 @lift_cuda_identity(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = tail call fastcc i32 @opened(ptr noundef %0)
  store i64 0, ptr %2, align 8
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %6, label %12

6:                                                ; preds = %3
  %7 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2408), align 8
  %8 = load i64, ptr %1, align 8
  %9 = tail call i32 %7(ptr noundef nonnull %2, i32 noundef 7, i64 noundef %8)
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %12, label %11

11:                                               ; preds = %6
  store i64 0, ptr %2, align 8
  br label %12

12:                                               ; preds = %11, %6, %3
  ret i32 %4
}

define weak i32 @lift_cuda_ordinal(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = tail call fastcc i32 @opened(ptr noundef %0)
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %6, label %19

6:                                                ; preds = %3
  %7 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2408), align 8
  %8 = load i64, ptr %1, align 8
  %9 = tail call i32 %7(ptr noundef %2, i32 noundef 9, i64 noundef %8)
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %19, label %11

11:                                               ; preds = %6
  %12 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %13 = extractvalue { i32, i1 } %12, 1
  br i1 %13, label %14, label %19

14:                                               ; preds = %11
  %15 = getelementptr inbounds i8, ptr %0, i64 4
  %16 = tail call fastcc ptr @sentence_of(i32 noundef %9)
  %17 = tail call fastcc ptr @name_of(i32 noundef %9)
  %18 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %15, i64 noundef 1016, ptr noundef nonnull @.str.14, ptr noundef %16, ptr noundef %17)
  br label %19

19:                                               ; preds = %14, %11, %6, %3
  %20 = phi i32 [ %4, %3 ], [ 0, %6 ], [ -29, %11 ], [ -29, %14 ]
  ret i32 %20
}

define internal noundef i32 @interface_malloc(ptr nocapture readnone %0, ptr noundef %1, ptr nocapture readnone %2) {
  %4 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %4)
  store i32 0, ptr %4, align 4
  %5 = call i32 @lift_cuda_malloc(ptr noundef nonnull %4, ptr noundef %1, ptr noundef null)
  %6 = call fastcc i32 @told(ptr noundef nonnull %4, i32 noundef %5)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %4)
  ret i32 %5
}

define internal noundef i32 @interface_free(ptr nocapture readnone %0, ptr noundef %1) {
  %3 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %3)
  store i32 0, ptr %3, align 4
  %4 = call i32 @lift_cuda_free(ptr noundef nonnull %3, ptr noundef %1, ptr noundef null)
  %5 = call fastcc i32 @told(ptr noundef nonnull %3, i32 noundef %4)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %3)
  ret i32 %4
}

define internal noundef i32 @interface_sync(ptr nocapture readnone %0, ptr nocapture readnone %1) {
  %3 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %3)
  store i32 0, ptr %3, align 4
  %4 = call i32 @lift_cuda_wait(ptr noundef nonnull %3)
  %5 = call fastcc i32 @told(ptr noundef nonnull %3, i32 noundef %4)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %3)
  ret i32 %4
}

define internal void @interface_release(ptr nocapture readnone %0, ptr nocapture readnone %1) {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca %struct.place, align 8
  %7 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %5)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %6)
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %7)
  store i32 1, ptr %7, align 4
  %8 = load atomic i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2112) acquire, align 8
  %9 = icmp eq i32 %8, 1
  br i1 %9, label %10, label %38

10:                                               ; preds = %2
  %11 = call fastcc i32 @enter(ptr noundef nonnull %7, ptr noundef nonnull %6)
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %38

13:                                               ; preds = %10
  %14 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2264), align 8
  %15 = call i32 %14()
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %17, label %30

17:                                               ; preds = %13
  %18 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2248), align 8
  %19 = call i32 %18(ptr noundef nonnull %5)
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %30

21:                                               ; preds = %17
  %22 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2344), align 8
  %23 = load i32, ptr %5, align 4
  %24 = call i32 %22(ptr noundef nonnull %4, i32 noundef %23)
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %26, label %30

26:                                               ; preds = %21
  %27 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2360), align 8
  %28 = load ptr, ptr %4, align 8
  %29 = call i32 %27(ptr noundef %28, i64 noundef 0)
  br label %30

30:                                               ; preds = %26, %21, %17, %13
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3)
  %31 = getelementptr inbounds i8, ptr %6, i64 8
  %32 = load i32, ptr %31, align 8
  %33 = icmp eq i32 %32, 0
  br i1 %33, label %37, label %34

34:                                               ; preds = %30
  %35 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %36 = call i32 %35(ptr noundef nonnull %3)
  br label %37

37:                                               ; preds = %30, %34
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3)
  br label %38

38:                                               ; preds = %2, %10, %37
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %7)
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %6)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %5)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  ret void
}

define internal noundef i32 @interface_copy_to_host(ptr nocapture readnone %0, ptr noundef %1) {
  %3 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %3)
  store i32 0, ptr %3, align 4
  %4 = call i32 @lift_cuda_copy_to_host(ptr noundef nonnull %3, ptr noundef %1, ptr noundef null)
  %5 = call fastcc i32 @told(ptr noundef nonnull %3, i32 noundef %4)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %3)
  ret i32 %4
}

define internal noundef i32 @interface_copy_to_device(ptr nocapture readnone %0, ptr noundef %1, ptr nocapture readnone %2) {
  %4 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %4)
  store i32 0, ptr %4, align 4
  %5 = call i32 @lift_cuda_copy_to_device(ptr noundef nonnull %4, ptr noundef %1, ptr noundef null)
  %6 = call fastcc i32 @told(ptr noundef nonnull %4, i32 noundef %5)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %4)
  ret i32 %5
}

define internal i32 @interface_both_malloc(ptr nocapture readnone %0, ptr noundef %1, ptr nocapture readnone %2) {
  %4 = alloca %struct.failure, align 4
  %5 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %4)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5)
  store ptr null, ptr %5, align 8
  store i32 0, ptr %4, align 4
  %6 = call fastcc i64 @span(ptr noundef nonnull %4, ptr noundef %1, ptr noundef null)
  %7 = icmp slt i64 %6, 0
  br i1 %7, label %8, label %11

8:                                                ; preds = %3
  %9 = trunc i64 %6 to i32
  %10 = call fastcc i32 @told(ptr noundef nonnull %4, i32 noundef %9)
  br label %32

11:                                               ; preds = %3
  %12 = call i64 @llvm.umax.i64(i64 %6, i64 1)
  %13 = call i32 @posix_memalign(ptr noundef nonnull %5, i64 noundef 128, i64 noundef %12)
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %23, label %15

15:                                               ; preds = %11
  %16 = cmpxchg ptr %4, i32 0, i32 1 acq_rel monotonic, align 4
  %17 = extractvalue { i32, i1 } %16, 1
  br i1 %17, label %18, label %21

18:                                               ; preds = %15
  %19 = getelementptr inbounds i8, ptr %4, i64 4
  %20 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %19, i64 noundef 1016, ptr noundef nonnull @.str.110, i64 noundef %6)
  br label %21

21:                                               ; preds = %15, %18
  %22 = getelementptr inbounds i8, ptr %4, i64 4
  call void @lift_error(ptr noundef nonnull %22)
  br label %32

23:                                               ; preds = %11
  %24 = call i32 @lift_cuda_malloc(ptr noundef nonnull %4, ptr noundef %1, ptr noundef null)
  %25 = icmp eq i32 %24, 0
  %26 = load ptr, ptr %5, align 8
  br i1 %25, label %28, label %27

27:                                               ; preds = %23
  call void @free(ptr noundef %26)
  br label %30

28:                                               ; preds = %23
  %29 = getelementptr inbounds i8, ptr %1, i64 16
  store ptr %26, ptr %29, align 8
  br label %30

30:                                               ; preds = %28, %27
  %31 = call fastcc i32 @told(ptr noundef nonnull %4, i32 noundef %24)
  br label %32

32:                                               ; preds = %30, %21, %8
  %33 = phi i32 [ %9, %8 ], [ -11, %21 ], [ %24, %30 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %4)
  ret i32 %33
}

define internal noundef i32 @interface_both_free(ptr nocapture readnone %0, ptr noundef %1) {
  %3 = tail call i32 @interface_free(ptr poison, ptr noundef %1)
  %4 = getelementptr inbounds i8, ptr %1, i64 16
  %5 = load ptr, ptr %4, align 8
  tail call void @free(ptr noundef %5)
  store ptr null, ptr %4, align 8
  %6 = getelementptr inbounds i8, ptr %1, i64 24
  store i64 0, ptr %6, align 8
  ret i32 %3
}

define internal noundef i32 @interface_buffer_copy(ptr nocapture readnone %0, ptr noundef readonly %1, ptr noundef readnone %2, ptr noundef %3) {
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca %struct.copy, align 8
  %8 = alloca %struct.place, align 8
  %9 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %9)
  store i32 0, ptr %9, align 4
  %10 = icmp ne ptr %2, null
  %11 = icmp ne ptr %2, @lift_cuda_interface
  %12 = and i1 %10, %11
  br i1 %12, label %13, label %21

13:                                               ; preds = %4
  %14 = cmpxchg ptr %9, i32 0, i32 1 acq_rel monotonic, align 4
  %15 = extractvalue { i32, i1 } %14, 1
  br i1 %15, label %16, label %19

16:                                               ; preds = %13
  %17 = getelementptr inbounds i8, ptr %9, i64 4
  %18 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %17, i64 noundef 1016, ptr noundef nonnull @.str.111)
  br label %19

19:                                               ; preds = %13, %16
  %20 = getelementptr inbounds i8, ptr %9, i64 4
  call void @lift_error(ptr noundef nonnull %20)
  br label %262

21:                                               ; preds = %4
  call void @llvm.lifetime.start.p0(i64 1560, ptr nonnull %7)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %8)
  %22 = getelementptr inbounds i8, ptr %1, i64 33
  %23 = load i8, ptr %22, align 1
  %24 = zext i8 %23 to i64
  %25 = add nuw nsw i64 %24, 7
  %26 = lshr i64 %25, 3
  %27 = getelementptr inbounds i8, ptr %1, i64 16
  %28 = load ptr, ptr %27, align 8
  %29 = icmp eq ptr %28, null
  br i1 %29, label %38, label %30

30:                                               ; preds = %21
  %31 = load i64, ptr %1, align 8
  %32 = icmp eq i64 %31, 0
  br i1 %32, label %38, label %33

33:                                               ; preds = %30
  %34 = getelementptr inbounds i8, ptr %1, i64 24
  %35 = load i64, ptr %34, align 8
  %36 = and i64 %35, 2
  %37 = icmp ne i64 %36, 0
  br label %38

38:                                               ; preds = %33, %30, %21
  %39 = phi i1 [ true, %21 ], [ false, %30 ], [ %37, %33 ]
  %40 = getelementptr inbounds i8, ptr %1, i64 24
  %41 = load i64, ptr %40, align 8
  %42 = and i64 %41, 3
  %43 = icmp eq i64 %42, 3
  br i1 %43, label %44, label %50

44:                                               ; preds = %38
  %45 = cmpxchg ptr %9, i32 0, i32 1 acq_rel monotonic, align 4
  %46 = extractvalue { i32, i1 } %45, 1
  br i1 %46, label %47, label %259

47:                                               ; preds = %44
  %48 = getelementptr inbounds i8, ptr %9, i64 4
  %49 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %48, i64 noundef 1016, ptr noundef nonnull @.str.112)
  br label %259

50:                                               ; preds = %38
  %51 = getelementptr inbounds i8, ptr %1, i64 36
  %52 = load i32, ptr %51, align 4
  %53 = getelementptr inbounds i8, ptr %3, i64 36
  %54 = load i32, ptr %53, align 4
  %55 = icmp eq i32 %52, %54
  br i1 %55, label %56, label %66

56:                                               ; preds = %50
  %57 = getelementptr inbounds i8, ptr %1, i64 32
  %58 = load i8, ptr %57, align 8
  %59 = getelementptr inbounds i8, ptr %3, i64 32
  %60 = load i8, ptr %59, align 8
  %61 = icmp eq i8 %58, %60
  br i1 %61, label %62, label %66

62:                                               ; preds = %56
  %63 = getelementptr inbounds i8, ptr %3, i64 33
  %64 = load i8, ptr %63, align 1
  %65 = icmp eq i8 %23, %64
  br i1 %65, label %72, label %66

66:                                               ; preds = %62, %56, %50
  %67 = cmpxchg ptr %9, i32 0, i32 1 acq_rel monotonic, align 4
  %68 = extractvalue { i32, i1 } %67, 1
  br i1 %68, label %69, label %259

69:                                               ; preds = %66
  %70 = getelementptr inbounds i8, ptr %9, i64 4
  %71 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %70, i64 noundef 1016, ptr noundef nonnull @.str.113)
  br label %259

72:                                               ; preds = %62
  %73 = call fastcc i32 @has_too_many_dimensions(ptr noundef nonnull %9, ptr noundef nonnull readonly %1, ptr noundef null)
  %74 = icmp eq i32 %73, 0
  br i1 %74, label %75, label %259

75:                                               ; preds = %72
  br i1 %39, label %76, label %79

76:                                               ; preds = %75
  %77 = call fastcc i32 @is_of_others(ptr noundef nonnull %9, ptr noundef nonnull readonly %1, ptr noundef null)
  %78 = icmp eq i32 %77, 0
  br i1 %78, label %79, label %259

79:                                               ; preds = %76, %75
  br i1 %10, label %80, label %83

80:                                               ; preds = %79
  %81 = call fastcc i32 @is_of_others(ptr noundef nonnull %9, ptr noundef nonnull %3, ptr noundef null)
  %82 = icmp eq i32 %81, 0
  br i1 %82, label %83, label %259

83:                                               ; preds = %80, %79
  br i1 %39, label %84, label %87

84:                                               ; preds = %83
  %85 = load i64, ptr %1, align 8
  %86 = icmp eq i64 %85, 0
  br i1 %86, label %90, label %96

87:                                               ; preds = %83
  %88 = load ptr, ptr %27, align 8
  %89 = icmp eq ptr %88, null
  br i1 %89, label %90, label %96

90:                                               ; preds = %87, %84
  %91 = cmpxchg ptr %9, i32 0, i32 1 acq_rel monotonic, align 4
  %92 = extractvalue { i32, i1 } %91, 1
  br i1 %92, label %93, label %259

93:                                               ; preds = %90
  %94 = getelementptr inbounds i8, ptr %9, i64 4
  %95 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %94, i64 noundef 1016, ptr noundef nonnull @.str.114)
  br label %259

96:                                               ; preds = %87, %84
  br i1 %10, label %107, label %97

97:                                               ; preds = %96
  %98 = getelementptr inbounds i8, ptr %3, i64 16
  %99 = load ptr, ptr %98, align 8
  %100 = icmp eq ptr %99, null
  br i1 %100, label %101, label %110

101:                                              ; preds = %97
  %102 = cmpxchg ptr %9, i32 0, i32 1 acq_rel monotonic, align 4
  %103 = extractvalue { i32, i1 } %102, 1
  br i1 %103, label %104, label %259

104:                                              ; preds = %101
  %105 = getelementptr inbounds i8, ptr %9, i64 4
  %106 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %105, i64 noundef 1016, ptr noundef nonnull @.str.115)
  br label %259

107:                                              ; preds = %96
  %108 = call i32 @lift_cuda_malloc(ptr noundef nonnull %9, ptr noundef nonnull %3, ptr noundef null)
  %109 = icmp eq i32 %108, 0
  br i1 %109, label %110, label %259

110:                                              ; preds = %107, %97
  %111 = phi i32 [ 2, %107 ], [ 1, %97 ]
  %112 = getelementptr inbounds i8, ptr %7, i64 1536
  store i32 0, ptr %112, align 8
  %113 = getelementptr inbounds i8, ptr %7, i64 1544
  store i64 %26, ptr %113, align 8
  %114 = select i1 %39, i32 2, i32 1
  %115 = getelementptr inbounds i8, ptr %7, i64 1552
  store i32 %114, ptr %115, align 8
  %116 = getelementptr inbounds i8, ptr %7, i64 1556
  store i32 %111, ptr %116, align 4
  %117 = load i32, ptr %53, align 4
  %118 = getelementptr inbounds i8, ptr %1, i64 40
  %119 = getelementptr inbounds i8, ptr %3, i64 40
  %120 = call i32 @llvm.smax.i32(i32 %117, i32 0)
  %121 = zext nneg i32 %120 to i64
  br label %122

122:                                              ; preds = %182, %110
  %123 = phi i64 [ %183, %182 ], [ 0, %110 ]
  %124 = phi i32 [ %175, %182 ], [ 0, %110 ]
  %125 = phi i64 [ %172, %182 ], [ 0, %110 ]
  %126 = icmp eq i64 %123, %121
  br i1 %126, label %184, label %127

127:                                              ; preds = %122
  %128 = load ptr, ptr %118, align 8
  %129 = getelementptr inbounds %struct.halide_dimension_t, ptr %128, i64 %123
  %130 = load ptr, ptr %119, align 8
  %131 = getelementptr inbounds %struct.halide_dimension_t, ptr %130, i64 %123
  %132 = getelementptr inbounds i8, ptr %129, i64 4
  %133 = load i32, ptr %132, align 4
  %134 = icmp slt i32 %133, 0
  br i1 %134, label %139, label %135

135:                                              ; preds = %127
  %136 = getelementptr inbounds i8, ptr %131, i64 4
  %137 = load i32, ptr %136, align 4
  %138 = icmp slt i32 %137, 0
  br i1 %138, label %139, label %146

139:                                              ; preds = %135, %127
  %140 = cmpxchg ptr %9, i32 0, i32 1 acq_rel monotonic, align 4
  %141 = extractvalue { i32, i1 } %140, 1
  br i1 %141, label %142, label %259

142:                                              ; preds = %139
  %143 = trunc nuw nsw i64 %123 to i32
  %144 = getelementptr inbounds i8, ptr %9, i64 4
  %145 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %144, i64 noundef 1016, ptr noundef nonnull @.str.116, i32 noundef %143)
  br label %259

146:                                              ; preds = %135
  %147 = load i32, ptr %131, align 4
  %148 = load i32, ptr %129, align 4
  %149 = icmp slt i32 %147, %148
  br i1 %149, label %158, label %150

150:                                              ; preds = %146
  %151 = sext i32 %147 to i64
  %152 = zext nneg i32 %137 to i64
  %153 = add nsw i64 %151, %152
  %154 = sext i32 %148 to i64
  %155 = zext nneg i32 %133 to i64
  %156 = add nsw i64 %154, %155
  %157 = icmp sgt i64 %153, %156
  br i1 %157, label %158, label %165

158:                                              ; preds = %150, %146
  %159 = cmpxchg ptr %9, i32 0, i32 1 acq_rel monotonic, align 4
  %160 = extractvalue { i32, i1 } %159, 1
  br i1 %160, label %161, label %259

161:                                              ; preds = %158
  %162 = trunc nuw nsw i64 %123 to i32
  %163 = getelementptr inbounds i8, ptr %9, i64 4
  %164 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %163, i64 noundef 1016, ptr noundef nonnull @.str.117, i32 noundef %162)
  br label %259

165:                                              ; preds = %150
  %166 = sub nsw i64 %151, %154
  %167 = getelementptr inbounds i8, ptr %129, i64 8
  %168 = load i32, ptr %167, align 4
  %169 = sext i32 %168 to i64
  %170 = mul nsw i64 %26, %169
  %171 = mul i64 %170, %166
  %172 = add nsw i64 %171, %125
  %173 = icmp eq i32 %137, 0
  %174 = zext i1 %173 to i32
  %175 = or i32 %124, %174
  %176 = icmp ugt i32 %137, 1
  br i1 %176, label %177, label %182

177:                                              ; preds = %165
  %178 = getelementptr inbounds i8, ptr %131, i64 8
  %179 = load i32, ptr %178, align 4
  %180 = sext i32 %179 to i64
  %181 = mul nsw i64 %26, %180
  call fastcc void @add_step(ptr noundef nonnull %7, i64 noundef %152, i64 noundef %170, i64 noundef %181)
  br label %182

182:                                              ; preds = %177, %165
  %183 = add nuw nsw i64 %123, 1
  br label %122

184:                                              ; preds = %122
  %185 = icmp eq i32 %124, 0
  br i1 %185, label %186, label %259

186:                                              ; preds = %184
  call fastcc void @join_steps(ptr noundef nonnull %7)
  %187 = call fastcc i32 @enter(ptr noundef nonnull %9, ptr noundef nonnull %8)
  %188 = icmp eq i32 %187, 0
  br i1 %188, label %189, label %259

189:                                              ; preds = %186
  br i1 %39, label %190, label %194

190:                                              ; preds = %189
  %191 = load ptr, ptr %8, align 8
  %192 = call fastcc i32 @is_elsewhere(ptr noundef nonnull %9, ptr noundef nonnull readonly %1, ptr noundef null, ptr noundef %191)
  %193 = icmp eq i32 %192, 0
  br i1 %193, label %194, label %199

194:                                              ; preds = %190, %189
  br i1 %10, label %195, label %208

195:                                              ; preds = %194
  %196 = load ptr, ptr %8, align 8
  %197 = call fastcc i32 @is_elsewhere(ptr noundef nonnull %9, ptr noundef nonnull %3, ptr noundef null, ptr noundef %196)
  %198 = icmp eq i32 %197, 0
  br i1 %198, label %208, label %199

199:                                              ; preds = %195, %190
  %200 = phi i32 [ %192, %190 ], [ %197, %195 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %6)
  %201 = getelementptr inbounds i8, ptr %8, i64 8
  %202 = load i32, ptr %201, align 8
  %203 = icmp eq i32 %202, 0
  br i1 %203, label %207, label %204

204:                                              ; preds = %199
  %205 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %206 = call i32 %205(ptr noundef nonnull %6)
  br label %207

207:                                              ; preds = %204, %199
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6)
  br label %259

208:                                              ; preds = %195, %194
  %209 = load i32, ptr %112, align 8
  br i1 %39, label %210, label %212

210:                                              ; preds = %208
  %211 = load i64, ptr %1, align 8
  br label %215

212:                                              ; preds = %208
  %213 = load ptr, ptr %27, align 8
  %214 = ptrtoint ptr %213 to i64
  br label %215

215:                                              ; preds = %212, %210
  %216 = phi i64 [ %211, %210 ], [ %214, %212 ]
  %217 = add i64 %216, %125
  br i1 %10, label %218, label %220

218:                                              ; preds = %215
  %219 = load i64, ptr %3, align 8
  br label %224

220:                                              ; preds = %215
  %221 = getelementptr inbounds i8, ptr %3, i64 16
  %222 = load ptr, ptr %221, align 8
  %223 = ptrtoint ptr %222 to i64
  br label %224

224:                                              ; preds = %220, %218
  %225 = phi i64 [ %219, %218 ], [ %223, %220 ]
  %226 = call fastcc i32 @copy_steps(ptr noundef nonnull %7, i32 noundef %209, i64 noundef %217, i64 noundef %225)
  %227 = icmp eq i32 %226, 0
  br i1 %227, label %228, label %232

228:                                              ; preds = %224
  %229 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2400), align 8
  %230 = call fastcc ptr @stream()
  %231 = call i32 %229(ptr noundef %230)
  br label %232

232:                                              ; preds = %228, %224
  %233 = phi i32 [ %226, %224 ], [ %231, %228 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5)
  %234 = getelementptr inbounds i8, ptr %8, i64 8
  %235 = load i32, ptr %234, align 8
  %236 = icmp eq i32 %235, 0
  br i1 %236, label %240, label %237

237:                                              ; preds = %232
  %238 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2232), align 8
  %239 = call i32 %238(ptr noundef nonnull %5)
  br label %240

240:                                              ; preds = %237, %232
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5)
  %241 = icmp eq i32 %233, 0
  br i1 %241, label %250, label %242

242:                                              ; preds = %240
  %243 = cmpxchg ptr %9, i32 0, i32 1 acq_rel monotonic, align 4
  %244 = extractvalue { i32, i1 } %243, 1
  br i1 %244, label %245, label %259

245:                                              ; preds = %242
  %246 = getelementptr inbounds i8, ptr %9, i64 4
  %247 = call fastcc ptr @sentence_of(i32 noundef %233)
  %248 = call fastcc ptr @name_of(i32 noundef %233)
  %249 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %246, i64 noundef 1016, ptr noundef nonnull @.str.118, ptr noundef %247, ptr noundef %248)
  br label %259

250:                                              ; preds = %240
  %251 = icmp eq ptr %1, %3
  br i1 %251, label %259, label %252

252:                                              ; preds = %250
  %253 = select i1 %10, i64 -2, i64 -3
  %254 = getelementptr inbounds i8, ptr %3, i64 24
  %255 = load i64, ptr %254, align 8
  %256 = and i64 %255, %253
  %257 = zext nneg i32 %111 to i64
  %258 = or i64 %256, %257
  store i64 %258, ptr %254, align 8
  br label %259

259:                                              ; preds = %44, %47, %66, %69, %72, %76, %80, %90, %93, %101, %104, %107, %139, %142, %158, %161, %184, %186, %207, %242, %245, %250, %252
  %260 = phi i32 [ %200, %207 ], [ -37, %44 ], [ -37, %47 ], [ -39, %66 ], [ -39, %69 ], [ %73, %72 ], [ %77, %76 ], [ %81, %80 ], [ -39, %90 ], [ -39, %93 ], [ -39, %101 ], [ -39, %104 ], [ %108, %107 ], [ 0, %184 ], [ %187, %186 ], [ -39, %242 ], [ -39, %245 ], [ 0, %252 ], [ 0, %250 ], [ -39, %161 ], [ -39, %158 ], [ -28, %142 ], [ -28, %139 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %8)
  call void @llvm.lifetime.end.p0(i64 1560, ptr nonnull %7)
  %261 = call fastcc i32 @told(ptr noundef nonnull %9, i32 noundef %260)
  br label %262

262:                                              ; preds = %259, %19
  %263 = phi i32 [ -42, %19 ], [ %260, %259 ]
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %9)
  ret i32 %263
}

define internal noundef i32 @interface_crop(ptr nocapture readnone %0, ptr nocapture noundef readonly %1, ptr nocapture noundef %2) {
  %4 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %4)
  store i32 0, ptr %4, align 4
  %5 = getelementptr inbounds i8, ptr %1, i64 36
  %6 = load i32, ptr %5, align 4
  %7 = getelementptr inbounds i8, ptr %2, i64 40
  %8 = getelementptr inbounds i8, ptr %1, i64 40
  %9 = tail call i32 @llvm.smax.i32(i32 %6, i32 0)
  %10 = zext nneg i32 %9 to i64
  br label %11

11:                                               ; preds = %25, %3
  %12 = phi i64 [ %36, %25 ], [ 0, %3 ]
  %13 = phi i64 [ %35, %25 ], [ 0, %3 ]
  %14 = icmp eq i64 %12, %10
  br i1 %14, label %37, label %15

15:                                               ; preds = %11
  %16 = load ptr, ptr %7, align 8
  %17 = getelementptr inbounds %struct.halide_dimension_t, ptr %16, i64 %12
  %18 = load ptr, ptr %8, align 8
  %19 = getelementptr inbounds %struct.halide_dimension_t, ptr %18, i64 %12
  %20 = tail call fastcc i32 @is_outside(ptr noundef %17, ptr noundef %19)
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %25, label %22

22:                                               ; preds = %15
  %23 = trunc nuw nsw i64 %12 to i32
  call fastcc void @reaches_beyond(ptr noundef nonnull %4, i32 noundef %23)
  %24 = getelementptr inbounds i8, ptr %4, i64 4
  call void @lift_error(ptr noundef nonnull %24)
  br label %40

25:                                               ; preds = %15
  %26 = load i32, ptr %17, align 4
  %27 = sext i32 %26 to i64
  %28 = load i32, ptr %19, align 4
  %29 = sext i32 %28 to i64
  %30 = sub nsw i64 %27, %29
  %31 = getelementptr inbounds i8, ptr %19, i64 8
  %32 = load i32, ptr %31, align 4
  %33 = sext i32 %32 to i64
  %34 = mul nsw i64 %30, %33
  %35 = add nsw i64 %34, %13
  %36 = add nuw nsw i64 %12, 1
  br label %11

37:                                               ; preds = %11
  %38 = call fastcc i32 @alias(ptr noundef nonnull %4, ptr noundef nonnull %1, ptr noundef %2, i64 noundef %13)
  %39 = call fastcc i32 @told(ptr noundef nonnull %4, i32 noundef %38)
  br label %40

40:                                               ; preds = %22, %37
  %41 = phi i32 [ %38, %37 ], [ -41, %22 ]
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %4)
  ret i32 %41
}

define internal noundef i32 @interface_slice(ptr nocapture readnone %0, ptr nocapture noundef readonly %1, i32 noundef %2, i32 noundef %3, ptr nocapture noundef %4) {
  %6 = alloca %struct.failure, align 4
  %7 = alloca %struct.halide_dimension_t, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %6)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %7)
  store i32 %3, ptr %7, align 4
  %8 = getelementptr inbounds i8, ptr %7, i64 4
  store i32 1, ptr %8, align 4
  %9 = getelementptr inbounds i8, ptr %7, i64 8
  store i32 0, ptr %9, align 4
  %10 = getelementptr inbounds i8, ptr %7, i64 12
  store i32 0, ptr %10, align 4
  store i32 0, ptr %6, align 4
  %11 = icmp slt i32 %2, 0
  br i1 %11, label %28, label %12

12:                                               ; preds = %5
  %13 = getelementptr inbounds i8, ptr %1, i64 36
  %14 = load i32, ptr %13, align 4
  %15 = icmp sgt i32 %14, %2
  br i1 %15, label %16, label %28

16:                                               ; preds = %12
  %17 = getelementptr inbounds i8, ptr %4, i64 36
  %18 = load i32, ptr %17, align 4
  %19 = add nsw i32 %14, -1
  %20 = icmp eq i32 %18, %19
  br i1 %20, label %21, label %28

21:                                               ; preds = %16
  %22 = getelementptr inbounds i8, ptr %1, i64 40
  %23 = load ptr, ptr %22, align 8
  %24 = zext nneg i32 %2 to i64
  %25 = getelementptr inbounds %struct.halide_dimension_t, ptr %23, i64 %24
  %26 = call fastcc i32 @is_outside(ptr noundef nonnull %7, ptr noundef %25)
  %27 = icmp eq i32 %26, 0
  br i1 %27, label %30, label %28

28:                                               ; preds = %21, %16, %12, %5
  call fastcc void @reaches_beyond(ptr noundef nonnull %6, i32 noundef %2)
  %29 = getelementptr inbounds i8, ptr %6, i64 4
  call void @lift_error(ptr noundef nonnull %29)
  br label %73

30:                                               ; preds = %21
  %31 = sext i32 %3 to i64
  %32 = load i32, ptr %25, align 4
  %33 = sext i32 %32 to i64
  %34 = sub nsw i64 %31, %33
  %35 = getelementptr inbounds i8, ptr %25, i64 8
  %36 = load i32, ptr %35, align 4
  %37 = sext i32 %36 to i64
  %38 = mul nsw i64 %34, %37
  %39 = getelementptr inbounds i8, ptr %4, i64 40
  %40 = zext nneg i32 %2 to i64
  %41 = zext nneg i32 %18 to i64
  br label %42

42:                                               ; preds = %59, %30
  %43 = phi i64 [ %48, %59 ], [ 0, %30 ]
  %44 = phi i64 [ %69, %59 ], [ %38, %30 ]
  %45 = icmp eq i64 %43, %41
  br i1 %45, label %70, label %46

46:                                               ; preds = %42
  %47 = icmp ult i64 %43, %40
  %48 = add nuw nsw i64 %43, 1
  %49 = select i1 %47, i64 %43, i64 %48
  %50 = and i64 %49, 4294967295
  %51 = getelementptr inbounds %struct.halide_dimension_t, ptr %23, i64 %50
  %52 = load ptr, ptr %39, align 8
  %53 = getelementptr inbounds %struct.halide_dimension_t, ptr %52, i64 %43
  %54 = tail call fastcc i32 @is_outside(ptr noundef %53, ptr noundef %51)
  %55 = icmp eq i32 %54, 0
  br i1 %55, label %59, label %56

56:                                               ; preds = %46
  %57 = trunc nuw nsw i64 %43 to i32
  call fastcc void @reaches_beyond(ptr noundef nonnull %6, i32 noundef %57)
  %58 = getelementptr inbounds i8, ptr %6, i64 4
  call void @lift_error(ptr noundef nonnull %58)
  br label %73

59:                                               ; preds = %46
  %60 = load i32, ptr %53, align 4
  %61 = sext i32 %60 to i64
  %62 = load i32, ptr %51, align 4
  %63 = sext i32 %62 to i64
  %64 = sub nsw i64 %61, %63
  %65 = getelementptr inbounds i8, ptr %51, i64 8
  %66 = load i32, ptr %65, align 4
  %67 = sext i32 %66 to i64
  %68 = mul nsw i64 %64, %67
  %69 = add nsw i64 %68, %44
  br label %42

70:                                               ; preds = %42
  %71 = call fastcc i32 @alias(ptr noundef nonnull %6, ptr noundef nonnull %1, ptr noundef nonnull %4, i64 noundef %44)
  %72 = call fastcc i32 @told(ptr noundef nonnull %6, i32 noundef %71)
  br label %73

73:                                               ; preds = %56, %70, %28
  %74 = phi i32 [ -41, %28 ], [ %71, %70 ], [ -41, %56 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %7)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %6)
  ret i32 %74
}

define internal noundef i32 @interface_let_go(ptr nocapture readnone %0, ptr nocapture noundef writeonly %1) {
  store i64 0, ptr %1, align 8
  %3 = getelementptr inbounds i8, ptr %1, i64 8
  store ptr null, ptr %3, align 8
  ret i32 0
}

define internal noundef i32 @interface_wrap(ptr nocapture readnone %0, ptr nocapture noundef %1, i64 noundef %2, ptr nocapture readnone %3) {
  %5 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %5)
  store i32 0, ptr %5, align 4
  %6 = load i64, ptr %1, align 8
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %16, label %8

8:                                                ; preds = %4
  %9 = cmpxchg ptr %5, i32 0, i32 1 acq_rel monotonic, align 4
  %10 = extractvalue { i32, i1 } %9, 1
  br i1 %10, label %11, label %14

11:                                               ; preds = %8
  %12 = getelementptr inbounds i8, ptr %5, i64 4
  %13 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %12, i64 noundef 1016, ptr noundef nonnull @.str.121)
  br label %14

14:                                               ; preds = %8, %11
  %15 = getelementptr inbounds i8, ptr %5, i64 4
  call void @lift_error(ptr noundef nonnull %15)
  br label %18

16:                                               ; preds = %4
  store i64 %2, ptr %1, align 8
  %17 = getelementptr inbounds i8, ptr %1, i64 8
  store ptr @lift_cuda_interface, ptr %17, align 8
  br label %18

18:                                               ; preds = %16, %14
  %19 = phi i32 [ -32, %14 ], [ 0, %16 ]
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %5)
  ret i32 %19
}

define internal noundef i32 @interface_capability(ptr nocapture readnone %0, ptr noundef %1, ptr noundef %2) {
  %4 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %4)
  store i32 0, ptr %4, align 4
  %5 = call fastcc i32 @opened(ptr noundef nonnull %4)
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %9, label %7

7:                                                ; preds = %3
  %8 = call fastcc i32 @told(ptr noundef nonnull %4, i32 noundef %5)
  br label %16

9:                                                ; preds = %3
  %10 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), align 8
  %11 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2148), align 4
  %12 = call i32 %10(ptr noundef %1, i32 noundef 75, i32 noundef %11)
  %13 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), align 8
  %14 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2148), align 4
  %15 = call i32 %13(ptr noundef %2, i32 noundef 76, i32 noundef %14)
  br label %16

16:                                               ; preds = %9, %7
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %4)
  ret i32 %5
}

define weak ptr @lift_cuda_device_interface() local_unnamed_addr {
  ret ptr @lift_cuda_interface
}

define internal fastcc i64 @span(ptr noundef %0, ptr nocapture noundef readonly %1, ptr noundef %2) unnamed_addr {
  %4 = getelementptr inbounds i8, ptr %1, i64 36
  %5 = load i32, ptr %4, align 4
  %6 = getelementptr inbounds i8, ptr %1, i64 40
  %7 = tail call i32 @llvm.smax.i32(i32 %5, i32 0)
  %8 = zext nneg i32 %7 to i64
  br label %9

9:                                                ; preds = %65, %3
  %10 = phi i64 [ %67, %65 ], [ 0, %3 ]
  %11 = phi i64 [ %55, %65 ], [ 0, %3 ]
  %12 = phi i64 [ %66, %65 ], [ 0, %3 ]
  %13 = icmp eq i64 %10, %8
  br i1 %13, label %68, label %14

14:                                               ; preds = %9
  %15 = load ptr, ptr %6, align 8
  %16 = getelementptr inbounds %struct.halide_dimension_t, ptr %15, i64 %10
  %17 = getelementptr inbounds i8, ptr %16, i64 4
  %18 = load i32, ptr %17, align 4
  %19 = icmp slt i32 %18, 0
  br i1 %19, label %20, label %31

20:                                               ; preds = %14
  %21 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %22 = extractvalue { i32, i1 } %21, 1
  br i1 %22, label %23, label %78

23:                                               ; preds = %20
  %24 = getelementptr inbounds i8, ptr %16, i64 4
  %25 = trunc nuw nsw i64 %10 to i32
  %26 = getelementptr inbounds i8, ptr %0, i64 4
  %27 = icmp eq ptr %2, null
  %28 = select i1 %27, ptr @.str.24, ptr %2
  %29 = load i32, ptr %24, align 4
  %30 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %26, i64 noundef 1016, ptr noundef nonnull @.str.21, ptr noundef nonnull %28, i32 noundef %25, i32 noundef %29)
  br label %78

31:                                               ; preds = %14
  %32 = getelementptr inbounds i8, ptr %16, i64 8
  %33 = load i32, ptr %32, align 4
  %34 = icmp slt i32 %33, 0
  %35 = icmp ugt i32 %18, 1
  %36 = and i1 %35, %34
  br i1 %36, label %37, label %48

37:                                               ; preds = %31
  %38 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %39 = extractvalue { i32, i1 } %38, 1
  br i1 %39, label %40, label %78

40:                                               ; preds = %37
  %41 = getelementptr inbounds i8, ptr %16, i64 8
  %42 = trunc nuw nsw i64 %10 to i32
  %43 = getelementptr inbounds i8, ptr %0, i64 4
  %44 = icmp eq ptr %2, null
  %45 = select i1 %44, ptr @.str.24, ptr %2
  %46 = load i32, ptr %41, align 4
  %47 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %43, i64 noundef 1016, ptr noundef nonnull @.str.22, i32 noundef %42, ptr noundef nonnull %45, i32 noundef %46)
  br label %78

48:                                               ; preds = %31
  %49 = icmp eq i32 %18, 0
  %50 = add nsw i32 %18, -1
  %51 = zext nneg i32 %50 to i64
  %52 = sext i32 %33 to i64
  %53 = mul nsw i64 %52, %51
  %54 = select i1 %49, i64 0, i64 %53
  %55 = add nsw i64 %54, %11
  %56 = icmp sgt i64 %55, 72057594037927935
  br i1 %56, label %57, label %65

57:                                               ; preds = %48
  %58 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %59 = extractvalue { i32, i1 } %58, 1
  br i1 %59, label %60, label %78

60:                                               ; preds = %57
  %61 = getelementptr inbounds i8, ptr %0, i64 4
  %62 = icmp eq ptr %2, null
  %63 = select i1 %62, ptr @.str.24, ptr %2
  %64 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %61, i64 noundef 1016, ptr noundef nonnull @.str.23, ptr noundef nonnull %63)
  br label %78

65:                                               ; preds = %48
  %66 = select i1 %49, i64 1, i64 %12
  %67 = add nuw nsw i64 %10, 1
  br label %9

68:                                               ; preds = %9
  %69 = icmp eq i64 %12, 0
  br i1 %69, label %70, label %78

70:                                               ; preds = %68
  %71 = add nsw i64 %11, 1
  %72 = getelementptr inbounds i8, ptr %1, i64 33
  %73 = load i8, ptr %72, align 1
  %74 = zext i8 %73 to i64
  %75 = add nuw nsw i64 %74, 7
  %76 = lshr i64 %75, 3
  %77 = mul nsw i64 %76, %71
  br label %78

78:                                               ; preds = %20, %23, %37, %40, %57, %60, %70, %68
  %79 = phi i64 [ %77, %70 ], [ 0, %68 ], [ -11, %60 ], [ -11, %57 ], [ -16, %40 ], [ -16, %37 ], [ -28, %23 ], [ -28, %20 ]
  ret i64 %79
}

define internal fastcc range(i32 -39, 1) i32 @has_too_many_dimensions(ptr noundef %0, ptr nocapture noundef readonly %1, ptr noundef %2) unnamed_addr {
  %4 = getelementptr inbounds i8, ptr %1, i64 36
  %5 = load i32, ptr %4, align 4
  %6 = icmp slt i32 %5, 65
  br i1 %6, label %16, label %7

7:                                                ; preds = %3
  %8 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %9 = extractvalue { i32, i1 } %8, 1
  br i1 %9, label %10, label %16

10:                                               ; preds = %7
  %11 = getelementptr inbounds i8, ptr %0, i64 4
  %12 = icmp eq ptr %2, null
  %13 = select i1 %12, ptr @.str.24, ptr %2
  %14 = load i32, ptr %4, align 4
  %15 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %11, i64 noundef 1016, ptr noundef nonnull @.str.39, ptr noundef nonnull %13, i32 noundef %14, i32 noundef 64)
  br label %16

16:                                               ; preds = %10, %7, %3
  %17 = phi i32 [ 0, %3 ], [ -39, %7 ], [ -39, %10 ]
  ret i32 %17
}

define internal fastcc i32 @copy_within(ptr nocapture noundef readonly %0, i32 noundef %1) unnamed_addr {
  %3 = alloca %struct.copy, align 8
  call void @llvm.lifetime.start.p0(i64 1560, ptr nonnull %3)
  %4 = getelementptr inbounds i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = ptrtoint ptr %5 to i64
  %7 = getelementptr inbounds i8, ptr %3, i64 1536
  store i32 0, ptr %7, align 8
  %8 = getelementptr inbounds i8, ptr %0, i64 33
  %9 = load i8, ptr %8, align 1
  %10 = zext i8 %9 to i64
  %11 = add nuw nsw i64 %10, 7
  %12 = lshr i64 %11, 3
  %13 = getelementptr inbounds i8, ptr %3, i64 1544
  store i64 %12, ptr %13, align 8
  %14 = icmp eq i32 %1, 0
  %15 = select i1 %14, i32 1, i32 2
  %16 = getelementptr inbounds i8, ptr %3, i64 1552
  store i32 %15, ptr %16, align 8
  %17 = select i1 %14, i32 2, i32 1
  %18 = getelementptr inbounds i8, ptr %3, i64 1556
  store i32 %17, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %0, i64 36
  %20 = load i32, ptr %19, align 4
  %21 = getelementptr inbounds i8, ptr %0, i64 40
  %22 = tail call i32 @llvm.smax.i32(i32 %20, i32 0)
  %23 = zext nneg i32 %22 to i64
  br label %24

24:                                               ; preds = %43, %2
  %25 = phi i64 [ %44, %43 ], [ 0, %2 ]
  %26 = icmp eq i64 %25, %23
  br i1 %26, label %45, label %27

27:                                               ; preds = %24
  %28 = load ptr, ptr %21, align 8
  %29 = getelementptr inbounds %struct.halide_dimension_t, ptr %28, i64 %25
  %30 = getelementptr inbounds i8, ptr %29, i64 8
  %31 = load i32, ptr %30, align 4
  %32 = sext i32 %31 to i64
  %33 = mul nsw i64 %12, %32
  %34 = getelementptr inbounds i8, ptr %29, i64 4
  %35 = load i32, ptr %34, align 4
  %36 = icmp eq i32 %35, 0
  br i1 %36, label %56, label %37

37:                                               ; preds = %27
  %38 = icmp sgt i32 %35, 1
  %39 = icmp ne i64 %33, 0
  %40 = select i1 %38, i1 %39, i1 false
  br i1 %40, label %41, label %43

41:                                               ; preds = %37
  %42 = zext nneg i32 %35 to i64
  call fastcc void @add_step(ptr noundef nonnull %3, i64 noundef %42, i64 noundef %33, i64 noundef %33)
  br label %43

43:                                               ; preds = %41, %37
  %44 = add nuw nsw i64 %25, 1
  br label %24

45:                                               ; preds = %24
  call fastcc void @join_steps(ptr noundef nonnull %3)
  %46 = load i32, ptr %7, align 8
  %47 = load i64, ptr %0, align 8
  %48 = select i1 %14, i64 %6, i64 %47
  %49 = select i1 %14, i64 %47, i64 %6
  %50 = call fastcc i32 @copy_steps(ptr noundef nonnull %3, i32 noundef %46, i64 noundef %48, i64 noundef %49)
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %52, label %56

52:                                               ; preds = %45
  %53 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2400), align 8
  %54 = tail call fastcc ptr @stream()
  %55 = tail call i32 %53(ptr noundef %54)
  br label %56

56:                                               ; preds = %27, %52, %45
  %57 = phi i32 [ %55, %52 ], [ %50, %45 ], [ 0, %27 ]
  call void @llvm.lifetime.end.p0(i64 1560, ptr nonnull %3)
  ret i32 %57
}

define internal fastcc void @add_step(ptr nocapture noundef %0, i64 noundef %1, i64 noundef %2, i64 noundef %3) unnamed_addr {
  %5 = getelementptr inbounds i8, ptr %0, i64 1536
  %6 = load i32, ptr %5, align 8
  %7 = add nsw i32 %6, 1
  store i32 %7, ptr %5, align 8
  %8 = zext i32 %6 to i64
  %9 = tail call i32 @llvm.smin.i32(i32 %6, i32 0)
  br label %10

10:                                               ; preds = %20, %4
  %11 = phi i64 [ %15, %20 ], [ %8, %4 ]
  %12 = trunc nuw i64 %11 to i32
  %13 = icmp sgt i32 %12, 0
  br i1 %13, label %14, label %22

14:                                               ; preds = %10
  %15 = add nsw i64 %11, -1
  %16 = getelementptr inbounds [64 x %struct.step], ptr %0, i64 0, i64 %15
  %17 = getelementptr inbounds i8, ptr %16, i64 8
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i64 %18, %2
  br i1 %19, label %20, label %22

20:                                               ; preds = %14
  %21 = getelementptr inbounds [64 x %struct.step], ptr %0, i64 0, i64 %11
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %21, ptr noundef nonnull align 8 dereferenceable(24) %16, i64 24, i1 false)
  br label %10

22:                                               ; preds = %10, %14
  %23 = phi i32 [ %9, %10 ], [ %12, %14 ]
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [64 x %struct.step], ptr %0, i64 0, i64 %24
  store i64 %1, ptr %25, align 8
  %26 = getelementptr inbounds i8, ptr %25, i64 8
  store i64 %2, ptr %26, align 8
  %27 = getelementptr inbounds i8, ptr %25, i64 16
  store i64 %3, ptr %27, align 8
  ret void
}

define internal fastcc void @join_steps(ptr nocapture noundef %0) unnamed_addr {
  %2 = getelementptr inbounds i8, ptr %0, i64 1536
  %3 = getelementptr inbounds i8, ptr %0, i64 1544
  br label %4

4:                                                ; preds = %48, %1
  %5 = phi i64 [ %50, %48 ], [ 0, %1 ]
  %6 = phi i32 [ %49, %48 ], [ 0, %1 ]
  %7 = load i32, ptr %2, align 8
  %8 = sext i32 %7 to i64
  %9 = icmp slt i64 %5, %8
  br i1 %9, label %11, label %10

10:                                               ; preds = %4
  store i32 %6, ptr %2, align 8
  ret void

11:                                               ; preds = %4
  %12 = getelementptr inbounds [64 x %struct.step], ptr %0, i64 0, i64 %5
  %13 = load i64, ptr %12, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 8
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds i8, ptr %12, i64 16
  %17 = load i64, ptr %16, align 8
  %18 = icmp eq i32 %6, 0
  br i1 %18, label %19, label %26

19:                                               ; preds = %11
  %20 = load i64, ptr %3, align 8
  %21 = icmp eq i64 %15, %20
  %22 = icmp eq i64 %17, %20
  %23 = select i1 %21, i1 %22, i1 false
  br i1 %23, label %24, label %42

24:                                               ; preds = %19
  %25 = mul nsw i64 %17, %13
  store i64 %25, ptr %3, align 8
  br label %48

26:                                               ; preds = %11
  %27 = add nsw i32 %6, -1
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [64 x %struct.step], ptr %0, i64 0, i64 %28
  %30 = getelementptr inbounds i8, ptr %29, i64 8
  %31 = load i64, ptr %30, align 8
  %32 = load i64, ptr %29, align 8
  %33 = mul nsw i64 %32, %31
  %34 = icmp eq i64 %15, %33
  br i1 %34, label %35, label %42

35:                                               ; preds = %26
  %36 = getelementptr inbounds i8, ptr %29, i64 16
  %37 = load i64, ptr %36, align 8
  %38 = mul nsw i64 %37, %32
  %39 = icmp eq i64 %17, %38
  br i1 %39, label %40, label %42

40:                                               ; preds = %35
  %41 = mul nsw i64 %32, %13
  store i64 %41, ptr %29, align 8
  br label %48

42:                                               ; preds = %19, %35, %26
  %43 = add nsw i32 %6, 1
  %44 = sext i32 %6 to i64
  %45 = getelementptr inbounds [64 x %struct.step], ptr %0, i64 0, i64 %44
  store i64 %13, ptr %45, align 8
  %46 = getelementptr inbounds i8, ptr %45, i64 8
  store i64 %15, ptr %46, align 8
  %47 = getelementptr inbounds i8, ptr %45, i64 16
  store i64 %17, ptr %47, align 8
  br label %48

48:                                               ; preds = %40, %42, %24
  %49 = phi i32 [ %6, %40 ], [ %43, %42 ], [ 0, %24 ]
  %50 = add nuw nsw i64 %5, 1
  br label %4
}

define internal fastcc i32 @copy_steps(ptr nocapture noundef readonly %0, i32 noundef %1, i64 noundef %2, i64 noundef %3) unnamed_addr {
  %5 = alloca %struct.rows, align 8
  switch i32 %1, label %96 [
    i32 0, label %6
    i32 1, label %38
  ]

6:                                                ; preds = %4
  %7 = getelementptr inbounds i8, ptr %0, i64 1552
  %8 = load i32, ptr %7, align 8
  %9 = icmp eq i32 %8, 1
  %10 = getelementptr inbounds i8, ptr %0, i64 1556
  %11 = load i32, ptr %10, align 4
  %12 = icmp eq i32 %11, 1
  br i1 %9, label %13, label %24

13:                                               ; preds = %6
  %14 = inttoptr i64 %2 to ptr
  %15 = getelementptr inbounds i8, ptr %0, i64 1544
  %16 = load i64, ptr %15, align 8
  br i1 %12, label %17, label %20

17:                                               ; preds = %13
  %18 = inttoptr i64 %3 to ptr
  %19 = tail call ptr @memmove(ptr noundef %18, ptr noundef %14, i64 noundef %16)
  br label %116

20:                                               ; preds = %13
  %21 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2368), align 8
  %22 = tail call fastcc ptr @stream()
  %23 = tail call i32 %21(i64 noundef %3, ptr noundef %14, i64 noundef %16, ptr noundef %22)
  br label %116

24:                                               ; preds = %6
  br i1 %12, label %25, label %32

25:                                               ; preds = %24
  %26 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2376), align 8
  %27 = inttoptr i64 %3 to ptr
  %28 = getelementptr inbounds i8, ptr %0, i64 1544
  %29 = load i64, ptr %28, align 8
  %30 = tail call fastcc ptr @stream()
  %31 = tail call i32 %26(ptr noundef %27, i64 noundef %2, i64 noundef %29, ptr noundef %30)
  br label %116

32:                                               ; preds = %24
  %33 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2384), align 8
  %34 = getelementptr inbounds i8, ptr %0, i64 1544
  %35 = load i64, ptr %34, align 8
  %36 = tail call fastcc ptr @stream()
  %37 = tail call i32 %33(i64 noundef %3, i64 noundef %2, i64 noundef %35, ptr noundef %36)
  br label %116

38:                                               ; preds = %4
  %39 = getelementptr inbounds i8, ptr %0, i64 1536
  %40 = load i32, ptr %39, align 8
  %41 = icmp sgt i32 %40, 0
  br i1 %41, label %42, label %96

42:                                               ; preds = %38
  %43 = getelementptr inbounds i8, ptr %0, i64 1552
  %44 = load i32, ptr %43, align 8
  %45 = icmp eq i32 %44, 1
  br i1 %45, label %46, label %50

46:                                               ; preds = %42
  %47 = getelementptr inbounds i8, ptr %0, i64 1556
  %48 = load i32, ptr %47, align 4
  %49 = icmp eq i32 %48, 1
  br i1 %49, label %96, label %50

50:                                               ; preds = %46, %42
  %51 = getelementptr inbounds i8, ptr %0, i64 8
  %52 = load i64, ptr %51, align 8
  %53 = getelementptr inbounds i8, ptr %0, i64 1544
  %54 = load i64, ptr %53, align 8
  %55 = icmp slt i64 %52, %54
  br i1 %55, label %96, label %56

56:                                               ; preds = %50
  %57 = getelementptr inbounds i8, ptr %0, i64 16
  %58 = load i64, ptr %57, align 8
  %59 = icmp slt i64 %58, %54
  %60 = icmp sgt i64 %52, 2147483647
  %61 = or i1 %60, %59
  %62 = icmp sgt i64 %58, 2147483647
  %63 = or i1 %62, %61
  br i1 %63, label %96, label %64

64:                                               ; preds = %56
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %5)
  %65 = call ptr @memset(ptr noundef nonnull %5, i32 noundef 0, i64 noundef 128)
  %66 = load i32, ptr %43, align 8
  %67 = getelementptr inbounds i8, ptr %5, i64 16
  store i32 %66, ptr %67, align 8
  %68 = getelementptr inbounds i8, ptr %0, i64 1556
  %69 = load i32, ptr %68, align 4
  %70 = getelementptr inbounds i8, ptr %5, i64 72
  store i32 %69, ptr %70, align 8
  %71 = icmp eq i32 %66, 1
  br i1 %71, label %72, label %75

72:                                               ; preds = %64
  %73 = inttoptr i64 %2 to ptr
  %74 = getelementptr inbounds i8, ptr %5, i64 24
  store ptr %73, ptr %74, align 8
  br label %77

75:                                               ; preds = %64
  %76 = getelementptr inbounds i8, ptr %5, i64 32
  store i64 %2, ptr %76, align 8
  br label %77

77:                                               ; preds = %75, %72
  %78 = icmp eq i32 %69, 1
  br i1 %78, label %79, label %82

79:                                               ; preds = %77
  %80 = inttoptr i64 %3 to ptr
  %81 = getelementptr inbounds i8, ptr %5, i64 80
  store ptr %80, ptr %81, align 8
  br label %84

82:                                               ; preds = %77
  %83 = getelementptr inbounds i8, ptr %5, i64 88
  store i64 %3, ptr %83, align 8
  br label %84

84:                                               ; preds = %79, %82
  %85 = load i64, ptr %51, align 8
  %86 = getelementptr inbounds i8, ptr %5, i64 48
  store i64 %85, ptr %86, align 8
  %87 = load i64, ptr %57, align 8
  %88 = getelementptr inbounds i8, ptr %5, i64 104
  store i64 %87, ptr %88, align 8
  %89 = load i64, ptr %53, align 8
  %90 = getelementptr inbounds i8, ptr %5, i64 112
  store i64 %89, ptr %90, align 8
  %91 = load i64, ptr %0, align 8
  %92 = getelementptr inbounds i8, ptr %5, i64 120
  store i64 %91, ptr %92, align 8
  %93 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2392), align 8
  %94 = call fastcc ptr @stream()
  %95 = call i32 %93(ptr noundef nonnull %5, ptr noundef %94)
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %5)
  br label %116

96:                                               ; preds = %38, %46, %50, %56, %4
  %97 = add nsw i32 %1, -1
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds [64 x %struct.step], ptr %0, i64 0, i64 %98
  %100 = getelementptr inbounds i8, ptr %99, i64 8
  %101 = getelementptr inbounds i8, ptr %99, i64 16
  br label %102

102:                                              ; preds = %106, %96
  %103 = phi i64 [ 0, %96 ], [ %115, %106 ]
  %104 = load i64, ptr %99, align 8
  %105 = icmp slt i64 %103, %104
  br i1 %105, label %106, label %116

106:                                              ; preds = %102
  %107 = load i64, ptr %100, align 8
  %108 = mul nsw i64 %107, %103
  %109 = add i64 %108, %2
  %110 = load i64, ptr %101, align 8
  %111 = mul nsw i64 %110, %103
  %112 = add i64 %111, %3
  %113 = tail call fastcc i32 @copy_steps(ptr noundef nonnull %0, i32 noundef %97, i64 noundef %109, i64 noundef %112)
  %114 = icmp eq i32 %113, 0
  %115 = add nuw nsw i64 %103, 1
  br i1 %114, label %102, label %116

116:                                              ; preds = %106, %102, %32, %25, %20, %17, %84
  %117 = phi i32 [ %95, %84 ], [ 0, %17 ], [ %23, %20 ], [ %31, %25 ], [ %37, %32 ], [ 0, %102 ], [ %113, %106 ]
  ret i32 %117
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)

declare ptr @memmove(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr

declare ptr @memset(ptr noundef, i32 noundef, i64 noundef) local_unnamed_addr

declare i64 @strlen(ptr noundef) local_unnamed_addr

define internal fastcc ptr @found(ptr nocapture noundef readonly %0, i64 noundef %1) unnamed_addr {
  %3 = getelementptr inbounds i8, ptr %0, i64 16
  %4 = load atomic i64, ptr %3 acquire, align 8
  %5 = inttoptr i64 %4 to ptr
  br label %6

6:                                                ; preds = %13, %2
  %7 = phi ptr [ %5, %2 ], [ %14, %13 ]
  %8 = icmp eq ptr %7, null
  br i1 %8, label %15, label %9

9:                                                ; preds = %6
  %10 = getelementptr inbounds i8, ptr %7, i64 8
  %11 = load i64, ptr %10, align 8
  %12 = icmp eq i64 %11, %1
  br i1 %12, label %15, label %13

13:                                               ; preds = %9
  %14 = load ptr, ptr %7, align 8
  br label %6

15:                                               ; preds = %6, %9
  ret ptr %7
}

define internal fastcc range(i32 -23, 1) i32 @has_too_much_shared(ptr noundef %0, ptr nocapture noundef readonly %1) unnamed_addr {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %3)
  store i32 0, ptr %3, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %4)
  store i32 0, ptr %4, align 4
  %5 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2248), align 8
  %6 = call i32 %5(ptr noundef nonnull %3)
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %30

8:                                                ; preds = %2
  %9 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 2208), align 8
  %10 = load i32, ptr %3, align 4
  %11 = call i32 %9(ptr noundef nonnull %4, i32 noundef 97, i32 noundef %10)
  %12 = icmp ne i32 %11, 0
  %13 = load i32, ptr %4, align 4
  %14 = icmp slt i32 %13, 1
  %15 = select i1 %12, i1 true, i1 %14
  br i1 %15, label %30, label %16

16:                                               ; preds = %8
  %17 = getelementptr inbounds i8, ptr %1, i64 36
  %18 = load i32, ptr %17, align 4
  %19 = icmp ugt i32 %18, %13
  br i1 %19, label %20, label %30

20:                                               ; preds = %16
  %21 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %22 = extractvalue { i32, i1 } %21, 1
  br i1 %22, label %23, label %30

23:                                               ; preds = %20
  %24 = getelementptr inbounds i8, ptr %0, i64 4
  %25 = getelementptr inbounds i8, ptr %1, i64 8
  %26 = load ptr, ptr %25, align 8
  %27 = load i32, ptr %17, align 4
  %28 = load i32, ptr %4, align 4
  %29 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %24, i64 noundef 1016, ptr noundef nonnull @.str.46, ptr noundef %26, i32 noundef %27, i32 noundef %28)
  br label %30

30:                                               ; preds = %23, %20, %2, %8, %16
  %31 = phi i32 [ 0, %16 ], [ 0, %8 ], [ 0, %2 ], [ -23, %20 ], [ -23, %23 ]
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %3)
  ret i32 %31
}

declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr

declare i32 @pthread_key_create(ptr noundef, ptr noundef) local_unnamed_addr

declare ptr @getenv(ptr noundef) local_unnamed_addr

declare ptr @dlopen(ptr noundef, i32 noundef) local_unnamed_addr

declare ptr @dlerror() local_unnamed_addr

declare i64 @strtol(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr

declare ptr @dlsym(ptr noundef, ptr noundef) local_unnamed_addr

declare i32 @strcmp(ptr noundef, ptr noundef) local_unnamed_addr

declare void @lift_error(ptr noundef) local_unnamed_addr

declare i64 @strtoll(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr

declare i64 @llvm.ctlz.i64(i64, i1 immarg)

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr

declare void @abort() local_unnamed_addr

declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)

declare i32 @posix_memalign(ptr noundef, i64 noundef, i64 noundef) local_unnamed_addr

declare i32 @memcmp(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr

define internal fastcc range(i32 0, 2) i32 @is_outside(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1) unnamed_addr {
  %3 = getelementptr inbounds i8, ptr %0, i64 4
  %4 = load i32, ptr %3, align 4
  %5 = icmp slt i32 %4, 0
  br i1 %5, label %21, label %6

6:                                                ; preds = %2
  %7 = load i32, ptr %0, align 4
  %8 = load i32, ptr %1, align 4
  %9 = icmp slt i32 %7, %8
  br i1 %9, label %21, label %10

10:                                               ; preds = %6
  %11 = sext i32 %7 to i64
  %12 = zext nneg i32 %4 to i64
  %13 = add nsw i64 %11, %12
  %14 = sext i32 %8 to i64
  %15 = getelementptr inbounds i8, ptr %1, i64 4
  %16 = load i32, ptr %15, align 4
  %17 = sext i32 %16 to i64
  %18 = add nsw i64 %17, %14
  %19 = icmp sgt i64 %13, %18
  %20 = zext i1 %19 to i32
  br label %21

21:                                               ; preds = %10, %6, %2
  %22 = phi i32 [ 1, %6 ], [ 1, %2 ], [ %20, %10 ]
  ret i32 %22
}

define internal fastcc void @reaches_beyond(ptr noundef %0, i32 noundef %1) unnamed_addr {
  %3 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %4 = extractvalue { i32, i1 } %3, 1
  br i1 %4, label %5, label %8

5:                                                ; preds = %2
  %6 = getelementptr inbounds i8, ptr %0, i64 4
  %7 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %6, i64 noundef 1016, ptr noundef nonnull @.str.119, i32 noundef %1)
  br label %8

8:                                                ; preds = %2, %5
  ret void
}

define internal fastcc range(i32 -42, 1) i32 @alias(ptr noundef %0, ptr nocapture noundef readonly %1, ptr nocapture noundef %2, i64 noundef %3) unnamed_addr {
  %5 = tail call fastcc i32 @is_of_others(ptr noundef %0, ptr noundef %1, ptr noundef null)
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %37

7:                                                ; preds = %4
  %8 = load i64, ptr %2, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %16, label %10

10:                                               ; preds = %7
  %11 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %12 = extractvalue { i32, i1 } %11, 1
  br i1 %12, label %13, label %37

13:                                               ; preds = %10
  %14 = getelementptr inbounds i8, ptr %0, i64 4
  %15 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %14, i64 noundef 1016, ptr noundef nonnull @.str.120)
  br label %37

16:                                               ; preds = %7
  %17 = load i64, ptr %1, align 8
  %18 = icmp eq i64 %17, 0
  br i1 %18, label %37, label %19

19:                                               ; preds = %16
  %20 = getelementptr inbounds i8, ptr %1, i64 33
  %21 = load i8, ptr %20, align 1
  %22 = zext i8 %21 to i64
  %23 = add nuw nsw i64 %22, 7
  %24 = lshr i64 %23, 3
  %25 = mul nsw i64 %24, %3
  %26 = add i64 %25, %17
  store i64 %26, ptr %2, align 8
  %27 = getelementptr inbounds i8, ptr %1, i64 8
  %28 = load ptr, ptr %27, align 8
  %29 = getelementptr inbounds i8, ptr %2, i64 8
  store ptr %28, ptr %29, align 8
  %30 = getelementptr inbounds i8, ptr %2, i64 24
  %31 = load i64, ptr %30, align 8
  %32 = and i64 %31, -3
  %33 = getelementptr inbounds i8, ptr %1, i64 24
  %34 = load i64, ptr %33, align 8
  %35 = and i64 %34, 3
  %36 = or i64 %35, %32
  store i64 %36, ptr %30, align 8
  br label %37

37:                                               ; preds = %16, %13, %10, %4, %19
  %38 = phi i32 [ 0, %19 ], [ %5, %4 ], [ -41, %10 ], [ -41, %13 ], [ 0, %16 ]
  ret i32 %38
}

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.umax.i64(i64, i64)

declare i32 @llvm.smin.i32(i32, i32)

declare i32 @llvm.smax.i32(i32, i32)
