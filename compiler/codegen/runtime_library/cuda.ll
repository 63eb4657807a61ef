; Made of cuda.c by `python -m tests.codegen.cuda_text`: change that one.
%struct.lift_cuda = type { %union.anon, i32, i32, i32, i32, i64, i32, i32, ptr, i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%union.anon = type { %union.pthread_mutex_t, [24 x i8] }
%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }
%struct.halide_device_interface_t = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.place = type { ptr, i32 }
%struct.failure = type { i32, [1020 x i8] }
%struct.copy = type { [64 x %struct.step], i32, i64, i32, i32 }
%struct.step = type { i64, i64, i64 }
%struct.halide_dimension_t = type { i32, i32, i32, i32 }
%struct.lift_cuda_kernel = type { ptr, ptr, ptr, ptr, i32, i32 }
%struct.rows = type { i64, i64, i32, ptr, i64, ptr, i64, i64, i64, i32, ptr, i64, ptr, i64, i64, i64 }

@.str = private unnamed_addr constant [48 x i8] c"The device memory of %s can't be freed: %s (%s)\00", align 1
@.str.1 = private unnamed_addr constant [45 x i8] c"%s was changed on the host and on the device\00", align 1
@.str.2 = private unnamed_addr constant [42 x i8] c"%s can't be copied to the device: %s (%s)\00", align 1
@.str.3 = private unnamed_addr constant [47 x i8] c"%s has no memory on the host to be copied from\00", align 1
@.str.4 = private unnamed_addr constant [31 x i8] c"%s has no memory on the device\00", align 1
@.str.5 = private unnamed_addr constant [45 x i8] c"%s has no memory on the host to be copied to\00", align 1
@.str.6 = private unnamed_addr constant [44 x i8] c"%s can't be copied from the device: %s (%s)\00", align 1
@lift_cuda_1 = weak global %struct.lift_cuda zeroinitializer, align 8
@.str.7 = private unnamed_addr constant [40 x i8] c"The kernel %s can't be started: %s (%s)\00", align 1
@.str.8 = private unnamed_addr constant [47 x i8] c"What was started on the device failed: %s (%s)\00", align 1
@lift_cuda_interface = weak constant %struct.halide_device_interface_t { ptr @interface_malloc, ptr @interface_free, ptr @interface_sync, ptr @interface_release, ptr @interface_copy_to_host, ptr @interface_copy_to_device, ptr @interface_both_malloc, ptr @interface_both_free, ptr @interface_buffer_copy, ptr @interface_crop, ptr @interface_slice, ptr @interface_let_go, ptr @interface_wrap, ptr @interface_let_go, ptr @interface_capability, ptr null }, align 8
@.str.9 = private unnamed_addr constant [52 x i8] c"The device memory of %s was made by another runtime\00", align 1
@.str.10 = private unnamed_addr constant [38 x i8] c"CUDA's context can't be used: %s (%s)\00", align 1
@.str.11 = private unnamed_addr constant [52 x i8] c"%s can't have its %lld bytes on the device: %s (%s)\00", align 1
@.str.12 = private unnamed_addr constant [50 x i8] c"The extent of %s in dimension %d is negative (%d)\00", align 1
@.str.13 = private unnamed_addr constant [80 x i8] c"Memory on the device can't go backwards, as dimension %d of %s does (stride %d)\00", align 1
@.str.14 = private unnamed_addr constant [9 x i8] c"a buffer\00", align 1
@.str.15 = private unnamed_addr constant [30 x i8] c"the device has no memory left\00", align 1
@.str.16 = private unnamed_addr constant [84 x i8] c"CUDA isn't usable here: a process that fork() made can't use what its parent opened\00", align 1
@.str.17 = private unnamed_addr constant [60 x i8] c"there is no NVIDIA device, or CUDA_VISIBLE_DEVICES hides it\00", align 1
@.str.18 = private unnamed_addr constant [66 x i8] c"the device is older than the ones that this code was compiled for\00", align 1
@.str.19 = private unnamed_addr constant [52 x i8] c"the driver is older than this code's PTX: update it\00", align 1
@.str.20 = private unnamed_addr constant [47 x i8] c"the context, and what lay in it, was destroyed\00", align 1
@.str.21 = private unnamed_addr constant [66 x i8] c"a block needs more registers or shared memory than the device has\00", align 1
@.str.22 = private unnamed_addr constant [109 x i8] c"a kernel went wrong on the device, and all that this process has there is lost: only a new process can go on\00", align 1
@.str.23 = private unnamed_addr constant [8 x i8] c"unknown\00", align 1
@.str.24 = private unnamed_addr constant [41 x i8] c"an error that the driver has no name for\00", align 1
@.str.25 = private unnamed_addr constant [45 x i8] c"%s has %d dimensions; copies have %d at most\00", align 1
@.str.26 = private unnamed_addr constant [45 x i8] c"The device memory of %s isn't there: %s (%s)\00", align 1
@.str.27 = private unnamed_addr constant [30 x i8] c"no allocation has its address\00", align 1
@.str.28 = private unnamed_addr constant [48 x i8] c"The device memory of %s lies in another context\00", align 1
@.str.29 = private unnamed_addr constant [91 x i8] c"The device memory of %s doesn't begin at a multiple of %u bytes, as the kernel %s needs it\00", align 1
@.str.30 = private unnamed_addr constant [38 x i8] c"Out of memory (for the kernels of %s)\00", align 1
@.str.31 = private unnamed_addr constant [43 x i8] c"The kernels of %s can't be loaded: %s (%s)\00", align 1
@.str.32 = private unnamed_addr constant [70 x i8] c"The kernel %s, with %u bytes of shared memory, can't be used: %s (%s)\00", align 1
@.str.33 = private unnamed_addr constant [83 x i8] c"The kernel %s has %d threads in dimension %d of a block; the device has %d at most\00", align 1
@.str.34 = private unnamed_addr constant [71 x i8] c"The kernel %s has %d blocks in dimension %d; the device has %d at most\00", align 1
@.str.35 = private unnamed_addr constant [69 x i8] c"The kernel %s has %lld threads in a block; the device has %d at most\00", align 1
@.str.36 = private unnamed_addr constant [82 x i8] c"The kernel %s has %u bytes of shared memory in a block; the device has %d at most\00", align 1
@.str.37 = private unnamed_addr constant [3 x i8] c"%s\00", align 1
@.str.38 = private unnamed_addr constant [18 x i8] c"LIFT_CUDA_LIBRARY\00", align 1
@.str.39 = private unnamed_addr constant [11 x i8] c"libcuda.so\00", align 1
@.str.40 = private unnamed_addr constant [13 x i8] c"libcuda.so.1\00", align 1
@.str.41 = private unnamed_addr constant [33 x i8] c"There is no CUDA driver here: %s\00", align 1
@.str.42 = private unnamed_addr constant [82 x i8] c"The CUDA driver is too old: it has no %s. CUDA 11.4 is the oldest one that serves\00", align 1
@.str.43 = private unnamed_addr constant [39 x i8] c"The CUDA driver can't be used: %s (%s)\00", align 1
@.str.44 = private unnamed_addr constant [34 x i8] c"The CUDA driver can't be used: %s\00", align 1
@.str.45 = private unnamed_addr constant [52 x i8] c"There is no CUDA device %d: there are %d, from 0 on\00", align 1
@.str.46 = private unnamed_addr constant [38 x i8] c"CUDA device %d can't be used: %s (%s)\00", align 1
@.str.47 = private unnamed_addr constant [17 x i8] c"LIFT_CUDA_DEVICE\00", align 1
@.str.48 = private unnamed_addr constant [7 x i8] c"cuInit\00", align 1
@.str.49 = private unnamed_addr constant [11 x i8] c"cuCtxGetId\00", align 1
@.str.50 = private unnamed_addr constant [19 x i8] c"cuDriverGetVersion\00", align 1
@.str.51 = private unnamed_addr constant [17 x i8] c"cuDeviceGetCount\00", align 1
@.str.52 = private unnamed_addr constant [12 x i8] c"cuDeviceGet\00", align 1
@.str.53 = private unnamed_addr constant [16 x i8] c"cuDeviceGetName\00", align 1
@.str.54 = private unnamed_addr constant [21 x i8] c"cuDeviceGetAttribute\00", align 1
@.str.55 = private unnamed_addr constant [25 x i8] c"cuDevicePrimaryCtxRetain\00", align 1
@.str.56 = private unnamed_addr constant [20 x i8] c"cuCtxPushCurrent_v2\00", align 1
@.str.57 = private unnamed_addr constant [19 x i8] c"cuCtxPopCurrent_v2\00", align 1
@.str.58 = private unnamed_addr constant [16 x i8] c"cuCtxGetCurrent\00", align 1
@.str.59 = private unnamed_addr constant [15 x i8] c"cuCtxGetDevice\00", align 1
@.str.60 = private unnamed_addr constant [17 x i8] c"cuCtxSynchronize\00", align 1
@.str.61 = private unnamed_addr constant [19 x i8] c"cuModuleLoadDataEx\00", align 1
@.str.62 = private unnamed_addr constant [20 x i8] c"cuModuleGetFunction\00", align 1
@.str.63 = private unnamed_addr constant [19 x i8] c"cuFuncSetAttribute\00", align 1
@.str.64 = private unnamed_addr constant [15 x i8] c"cuLaunchKernel\00", align 1
@.str.65 = private unnamed_addr constant [14 x i8] c"cuMemAlloc_v2\00", align 1
@.str.66 = private unnamed_addr constant [13 x i8] c"cuMemFree_v2\00", align 1
@.str.67 = private unnamed_addr constant [16 x i8] c"cuMemAllocAsync\00", align 1
@.str.68 = private unnamed_addr constant [15 x i8] c"cuMemFreeAsync\00", align 1
@.str.69 = private unnamed_addr constant [26 x i8] c"cuDeviceGetDefaultMemPool\00", align 1
@.str.70 = private unnamed_addr constant [22 x i8] c"cuMemPoolSetAttribute\00", align 1
@.str.71 = private unnamed_addr constant [16 x i8] c"cuMemPoolTrimTo\00", align 1
@.str.72 = private unnamed_addr constant [21 x i8] c"cuMemcpyHtoDAsync_v2\00", align 1
@.str.73 = private unnamed_addr constant [21 x i8] c"cuMemcpyDtoHAsync_v2\00", align 1
@.str.74 = private unnamed_addr constant [21 x i8] c"cuMemcpyDtoDAsync_v2\00", align 1
@.str.75 = private unnamed_addr constant [19 x i8] c"cuMemcpy2DAsync_v2\00", align 1
@.str.76 = private unnamed_addr constant [20 x i8] c"cuStreamSynchronize\00", align 1
@.str.77 = private unnamed_addr constant [22 x i8] c"cuPointerGetAttribute\00", align 1
@.str.78 = private unnamed_addr constant [15 x i8] c"cuGetErrorName\00", align 1
@.str.79 = private unnamed_addr constant [17 x i8] c"cuGetErrorString\00", align 1
@.str.80 = private unnamed_addr constant [10 x i8] c"LIFT_CUDA\00", align 1
@.str.81 = private unnamed_addr constant [2 x i8] c"0\00", align 1
@.str.82 = private unnamed_addr constant [16 x i8] c"LIFT_CUDA_BYTES\00", align 1
@.str.83 = private unnamed_addr constant [39 x i8] c"Out of memory (%lld bytes on the host)\00", align 1
@.str.84 = private unnamed_addr constant [48 x i8] c"A copy is between buffers of one type and shape\00", align 1
@.str.85 = private unnamed_addr constant [39 x i8] c"A copy is from memory that isn't there\00", align 1
@.str.86 = private unnamed_addr constant [37 x i8] c"A copy is to memory that isn't there\00", align 1
@.str.87 = private unnamed_addr constant [55 x i8] c"A copy is of elements that aren't there (dimension %d)\00", align 1
@.str.88 = private unnamed_addr constant [23 x i8] c"A copy failed: %s (%s)\00", align 1
@.str.89 = private unnamed_addr constant [33 x i8] c"A crop has device memory already\00", align 1
@.str.90 = private unnamed_addr constant [35 x i8] c"A buffer has device memory already\00", align 1

define weak i32 @lift_cuda_malloc(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 8
  %5 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5)
  %6 = tail call fastcc i32 @is_of_others(ptr noundef %0, ptr noundef %1, ptr noundef %2)
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %23

8:                                                ; preds = %3
  %9 = load i64, ptr %1, align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %11, label %23

11:                                               ; preds = %8
  %12 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %5)
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %14, label %23

14:                                               ; preds = %11
  %15 = call fastcc i32 @allocate_for(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %16 = getelementptr inbounds i8, ptr %5, i64 8
  %17 = load i32, ptr %16, align 8
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %22, label %19

19:                                               ; preds = %14
  %20 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 176), align 8
  %21 = call i32 %20(ptr noundef nonnull %4)
  br label %22

22:                                               ; preds = %14, %19
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  br label %23

23:                                               ; preds = %11, %3, %8, %22
  %24 = phi i32 [ %15, %22 ], [ 0, %8 ], [ %6, %3 ], [ %12, %11 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5)
  ret i32 %24
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture)

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
  %16 = select i1 %15, ptr @.str.14, ptr %2
  %17 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %14, i64 noundef 1020, ptr noundef nonnull @.str.9, ptr noundef nonnull %16)
  br label %18

18:                                               ; preds = %13, %10, %3, %6
  %19 = phi i32 [ 0, %6 ], [ 0, %3 ], [ -42, %10 ], [ -42, %13 ]
  ret i32 %19
}

define internal fastcc noundef i32 @enter(ptr noundef %0, ptr noundef %1) unnamed_addr {
  %3 = tail call fastcc i32 @opened(ptr noundef %0)
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %5, label %28

5:                                                ; preds = %2
  store ptr null, ptr %1, align 8
  %6 = getelementptr inbounds i8, ptr %1, i64 8
  store i32 0, ptr %6, align 8
  %7 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 184), align 8
  %8 = tail call i32 %7(ptr noundef nonnull %1)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %19

10:                                               ; preds = %5
  %11 = load ptr, ptr %1, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %13, label %28

13:                                               ; preds = %10
  %14 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 96), align 8
  store ptr %14, ptr %1, align 8
  %15 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 168), align 8
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
  %27 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %24, i64 noundef 1020, ptr noundef nonnull @.str.10, ptr noundef %25, ptr noundef %26)
  br label %28

28:                                               ; preds = %10, %13, %23, %19, %2
  %29 = phi i32 [ %3, %2 ], [ -29, %19 ], [ -29, %23 ], [ 0, %13 ], [ 0, %10 ]
  ret i32 %29
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
  %16 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 192), align 8
  %17 = call i32 %16(ptr noundef nonnull %4)
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %20, label %19

19:                                               ; preds = %11
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %5)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4)
  br label %57

20:                                               ; preds = %11
  %21 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), align 8
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
  %30 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 248), align 8
  %31 = call i32 %30(ptr noundef %1, i64 noundef %15)
  br label %54

32:                                               ; preds = %26
  %33 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 264), align 8
  %34 = call fastcc ptr @stream()
  %35 = call i32 %33(ptr noundef %1, i64 noundef %15, ptr noundef %34)
  %36 = icmp eq i32 %35, 2
  br i1 %36, label %37, label %54

37:                                               ; preds = %32
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %6)
  %38 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 208), align 8
  %39 = call i32 %38()
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %41, label %50

41:                                               ; preds = %37
  %42 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 280), align 8
  %43 = load i32, ptr %4, align 4
  %44 = call i32 %42(ptr noundef nonnull %6, i32 noundef %43)
  %45 = icmp eq i32 %44, 0
  br i1 %45, label %46, label %50

46:                                               ; preds = %41
  %47 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 296), align 8
  %48 = load ptr, ptr %6, align 8
  %49 = call i32 %47(ptr noundef %48, i64 noundef 0)
  br label %50

50:                                               ; preds = %46, %41, %37
  %51 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 264), align 8
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
  %64 = select i1 %63, ptr @.str.14, ptr %2
  %65 = call fastcc ptr @sentence_of(i32 noundef %58)
  %66 = call fastcc ptr @name_of(i32 noundef %58)
  %67 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %62, i64 noundef 1020, ptr noundef nonnull @.str.11, ptr noundef nonnull %64, i64 noundef %15, ptr noundef %65, ptr noundef %66)
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

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture)

define weak i32 @lift_cuda_free(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %7)
  %8 = tail call fastcc i32 @is_of_others(ptr noundef %0, ptr noundef %1, ptr noundef %2)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %62

10:                                               ; preds = %3
  %11 = load i64, ptr %1, align 8
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %62, label %13

13:                                               ; preds = %10
  %14 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %7)
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %62

16:                                               ; preds = %13
  %17 = load i64, ptr %1, align 8
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %5)
  store i32 0, ptr %5, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %6)
  store i32 0, ptr %6, align 4
  %18 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 192), align 8
  %19 = call i32 %18(ptr noundef nonnull %5)
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %33

21:                                               ; preds = %16
  %22 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), align 8
  %23 = load i32, ptr %5, align 4
  %24 = call i32 %22(ptr noundef nonnull %6, i32 noundef 115, i32 noundef %23)
  %25 = icmp eq i32 %24, 0
  %26 = load i32, ptr %6, align 4
  %27 = icmp ne i32 %26, 0
  %28 = select i1 %25, i1 %27, i1 false
  br i1 %28, label %29, label %33

29:                                               ; preds = %21
  %30 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 272), align 8
  %31 = call fastcc ptr @stream()
  %32 = call i32 %30(i64 noundef %17, ptr noundef %31)
  br label %36

33:                                               ; preds = %21, %16
  %34 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 256), align 8
  %35 = call i32 %34(i64 noundef %17)
  br label %36

36:                                               ; preds = %29, %33
  %37 = phi i32 [ %35, %33 ], [ %32, %29 ]
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %5)
  %38 = icmp eq i32 %37, 0
  br i1 %38, label %49, label %39

39:                                               ; preds = %36
  %40 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %41 = extractvalue { i32, i1 } %40, 1
  br i1 %41, label %42, label %49

42:                                               ; preds = %39
  %43 = getelementptr inbounds i8, ptr %0, i64 4
  %44 = icmp eq ptr %2, null
  %45 = select i1 %44, ptr @.str.14, ptr %2
  %46 = call fastcc ptr @sentence_of(i32 noundef %37)
  %47 = call fastcc ptr @name_of(i32 noundef %37)
  %48 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %43, i64 noundef 1020, ptr noundef nonnull @.str, ptr noundef nonnull %45, ptr noundef %46, ptr noundef %47)
  br label %49

49:                                               ; preds = %42, %39, %36
  %50 = phi i32 [ 0, %36 ], [ -18, %39 ], [ -18, %42 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %51 = getelementptr inbounds i8, ptr %7, i64 8
  %52 = load i32, ptr %51, align 8
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %57, label %54

54:                                               ; preds = %49
  %55 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 176), align 8
  %56 = call i32 %55(ptr noundef nonnull %4)
  br label %57

57:                                               ; preds = %49, %54
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  store i64 0, ptr %1, align 8
  %58 = getelementptr inbounds i8, ptr %1, i64 8
  store ptr null, ptr %58, align 8
  %59 = getelementptr inbounds i8, ptr %1, i64 24
  %60 = load i64, ptr %59, align 8
  %61 = and i64 %60, -3
  store i64 %61, ptr %59, align 8
  br label %62

62:                                               ; preds = %13, %3, %10, %57
  %63 = phi i32 [ %50, %57 ], [ 0, %10 ], [ %8, %3 ], [ %14, %13 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %7)
  ret i32 %63
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
  %14 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 360), align 8
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
  %24 = phi ptr [ @.str.22, %12 ], [ @.str.23, %22 ], [ @.str.21, %8 ], [ @.str.20, %7 ], [ @.str.19, %6 ], [ @.str.18, %5 ], [ @.str.17, %4 ], [ @.str.16, %3 ], [ @.str.15, %1 ], [ %19, %16 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  ret ptr %24
}

define internal fastcc ptr @name_of(i32 noundef %0) unnamed_addr {
  %2 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  store ptr null, ptr %2, align 8
  %3 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 352), align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %12, label %5

5:                                                ; preds = %1
  %6 = call i32 %3(i32 noundef %0, ptr noundef nonnull %2)
  %7 = icmp eq i32 %6, 0
  %8 = load ptr, ptr %2, align 8
  %9 = icmp ne ptr %8, null
  %10 = select i1 %7, i1 %9, i1 false
  %11 = select i1 %10, ptr %8, ptr @.str.24
  br label %12

12:                                               ; preds = %5, %1
  %13 = phi ptr [ @.str.24, %1 ], [ %11, %5 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  ret ptr %13
}

define weak void @lift_cuda_drop(ptr noundef %0) local_unnamed_addr {
  %2 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %2)
  store i32 1, ptr %2, align 4
  %3 = call i32 @lift_cuda_free(ptr noundef nonnull %2, ptr noundef %0, ptr noundef null)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %2)
  ret void
}

define weak i32 @lift_cuda_copy_to_device(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 8
  %5 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5)
  %6 = load i64, ptr %1, align 8
  %7 = icmp ne i64 %6, 0
  %8 = tail call fastcc i32 @is_of_others(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %84

10:                                               ; preds = %3
  %11 = getelementptr inbounds i8, ptr %1, i64 24
  %12 = load i64, ptr %11, align 8
  %13 = and i64 %12, 1
  %14 = icmp eq i64 %13, 0
  %15 = select i1 %7, i1 %14, i1 false
  br i1 %15, label %84, label %16

16:                                               ; preds = %10
  %17 = getelementptr inbounds i8, ptr %1, i64 24
  %18 = and i64 %12, 2
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %28, label %20

20:                                               ; preds = %16
  %21 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %22 = extractvalue { i32, i1 } %21, 1
  br i1 %22, label %23, label %84

23:                                               ; preds = %20
  %24 = getelementptr inbounds i8, ptr %0, i64 4
  %25 = icmp eq ptr %2, null
  %26 = select i1 %25, ptr @.str.14, ptr %2
  %27 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %24, i64 noundef 1020, ptr noundef nonnull @.str.1, ptr noundef nonnull %26)
  br label %84

28:                                               ; preds = %16
  %29 = tail call fastcc i32 @has_too_many_dimensions(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %31, label %84

31:                                               ; preds = %28
  %32 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %5)
  %33 = icmp eq i32 %32, 0
  br i1 %33, label %34, label %84

34:                                               ; preds = %31
  br i1 %7, label %37, label %35

35:                                               ; preds = %34
  %36 = call fastcc i32 @allocate_for(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  br label %40

37:                                               ; preds = %34
  %38 = load ptr, ptr %5, align 8
  %39 = call fastcc i32 @is_elsewhere(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2, ptr noundef %38)
  br label %40

40:                                               ; preds = %37, %35
  %41 = phi i32 [ %36, %35 ], [ %39, %37 ]
  %42 = icmp eq i32 %41, 0
  br i1 %42, label %43, label %75

43:                                               ; preds = %40
  %44 = getelementptr inbounds i8, ptr %1, i64 16
  %45 = load ptr, ptr %44, align 8
  %46 = icmp eq ptr %45, null
  br i1 %46, label %63, label %47

47:                                               ; preds = %43
  %48 = call fastcc i32 @copy_within(ptr noundef nonnull %1, i32 noundef 0)
  %49 = icmp eq i32 %48, 0
  br i1 %49, label %60, label %50

50:                                               ; preds = %47
  %51 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %52 = extractvalue { i32, i1 } %51, 1
  br i1 %52, label %53, label %75

53:                                               ; preds = %50
  %54 = getelementptr inbounds i8, ptr %0, i64 4
  %55 = icmp eq ptr %2, null
  %56 = select i1 %55, ptr @.str.14, ptr %2
  %57 = call fastcc ptr @sentence_of(i32 noundef %48)
  %58 = call fastcc ptr @name_of(i32 noundef %48)
  %59 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %54, i64 noundef 1020, ptr noundef nonnull @.str.2, ptr noundef nonnull %56, ptr noundef %57, ptr noundef %58)
  br label %75

60:                                               ; preds = %47
  %61 = load i64, ptr %17, align 8
  %62 = and i64 %61, -2
  store i64 %62, ptr %17, align 8
  br label %75

63:                                               ; preds = %43
  %64 = load i64, ptr %17, align 8
  %65 = and i64 %64, 1
  %66 = icmp eq i64 %65, 0
  br i1 %66, label %75, label %67

67:                                               ; preds = %63
  %68 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %69 = extractvalue { i32, i1 } %68, 1
  br i1 %69, label %70, label %75

70:                                               ; preds = %67
  %71 = getelementptr inbounds i8, ptr %0, i64 4
  %72 = icmp eq ptr %2, null
  %73 = select i1 %72, ptr @.str.14, ptr %2
  %74 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %71, i64 noundef 1020, ptr noundef nonnull @.str.3, ptr noundef nonnull %73)
  br label %75

75:                                               ; preds = %40, %70, %67, %53, %50, %63, %60
  %76 = phi i32 [ 0, %63 ], [ 0, %60 ], [ -15, %50 ], [ -15, %53 ], [ -34, %67 ], [ -34, %70 ], [ %41, %40 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %77 = getelementptr inbounds i8, ptr %5, i64 8
  %78 = load i32, ptr %77, align 8
  %79 = icmp eq i32 %78, 0
  br i1 %79, label %83, label %80

80:                                               ; preds = %75
  %81 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 176), align 8
  %82 = call i32 %81(ptr noundef nonnull %4)
  br label %83

83:                                               ; preds = %75, %80
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  br label %84

84:                                               ; preds = %10, %31, %28, %23, %20, %3, %83
  %85 = phi i32 [ %76, %83 ], [ %8, %3 ], [ -37, %20 ], [ -37, %23 ], [ %29, %28 ], [ %32, %31 ], [ 0, %10 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5)
  ret i32 %85
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
  %13 = select i1 %12, ptr @.str.14, ptr %2
  %14 = load i32, ptr %4, align 4
  %15 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %11, i64 noundef 1020, ptr noundef nonnull @.str.25, ptr noundef nonnull %13, i32 noundef %14, i32 noundef 64)
  br label %16

16:                                               ; preds = %10, %7, %3
  %17 = phi i32 [ 0, %3 ], [ -39, %7 ], [ -39, %10 ]
  ret i32 %17
}

define internal fastcc range(i32 -23, 1) i32 @is_elsewhere(ptr noundef %0, ptr nocapture noundef readonly %1, ptr noundef %2, ptr noundef readnone %3) unnamed_addr {
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5)
  store ptr null, ptr %5, align 8
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %6)
  store i32 -1, ptr %6, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %7)
  store i32 -1, ptr %7, align 4
  %8 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 344), align 8
  %9 = load i64, ptr %1, align 8
  %10 = call i32 %8(ptr noundef nonnull %5, i32 noundef 1, i64 noundef %9)
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %26, label %12

12:                                               ; preds = %4
  %13 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %14 = extractvalue { i32, i1 } %13, 1
  br i1 %14, label %15, label %52

15:                                               ; preds = %12
  %16 = getelementptr inbounds i8, ptr %0, i64 4
  %17 = icmp eq ptr %2, null
  %18 = select i1 %17, ptr @.str.14, ptr %2
  %19 = icmp eq i32 %10, 1
  br i1 %19, label %22, label %20

20:                                               ; preds = %15
  %21 = call fastcc ptr @sentence_of(i32 noundef %10)
  br label %22

22:                                               ; preds = %15, %20
  %23 = phi ptr [ %21, %20 ], [ @.str.27, %15 ]
  %24 = call fastcc ptr @name_of(i32 noundef %10)
  %25 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %16, i64 noundef 1020, ptr noundef nonnull @.str.26, ptr noundef nonnull %18, ptr noundef %23, ptr noundef %24)
  br label %52

26:                                               ; preds = %4
  %27 = load ptr, ptr %5, align 8
  %28 = icmp eq ptr %27, %3
  br i1 %28, label %52, label %29

29:                                               ; preds = %26
  %30 = icmp eq ptr %27, null
  br i1 %30, label %31, label %44

31:                                               ; preds = %29
  %32 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 344), align 8
  %33 = load i64, ptr %1, align 8
  %34 = call i32 %32(ptr noundef nonnull %6, i32 noundef 9, i64 noundef %33)
  %35 = icmp eq i32 %34, 0
  br i1 %35, label %36, label %44

36:                                               ; preds = %31
  %37 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 192), align 8
  %38 = call i32 %37(ptr noundef nonnull %7)
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %40, label %44

40:                                               ; preds = %36
  %41 = load i32, ptr %6, align 4
  %42 = load i32, ptr %7, align 4
  %43 = icmp eq i32 %41, %42
  br i1 %43, label %52, label %44

44:                                               ; preds = %40, %36, %31, %29
  %45 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %46 = extractvalue { i32, i1 } %45, 1
  br i1 %46, label %47, label %52

47:                                               ; preds = %44
  %48 = getelementptr inbounds i8, ptr %0, i64 4
  %49 = icmp eq ptr %2, null
  %50 = select i1 %49, ptr @.str.14, ptr %2
  %51 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %48, i64 noundef 1020, ptr noundef nonnull @.str.28, ptr noundef nonnull %50)
  br label %52

52:                                               ; preds = %47, %44, %40, %26, %22, %12
  %53 = phi i32 [ -23, %12 ], [ -23, %22 ], [ 0, %26 ], [ 0, %40 ], [ -23, %44 ], [ -23, %47 ]
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %7)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5)
  ret i32 %53
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
  %53 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 336), align 8
  %54 = tail call fastcc ptr @stream()
  %55 = tail call i32 %53(ptr noundef %54)
  br label %56

56:                                               ; preds = %27, %52, %45
  %57 = phi i32 [ %55, %52 ], [ %50, %45 ], [ 0, %27 ]
  call void @llvm.lifetime.end.p0(i64 1560, ptr nonnull %3)
  ret i32 %57
}

define weak i32 @lift_cuda_copy_to_host(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr {
  %4 = alloca ptr, align 8
  %5 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5)
  %6 = getelementptr inbounds i8, ptr %1, i64 24
  %7 = load i64, ptr %6, align 8
  %8 = and i64 %7, 2
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %83, label %10

10:                                               ; preds = %3
  %11 = and i64 %7, 1
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %21, label %13

13:                                               ; preds = %10
  %14 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %15 = extractvalue { i32, i1 } %14, 1
  br i1 %15, label %16, label %83

16:                                               ; preds = %13
  %17 = getelementptr inbounds i8, ptr %0, i64 4
  %18 = icmp eq ptr %2, null
  %19 = select i1 %18, ptr @.str.14, ptr %2
  %20 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %17, i64 noundef 1020, ptr noundef nonnull @.str.1, ptr noundef nonnull %19)
  br label %83

21:                                               ; preds = %10
  %22 = load i64, ptr %1, align 8
  %23 = icmp eq i64 %22, 0
  br i1 %23, label %24, label %32

24:                                               ; preds = %21
  %25 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %26 = extractvalue { i32, i1 } %25, 1
  br i1 %26, label %27, label %83

27:                                               ; preds = %24
  %28 = getelementptr inbounds i8, ptr %0, i64 4
  %29 = icmp eq ptr %2, null
  %30 = select i1 %29, ptr @.str.14, ptr %2
  %31 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %28, i64 noundef 1020, ptr noundef nonnull @.str.4, ptr noundef nonnull %30)
  br label %83

32:                                               ; preds = %21
  %33 = getelementptr inbounds i8, ptr %1, i64 16
  %34 = load ptr, ptr %33, align 8
  %35 = icmp eq ptr %34, null
  br i1 %35, label %36, label %44

36:                                               ; preds = %32
  %37 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %38 = extractvalue { i32, i1 } %37, 1
  br i1 %38, label %39, label %83

39:                                               ; preds = %36
  %40 = getelementptr inbounds i8, ptr %0, i64 4
  %41 = icmp eq ptr %2, null
  %42 = select i1 %41, ptr @.str.14, ptr %2
  %43 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %40, i64 noundef 1020, ptr noundef nonnull @.str.5, ptr noundef nonnull %42)
  br label %83

44:                                               ; preds = %32
  %45 = tail call fastcc i32 @is_of_others(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  %46 = icmp eq i32 %45, 0
  br i1 %46, label %47, label %83

47:                                               ; preds = %44
  %48 = tail call fastcc i32 @has_too_many_dimensions(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2)
  %49 = icmp eq i32 %48, 0
  br i1 %49, label %50, label %83

50:                                               ; preds = %47
  %51 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %5)
  %52 = icmp eq i32 %51, 0
  br i1 %52, label %53, label %83

53:                                               ; preds = %50
  %54 = load ptr, ptr %5, align 8
  %55 = call fastcc i32 @is_elsewhere(ptr noundef %0, ptr noundef nonnull %1, ptr noundef %2, ptr noundef %54)
  %56 = icmp eq i32 %55, 0
  br i1 %56, label %57, label %70

57:                                               ; preds = %53
  %58 = call fastcc i32 @copy_within(ptr noundef nonnull %1, i32 noundef 1)
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %70, label %60

60:                                               ; preds = %57
  %61 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %62 = extractvalue { i32, i1 } %61, 1
  br i1 %62, label %63, label %70

63:                                               ; preds = %60
  %64 = getelementptr inbounds i8, ptr %0, i64 4
  %65 = icmp eq ptr %2, null
  %66 = select i1 %65, ptr @.str.14, ptr %2
  %67 = call fastcc ptr @sentence_of(i32 noundef %58)
  %68 = call fastcc ptr @name_of(i32 noundef %58)
  %69 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %64, i64 noundef 1020, ptr noundef nonnull @.str.6, ptr noundef nonnull %66, ptr noundef %67, ptr noundef %68)
  br label %70

70:                                               ; preds = %63, %60, %57, %53
  %71 = phi i32 [ %55, %53 ], [ 0, %57 ], [ -14, %60 ], [ -14, %63 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %72 = getelementptr inbounds i8, ptr %5, i64 8
  %73 = load i32, ptr %72, align 8
  %74 = icmp eq i32 %73, 0
  br i1 %74, label %78, label %75

75:                                               ; preds = %70
  %76 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 176), align 8
  %77 = call i32 %76(ptr noundef nonnull %4)
  br label %78

78:                                               ; preds = %70, %75
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  %79 = icmp eq i32 %71, 0
  br i1 %79, label %80, label %83

80:                                               ; preds = %78
  %81 = load i64, ptr %6, align 8
  %82 = and i64 %81, -3
  store i64 %82, ptr %6, align 8
  br label %83

83:                                               ; preds = %78, %80, %44, %47, %50, %39, %36, %27, %24, %16, %13, %3
  %84 = phi i32 [ 0, %3 ], [ -37, %13 ], [ -37, %16 ], [ -14, %24 ], [ -14, %27 ], [ -34, %36 ], [ -34, %39 ], [ %45, %44 ], [ %48, %47 ], [ %51, %50 ], [ 0, %80 ], [ %71, %78 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5)
  ret i32 %84
}

define weak i32 @lift_cuda_launch(ptr noundef %0, ptr noundef %1, i32 noundef %2, ptr noundef %3, ptr noundef %4, ptr noundef %5) local_unnamed_addr {
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca [512 x i8], align 16
  %14 = alloca [2 x i32], align 8
  %15 = alloca [2 x ptr], align 16
  %16 = alloca ptr, align 8
  %17 = alloca i64, align 8
  %18 = alloca i64, align 8
  %19 = alloca %struct.place, align 8
  %20 = getelementptr inbounds i8, ptr %1, i64 8
  %21 = load ptr, ptr %20, align 8
  %22 = sext i32 %2 to i64
  %23 = getelementptr inbounds %struct.lift_cuda_kernel, ptr %21, i64 %22
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %19)
  br label %24

24:                                               ; preds = %31, %6
  %25 = phi i64 [ %35, %31 ], [ 0, %6 ]
  %26 = icmp eq i64 %25, 3
  br i1 %26, label %36, label %27

27:                                               ; preds = %24
  %28 = getelementptr inbounds i32, ptr %3, i64 %25
  %29 = load i32, ptr %28, align 4
  %30 = icmp slt i32 %29, 1
  br i1 %30, label %336, label %31

31:                                               ; preds = %27
  %32 = getelementptr inbounds i32, ptr %4, i64 %25
  %33 = load i32, ptr %32, align 4
  %34 = icmp slt i32 %33, 1
  %35 = add nuw nsw i64 %25, 1
  br i1 %34, label %336, label %24

36:                                               ; preds = %24
  %37 = getelementptr inbounds i8, ptr %23, i64 16
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds i8, ptr %23, i64 32
  %40 = getelementptr inbounds i8, ptr %23, i64 24
  br label %41

41:                                               ; preds = %78, %36
  %42 = phi i64 [ %80, %78 ], [ 0, %36 ]
  %43 = phi ptr [ %79, %78 ], [ %38, %36 ]
  %44 = load i32, ptr %39, align 8
  %45 = zext i32 %44 to i64
  %46 = icmp ult i64 %42, %45
  br i1 %46, label %47, label %82

47:                                               ; preds = %41
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %18)
  %48 = load ptr, ptr %40, align 8
  %49 = getelementptr inbounds i32, ptr %48, i64 %42
  %50 = load i32, ptr %49, align 4
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %78, label %52

52:                                               ; preds = %47
  %53 = getelementptr inbounds ptr, ptr %5, i64 %42
  %54 = load ptr, ptr %53, align 8
  %55 = call ptr @memcpy(ptr noundef nonnull %18, ptr noundef %54, i64 noundef 8)
  %56 = load i64, ptr %18, align 8
  %57 = load ptr, ptr %40, align 8
  %58 = getelementptr inbounds i32, ptr %57, i64 %42
  %59 = load i32, ptr %58, align 4
  %60 = zext i32 %59 to i64
  %61 = urem i64 %56, %60
  %62 = icmp eq i64 %61, 0
  br i1 %62, label %74, label %63

63:                                               ; preds = %52
  %64 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %65 = extractvalue { i32, i1 } %64, 1
  br i1 %65, label %66, label %81

66:                                               ; preds = %63
  %67 = getelementptr inbounds i8, ptr %0, i64 4
  %68 = load ptr, ptr %40, align 8
  %69 = getelementptr inbounds i32, ptr %68, i64 %42
  %70 = load i32, ptr %69, align 4
  %71 = getelementptr inbounds i8, ptr %23, i64 8
  %72 = load ptr, ptr %71, align 8
  %73 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %67, i64 noundef 1020, ptr noundef nonnull @.str.29, ptr noundef %43, i32 noundef %70, ptr noundef %72)
  br label %81

74:                                               ; preds = %52
  %75 = call i64 @strlen(ptr noundef %43)
  %76 = add i64 %75, 1
  %77 = getelementptr inbounds i8, ptr %43, i64 %76
  br label %78

78:                                               ; preds = %74, %47
  %79 = phi ptr [ %77, %74 ], [ %43, %47 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %18)
  %80 = add nuw nsw i64 %42, 1
  br label %41

81:                                               ; preds = %63, %66
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %18)
  br label %336

82:                                               ; preds = %41
  %83 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %19)
  %84 = icmp eq i32 %83, 0
  br i1 %84, label %85, label %336

85:                                               ; preds = %82
  %86 = load ptr, ptr %19, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %17)
  store i64 0, ptr %17, align 8
  %87 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 200), align 8
  %88 = icmp eq ptr %87, null
  br i1 %88, label %94, label %89

89:                                               ; preds = %85
  %90 = call i32 %87(ptr noundef %86, ptr noundef nonnull %17)
  %91 = icmp eq i32 %90, 0
  br i1 %91, label %92, label %94

92:                                               ; preds = %89
  %93 = load i64, ptr %17, align 8
  br label %96

94:                                               ; preds = %89, %85
  %95 = ptrtoint ptr %86 to i64
  br label %96

96:                                               ; preds = %94, %92
  %97 = phi i64 [ %95, %94 ], [ %93, %92 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %17)
  %98 = call fastcc ptr @found(ptr noundef %1, i64 noundef %97)
  %99 = icmp eq ptr %98, null
  br i1 %99, label %100, label %198

100:                                              ; preds = %96
  %101 = call i32 @pthread_mutex_lock(ptr noundef nonnull @lift_cuda_1)
  %102 = call fastcc ptr @found(ptr noundef %1, i64 noundef %97)
  %103 = icmp eq ptr %102, null
  br i1 %103, label %104, label %193

104:                                              ; preds = %100
  %105 = getelementptr inbounds i8, ptr %1, i64 24
  %106 = load i32, ptr %105, align 8
  %107 = zext i32 %106 to i64
  %108 = shl nuw nsw i64 %107, 3
  %109 = add nuw nsw i64 %108, 16
  %110 = call noalias ptr @calloc(i64 noundef 1, i64 noundef %109)
  %111 = icmp eq ptr %110, null
  br i1 %111, label %112, label %121

112:                                              ; preds = %104
  %113 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %114 = extractvalue { i32, i1 } %113, 1
  br i1 %114, label %115, label %193

115:                                              ; preds = %112
  %116 = getelementptr inbounds i8, ptr %0, i64 4
  %117 = load ptr, ptr %20, align 8
  %118 = getelementptr inbounds i8, ptr %117, i64 8
  %119 = load ptr, ptr %118, align 8
  %120 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %116, i64 noundef 1020, ptr noundef nonnull @.str.30, ptr noundef %119)
  br label %193

121:                                              ; preds = %104
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %13)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %14)
  store i64 25769803781, ptr %14, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %15)
  store ptr %13, ptr %15, align 16
  %122 = getelementptr inbounds i8, ptr %15, i64 8
  store ptr inttoptr (i64 512 to ptr), ptr %122, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %16)
  store ptr null, ptr %16, align 8
  store i8 0, ptr %13, align 16
  %123 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 216), align 8
  %124 = load ptr, ptr %1, align 8
  %125 = call i32 %123(ptr noundef nonnull %16, ptr noundef %124, i32 noundef 2, ptr noundef nonnull %14, ptr noundef nonnull %15)
  %126 = icmp eq i32 %125, 0
  br i1 %126, label %127, label %129

127:                                              ; preds = %121
  %128 = getelementptr inbounds i8, ptr %110, i64 16
  br label %149

129:                                              ; preds = %121
  %130 = load i8, ptr %13, align 16
  %131 = icmp eq i8 %130, 0
  br i1 %131, label %132, label %134

132:                                              ; preds = %129
  %133 = call fastcc ptr @sentence_of(i32 noundef %125)
  br label %134

134:                                              ; preds = %132, %129
  %135 = phi ptr [ %133, %132 ], [ %13, %129 ]
  switch i32 %125, label %138 [
    i32 222, label %136
    i32 209, label %136
    i32 2, label %136
  ]

136:                                              ; preds = %134, %134, %134
  %137 = call fastcc ptr @sentence_of(i32 noundef %125)
  br label %138

138:                                              ; preds = %136, %134
  %139 = phi ptr [ %137, %136 ], [ %135, %134 ]
  %140 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %141 = extractvalue { i32, i1 } %140, 1
  br i1 %141, label %142, label %187

142:                                              ; preds = %138
  %143 = getelementptr inbounds i8, ptr %0, i64 4
  %144 = load ptr, ptr %20, align 8
  %145 = getelementptr inbounds i8, ptr %144, i64 8
  %146 = load ptr, ptr %145, align 8
  %147 = call fastcc ptr @name_of(i32 noundef %125)
  %148 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %143, i64 noundef 1020, ptr noundef nonnull @.str.31, ptr noundef %146, ptr noundef %139, ptr noundef %147)
  br label %187

149:                                              ; preds = %185, %127
  %150 = phi i64 [ 0, %127 ], [ %186, %185 ]
  %151 = load i32, ptr %105, align 8
  %152 = zext i32 %151 to i64
  %153 = icmp ult i64 %150, %152
  br i1 %153, label %154, label %188

154:                                              ; preds = %149
  %155 = load ptr, ptr %20, align 8
  %156 = getelementptr inbounds %struct.lift_cuda_kernel, ptr %155, i64 %150
  %157 = getelementptr inbounds [0 x ptr], ptr %128, i64 0, i64 %150
  %158 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 224), align 8
  %159 = load ptr, ptr %16, align 8
  %160 = load ptr, ptr %156, align 8
  %161 = call i32 %158(ptr noundef nonnull %157, ptr noundef %159, ptr noundef %160)
  %162 = icmp eq i32 %161, 0
  br i1 %162, label %163, label %172

163:                                              ; preds = %154
  %164 = getelementptr inbounds i8, ptr %156, i64 36
  %165 = load i32, ptr %164, align 4
  %166 = icmp ugt i32 %165, 49152
  br i1 %166, label %167, label %185

167:                                              ; preds = %163
  %168 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 232), align 8
  %169 = load ptr, ptr %157, align 8
  %170 = call i32 %168(ptr noundef %169, i32 noundef 8, i32 noundef %165)
  %171 = icmp eq i32 %170, 0
  br i1 %171, label %185, label %172

172:                                              ; preds = %167, %154
  %173 = phi i32 [ %161, %154 ], [ %170, %167 ]
  %174 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %175 = extractvalue { i32, i1 } %174, 1
  br i1 %175, label %176, label %187

176:                                              ; preds = %172
  %177 = getelementptr inbounds i8, ptr %0, i64 4
  %178 = getelementptr inbounds i8, ptr %156, i64 8
  %179 = load ptr, ptr %178, align 8
  %180 = getelementptr inbounds i8, ptr %156, i64 36
  %181 = load i32, ptr %180, align 4
  %182 = call fastcc ptr @sentence_of(i32 noundef %173)
  %183 = call fastcc ptr @name_of(i32 noundef %173)
  %184 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %177, i64 noundef 1020, ptr noundef nonnull @.str.32, ptr noundef %179, i32 noundef %181, ptr noundef %182, ptr noundef %183)
  br label %187

185:                                              ; preds = %167, %163
  %186 = add nuw nsw i64 %150, 1
  br label %149

187:                                              ; preds = %176, %172, %142, %138
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %16)
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %15)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %14)
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %13)
  call void @free(ptr noundef nonnull %110)
  br label %193

188:                                              ; preds = %149
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %16)
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %15)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %14)
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %13)
  %189 = getelementptr inbounds i8, ptr %110, i64 8
  store i64 %97, ptr %189, align 8
  %190 = getelementptr inbounds i8, ptr %1, i64 16
  %191 = load ptr, ptr %190, align 8
  store ptr %191, ptr %110, align 8
  %192 = ptrtoint ptr %110 to i64
  store atomic i64 %192, ptr %190 release, align 8
  br label %193

193:                                              ; preds = %100, %112, %115, %187, %188
  %194 = phi ptr [ null, %115 ], [ null, %112 ], [ null, %187 ], [ %110, %188 ], [ %102, %100 ]
  %195 = phi i1 [ false, %115 ], [ false, %112 ], [ false, %187 ], [ true, %188 ], [ true, %100 ]
  %196 = phi i32 [ -11, %115 ], [ -11, %112 ], [ -23, %187 ], [ 0, %188 ], [ 0, %100 ]
  %197 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @lift_cuda_1)
  br i1 %195, label %198, label %327

198:                                              ; preds = %96, %193
  %199 = phi ptr [ %194, %193 ], [ %98, %96 ]
  %200 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 240), align 8
  %201 = getelementptr inbounds i8, ptr %199, i64 16
  %202 = getelementptr inbounds [0 x ptr], ptr %201, i64 0, i64 %22
  %203 = load ptr, ptr %202, align 8
  %204 = load i32, ptr %3, align 4
  %205 = getelementptr inbounds i8, ptr %3, i64 4
  %206 = load i32, ptr %205, align 4
  %207 = getelementptr inbounds i8, ptr %3, i64 8
  %208 = load i32, ptr %207, align 4
  %209 = load i32, ptr %4, align 4
  %210 = getelementptr inbounds i8, ptr %4, i64 4
  %211 = load i32, ptr %210, align 4
  %212 = getelementptr inbounds i8, ptr %4, i64 8
  %213 = load i32, ptr %212, align 4
  %214 = getelementptr inbounds i8, ptr %23, i64 36
  %215 = load i32, ptr %214, align 4
  %216 = call fastcc ptr @stream()
  %217 = call i32 %200(ptr noundef %203, i32 noundef %204, i32 noundef %206, i32 noundef %208, i32 noundef %209, i32 noundef %211, i32 noundef %213, i32 noundef %215, ptr noundef %216, ptr noundef %5, ptr noundef null)
  %218 = icmp eq i32 %217, 0
  br i1 %218, label %327, label %219

219:                                              ; preds = %198
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %8)
  store i32 0, ptr %8, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %9)
  store i32 1024, ptr %9, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %10)
  store i32 0, ptr %10, align 4
  %220 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 192), align 8
  %221 = call i32 %220(ptr noundef nonnull %8)
  %222 = icmp eq i32 %221, 0
  br i1 %222, label %223, label %317

223:                                              ; preds = %219, %274
  %224 = phi i64 [ %275, %274 ], [ 0, %219 ]
  %225 = phi i64 [ %231, %274 ], [ 1, %219 ]
  %226 = icmp eq i64 %224, 3
  br i1 %226, label %277, label %227

227:                                              ; preds = %223
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %11)
  store i32 0, ptr %11, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %12)
  store i32 0, ptr %12, align 4
  %228 = getelementptr inbounds i32, ptr %4, i64 %224
  %229 = load i32, ptr %228, align 4
  %230 = sext i32 %229 to i64
  %231 = mul nsw i64 %225, %230
  %232 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), align 8
  %233 = load i32, ptr %8, align 4
  %234 = trunc i64 %224 to i32
  %235 = add i32 %234, 2
  %236 = call i32 %232(ptr noundef nonnull %11, i32 noundef %235, i32 noundef %233)
  %237 = icmp eq i32 %236, 0
  br i1 %237, label %238, label %252

238:                                              ; preds = %227
  %239 = load i32, ptr %228, align 4
  %240 = load i32, ptr %11, align 4
  %241 = icmp sgt i32 %239, %240
  br i1 %241, label %242, label %252

242:                                              ; preds = %238
  %243 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %244 = extractvalue { i32, i1 } %243, 1
  br i1 %244, label %245, label %276

245:                                              ; preds = %242
  %246 = getelementptr inbounds i8, ptr %0, i64 4
  %247 = getelementptr inbounds i8, ptr %23, i64 8
  %248 = load ptr, ptr %247, align 8
  %249 = load i32, ptr %228, align 4
  %250 = load i32, ptr %11, align 4
  %251 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %246, i64 noundef 1020, ptr noundef nonnull @.str.33, ptr noundef %248, i32 noundef %249, i32 noundef %234, i32 noundef %250)
  br label %276

252:                                              ; preds = %238, %227
  %253 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), align 8
  %254 = load i32, ptr %8, align 4
  %255 = add i32 %234, 5
  %256 = call i32 %253(ptr noundef nonnull %12, i32 noundef %255, i32 noundef %254)
  %257 = icmp eq i32 %256, 0
  br i1 %257, label %258, label %274

258:                                              ; preds = %252
  %259 = getelementptr inbounds i32, ptr %3, i64 %224
  %260 = load i32, ptr %259, align 4
  %261 = load i32, ptr %12, align 4
  %262 = icmp sgt i32 %260, %261
  br i1 %262, label %263, label %274

263:                                              ; preds = %258
  %264 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %265 = extractvalue { i32, i1 } %264, 1
  br i1 %265, label %266, label %276

266:                                              ; preds = %263
  %267 = getelementptr inbounds i32, ptr %3, i64 %224
  %268 = getelementptr inbounds i8, ptr %0, i64 4
  %269 = getelementptr inbounds i8, ptr %23, i64 8
  %270 = load ptr, ptr %269, align 8
  %271 = load i32, ptr %267, align 4
  %272 = load i32, ptr %12, align 4
  %273 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %268, i64 noundef 1020, ptr noundef nonnull @.str.34, ptr noundef %270, i32 noundef %271, i32 noundef %234, i32 noundef %272)
  br label %276

274:                                              ; preds = %258, %252
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %12)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %11)
  %275 = add nuw nsw i64 %224, 1
  br label %223

276:                                              ; preds = %266, %263, %245, %242
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %12)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %11)
  br label %316

277:                                              ; preds = %223
  %278 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), align 8
  %279 = load i32, ptr %8, align 4
  %280 = call i32 %278(ptr noundef nonnull %9, i32 noundef 1, i32 noundef %279)
  %281 = icmp eq i32 %280, 0
  %282 = load i32, ptr %9, align 4
  %283 = sext i32 %282 to i64
  %284 = icmp sgt i64 %225, %283
  %285 = select i1 %281, i1 %284, i1 false
  br i1 %285, label %286, label %295

286:                                              ; preds = %277
  %287 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %288 = extractvalue { i32, i1 } %287, 1
  br i1 %288, label %289, label %316

289:                                              ; preds = %286
  %290 = getelementptr inbounds i8, ptr %0, i64 4
  %291 = getelementptr inbounds i8, ptr %23, i64 8
  %292 = load ptr, ptr %291, align 8
  %293 = load i32, ptr %9, align 4
  %294 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %290, i64 noundef 1020, ptr noundef nonnull @.str.35, ptr noundef %292, i64 noundef %225, i32 noundef %293)
  br label %316

295:                                              ; preds = %277
  %296 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), align 8
  %297 = load i32, ptr %8, align 4
  %298 = call i32 %296(ptr noundef nonnull %10, i32 noundef 97, i32 noundef %297)
  %299 = icmp eq i32 %298, 0
  %300 = load i32, ptr %10, align 4
  %301 = icmp sgt i32 %300, 0
  %302 = select i1 %299, i1 %301, i1 false
  br i1 %302, label %303, label %317

303:                                              ; preds = %295
  %304 = load i32, ptr %214, align 4
  %305 = icmp ugt i32 %304, %300
  br i1 %305, label %306, label %317

306:                                              ; preds = %303
  %307 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %308 = extractvalue { i32, i1 } %307, 1
  br i1 %308, label %309, label %316

309:                                              ; preds = %306
  %310 = getelementptr inbounds i8, ptr %0, i64 4
  %311 = getelementptr inbounds i8, ptr %23, i64 8
  %312 = load ptr, ptr %311, align 8
  %313 = load i32, ptr %214, align 4
  %314 = load i32, ptr %10, align 4
  %315 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %310, i64 noundef 1020, ptr noundef nonnull @.str.36, ptr noundef %312, i32 noundef %313, i32 noundef %314)
  br label %316

316:                                              ; preds = %276, %286, %289, %306, %309
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %10)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %9)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %8)
  br label %327

317:                                              ; preds = %303, %295, %219
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %10)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %9)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %8)
  %318 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %319 = extractvalue { i32, i1 } %318, 1
  br i1 %319, label %320, label %327

320:                                              ; preds = %317
  %321 = getelementptr inbounds i8, ptr %0, i64 4
  %322 = getelementptr inbounds i8, ptr %23, i64 8
  %323 = load ptr, ptr %322, align 8
  %324 = call fastcc ptr @sentence_of(i32 noundef %217)
  %325 = call fastcc ptr @name_of(i32 noundef %217)
  %326 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %321, i64 noundef 1020, ptr noundef nonnull @.str.7, ptr noundef %323, ptr noundef %324, ptr noundef %325)
  br label %327

327:                                              ; preds = %316, %320, %317, %198, %193
  %328 = phi i32 [ %196, %193 ], [ 0, %198 ], [ -23, %317 ], [ -23, %320 ], [ -23, %316 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %7)
  %329 = getelementptr inbounds i8, ptr %19, i64 8
  %330 = load i32, ptr %329, align 8
  %331 = icmp eq i32 %330, 0
  br i1 %331, label %335, label %332

332:                                              ; preds = %327
  %333 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 176), align 8
  %334 = call i32 %333(ptr noundef nonnull %7)
  br label %335

335:                                              ; preds = %327, %332
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %7)
  br label %336

336:                                              ; preds = %31, %27, %81, %82, %335
  %337 = phi i32 [ %328, %335 ], [ -23, %81 ], [ %83, %82 ], [ 0, %27 ], [ 0, %31 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %19)
  ret i32 %337
}

define internal fastcc ptr @stream() unnamed_addr {
  %1 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 104), align 8
  %2 = icmp eq i32 %1, 0
  br i1 %2, label %6, label %3

3:                                                ; preds = %0
  %4 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 108), align 4
  %5 = tail call ptr @pthread_getspecific(i32 noundef %4)
  br label %6

6:                                                ; preds = %0, %3
  %7 = phi ptr [ %5, %3 ], [ null, %0 ]
  ret ptr %7
}

define weak i32 @lift_cuda_set_stream(ptr noundef %0) local_unnamed_addr {
  %2 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %2)
  store i32 0, ptr %2, align 4
  %3 = call fastcc i32 @opened(ptr noundef nonnull %2)
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %7, label %5

5:                                                ; preds = %1
  %6 = call fastcc i32 @told(ptr noundef nonnull %2, i32 noundef %3)
  br label %12

7:                                                ; preds = %1
  %8 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 108), align 4
  %9 = call i32 @pthread_setspecific(i32 noundef %8, ptr noundef %0)
  %10 = icmp eq i32 %9, 0
  %11 = select i1 %10, i32 0, i32 -29
  br label %12

12:                                               ; preds = %7, %5
  %13 = phi i32 [ %3, %5 ], [ %11, %7 ]
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %2)
  ret i32 %13
}

define internal fastcc noundef i32 @opened(ptr noundef %0) unnamed_addr {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = load atomic i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 64) acquire, align 8
  %7 = icmp eq i32 %6, 1
  br i1 %7, label %360, label %8

8:                                                ; preds = %1
  %9 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @lift_cuda_1)
  %10 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 64), align 8
  %11 = icmp eq i32 %10, 1
  br i1 %11, label %356, label %12

12:                                               ; preds = %8
  %13 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 104), align 8
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %15, label %19

15:                                               ; preds = %12
  %16 = tail call i32 @pthread_key_create(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 108), ptr noundef null)
  %17 = icmp eq i32 %16, 0
  %18 = zext i1 %17 to i32
  store i32 %18, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 104), align 8
  br label %19

19:                                               ; preds = %15, %12
  %20 = tail call ptr @getenv(ptr noundef nonnull @.str.38)
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %5)
  store i32 0, ptr %5, align 4
  %21 = tail call ptr @getenv(ptr noundef nonnull @.str.47)
  %22 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 88), align 8
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %26, label %24

24:                                               ; preds = %19
  %25 = add nsw i32 %22, -1
  br label %33

26:                                               ; preds = %19
  %27 = icmp eq ptr %21, null
  br i1 %27, label %33, label %28

28:                                               ; preds = %26
  %29 = load i8, ptr %21, align 1
  %30 = icmp eq i8 %29, 0
  br i1 %30, label %33, label %31

31:                                               ; preds = %28
  %32 = tail call i32 @atoi(ptr noundef nonnull %21)
  br label %33

33:                                               ; preds = %31, %28, %26, %24
  %34 = phi i32 [ %25, %24 ], [ %32, %31 ], [ 0, %28 ], [ 0, %26 ]
  %35 = icmp eq ptr %20, null
  br i1 %35, label %39, label %36

36:                                               ; preds = %33
  %37 = load i8, ptr %20, align 1
  %38 = icmp eq i8 %37, 0
  br i1 %38, label %39, label %42

39:                                               ; preds = %36, %33
  %40 = tail call ptr @dlopen(ptr noundef nonnull @.str.39, i32 noundef 2)
  %41 = icmp eq ptr %40, null
  br i1 %41, label %42, label %53

42:                                               ; preds = %39, %36
  %43 = phi ptr [ @.str.40, %39 ], [ %20, %36 ]
  %44 = tail call ptr @dlopen(ptr noundef nonnull %43, i32 noundef 2)
  %45 = icmp eq ptr %44, null
  br i1 %45, label %46, label %53

46:                                               ; preds = %42
  %47 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %48 = extractvalue { i32, i1 } %47, 1
  br i1 %48, label %49, label %344

49:                                               ; preds = %46
  %50 = getelementptr inbounds i8, ptr %0, i64 4
  %51 = tail call ptr @dlerror()
  %52 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %50, i64 noundef 1020, ptr noundef nonnull @.str.41, ptr noundef %51)
  br label %344

53:                                               ; preds = %42, %39
  %54 = phi ptr [ %44, %42 ], [ %40, %39 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  %55 = tail call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.48)
  store ptr %55, ptr %4, align 8
  %56 = icmp eq ptr %55, null
  br i1 %56, label %57, label %60

57:                                               ; preds = %53
  %58 = tail call i32 @strcmp(ptr noundef nonnull @.str.48, ptr noundef nonnull @.str.49)
  %59 = icmp eq i32 %58, 0
  br i1 %59, label %60, label %277

60:                                               ; preds = %57, %53
  %61 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 112), ptr noundef nonnull %4, i64 noundef 8)
  %62 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.50)
  store ptr %62, ptr %4, align 8
  %63 = icmp eq ptr %62, null
  br i1 %63, label %64, label %67

64:                                               ; preds = %60
  %65 = call i32 @strcmp(ptr noundef nonnull @.str.50, ptr noundef nonnull @.str.49)
  %66 = icmp eq i32 %65, 0
  br i1 %66, label %67, label %277

67:                                               ; preds = %64, %60
  %68 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 120), ptr noundef nonnull %4, i64 noundef 8)
  %69 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.51)
  store ptr %69, ptr %4, align 8
  %70 = icmp eq ptr %69, null
  br i1 %70, label %71, label %74

71:                                               ; preds = %67
  %72 = call i32 @strcmp(ptr noundef nonnull @.str.51, ptr noundef nonnull @.str.49)
  %73 = icmp eq i32 %72, 0
  br i1 %73, label %74, label %277

74:                                               ; preds = %71, %67
  %75 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 128), ptr noundef nonnull %4, i64 noundef 8)
  %76 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.52)
  store ptr %76, ptr %4, align 8
  %77 = icmp eq ptr %76, null
  br i1 %77, label %78, label %81

78:                                               ; preds = %74
  %79 = call i32 @strcmp(ptr noundef nonnull @.str.52, ptr noundef nonnull @.str.49)
  %80 = icmp eq i32 %79, 0
  br i1 %80, label %81, label %277

81:                                               ; preds = %78, %74
  %82 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 136), ptr noundef nonnull %4, i64 noundef 8)
  %83 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.53)
  store ptr %83, ptr %4, align 8
  %84 = icmp eq ptr %83, null
  br i1 %84, label %85, label %88

85:                                               ; preds = %81
  %86 = call i32 @strcmp(ptr noundef nonnull @.str.53, ptr noundef nonnull @.str.49)
  %87 = icmp eq i32 %86, 0
  br i1 %87, label %88, label %277

88:                                               ; preds = %85, %81
  %89 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 144), ptr noundef nonnull %4, i64 noundef 8)
  %90 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.54)
  store ptr %90, ptr %4, align 8
  %91 = icmp eq ptr %90, null
  br i1 %91, label %92, label %95

92:                                               ; preds = %88
  %93 = call i32 @strcmp(ptr noundef nonnull @.str.54, ptr noundef nonnull @.str.49)
  %94 = icmp eq i32 %93, 0
  br i1 %94, label %95, label %277

95:                                               ; preds = %92, %88
  %96 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), ptr noundef nonnull %4, i64 noundef 8)
  %97 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.55)
  store ptr %97, ptr %4, align 8
  %98 = icmp eq ptr %97, null
  br i1 %98, label %99, label %102

99:                                               ; preds = %95
  %100 = call i32 @strcmp(ptr noundef nonnull @.str.55, ptr noundef nonnull @.str.49)
  %101 = icmp eq i32 %100, 0
  br i1 %101, label %102, label %277

102:                                              ; preds = %99, %95
  %103 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 160), ptr noundef nonnull %4, i64 noundef 8)
  %104 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.56)
  store ptr %104, ptr %4, align 8
  %105 = icmp eq ptr %104, null
  br i1 %105, label %106, label %109

106:                                              ; preds = %102
  %107 = call i32 @strcmp(ptr noundef nonnull @.str.56, ptr noundef nonnull @.str.49)
  %108 = icmp eq i32 %107, 0
  br i1 %108, label %109, label %277

109:                                              ; preds = %106, %102
  %110 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 168), ptr noundef nonnull %4, i64 noundef 8)
  %111 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.57)
  store ptr %111, ptr %4, align 8
  %112 = icmp eq ptr %111, null
  br i1 %112, label %113, label %116

113:                                              ; preds = %109
  %114 = call i32 @strcmp(ptr noundef nonnull @.str.57, ptr noundef nonnull @.str.49)
  %115 = icmp eq i32 %114, 0
  br i1 %115, label %116, label %277

116:                                              ; preds = %113, %109
  %117 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 176), ptr noundef nonnull %4, i64 noundef 8)
  %118 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.58)
  store ptr %118, ptr %4, align 8
  %119 = icmp eq ptr %118, null
  br i1 %119, label %120, label %123

120:                                              ; preds = %116
  %121 = call i32 @strcmp(ptr noundef nonnull @.str.58, ptr noundef nonnull @.str.49)
  %122 = icmp eq i32 %121, 0
  br i1 %122, label %123, label %277

123:                                              ; preds = %120, %116
  %124 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 184), ptr noundef nonnull %4, i64 noundef 8)
  %125 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.59)
  store ptr %125, ptr %4, align 8
  %126 = icmp eq ptr %125, null
  br i1 %126, label %127, label %130

127:                                              ; preds = %123
  %128 = call i32 @strcmp(ptr noundef nonnull @.str.59, ptr noundef nonnull @.str.49)
  %129 = icmp eq i32 %128, 0
  br i1 %129, label %130, label %277

130:                                              ; preds = %127, %123
  %131 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 192), ptr noundef nonnull %4, i64 noundef 8)
  %132 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.49)
  store ptr %132, ptr %4, align 8
  %133 = icmp eq ptr %132, null
  br i1 %133, label %134, label %137

134:                                              ; preds = %130
  %135 = call i32 @strcmp(ptr noundef nonnull @.str.49, ptr noundef nonnull @.str.49)
  %136 = icmp eq i32 %135, 0
  br i1 %136, label %137, label %277

137:                                              ; preds = %134, %130
  %138 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 200), ptr noundef nonnull %4, i64 noundef 8)
  %139 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.60)
  store ptr %139, ptr %4, align 8
  %140 = icmp eq ptr %139, null
  br i1 %140, label %141, label %144

141:                                              ; preds = %137
  %142 = call i32 @strcmp(ptr noundef nonnull @.str.60, ptr noundef nonnull @.str.49)
  %143 = icmp eq i32 %142, 0
  br i1 %143, label %144, label %277

144:                                              ; preds = %141, %137
  %145 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 208), ptr noundef nonnull %4, i64 noundef 8)
  %146 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.61)
  store ptr %146, ptr %4, align 8
  %147 = icmp eq ptr %146, null
  br i1 %147, label %148, label %151

148:                                              ; preds = %144
  %149 = call i32 @strcmp(ptr noundef nonnull @.str.61, ptr noundef nonnull @.str.49)
  %150 = icmp eq i32 %149, 0
  br i1 %150, label %151, label %277

151:                                              ; preds = %148, %144
  %152 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 216), ptr noundef nonnull %4, i64 noundef 8)
  %153 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.62)
  store ptr %153, ptr %4, align 8
  %154 = icmp eq ptr %153, null
  br i1 %154, label %155, label %158

155:                                              ; preds = %151
  %156 = call i32 @strcmp(ptr noundef nonnull @.str.62, ptr noundef nonnull @.str.49)
  %157 = icmp eq i32 %156, 0
  br i1 %157, label %158, label %277

158:                                              ; preds = %155, %151
  %159 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 224), ptr noundef nonnull %4, i64 noundef 8)
  %160 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.63)
  store ptr %160, ptr %4, align 8
  %161 = icmp eq ptr %160, null
  br i1 %161, label %162, label %165

162:                                              ; preds = %158
  %163 = call i32 @strcmp(ptr noundef nonnull @.str.63, ptr noundef nonnull @.str.49)
  %164 = icmp eq i32 %163, 0
  br i1 %164, label %165, label %277

165:                                              ; preds = %162, %158
  %166 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 232), ptr noundef nonnull %4, i64 noundef 8)
  %167 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.64)
  store ptr %167, ptr %4, align 8
  %168 = icmp eq ptr %167, null
  br i1 %168, label %169, label %172

169:                                              ; preds = %165
  %170 = call i32 @strcmp(ptr noundef nonnull @.str.64, ptr noundef nonnull @.str.49)
  %171 = icmp eq i32 %170, 0
  br i1 %171, label %172, label %277

172:                                              ; preds = %169, %165
  %173 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 240), ptr noundef nonnull %4, i64 noundef 8)
  %174 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.65)
  store ptr %174, ptr %4, align 8
  %175 = icmp eq ptr %174, null
  br i1 %175, label %176, label %179

176:                                              ; preds = %172
  %177 = call i32 @strcmp(ptr noundef nonnull @.str.65, ptr noundef nonnull @.str.49)
  %178 = icmp eq i32 %177, 0
  br i1 %178, label %179, label %277

179:                                              ; preds = %176, %172
  %180 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 248), ptr noundef nonnull %4, i64 noundef 8)
  %181 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.66)
  store ptr %181, ptr %4, align 8
  %182 = icmp eq ptr %181, null
  br i1 %182, label %183, label %186

183:                                              ; preds = %179
  %184 = call i32 @strcmp(ptr noundef nonnull @.str.66, ptr noundef nonnull @.str.49)
  %185 = icmp eq i32 %184, 0
  br i1 %185, label %186, label %277

186:                                              ; preds = %183, %179
  %187 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 256), ptr noundef nonnull %4, i64 noundef 8)
  %188 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.67)
  store ptr %188, ptr %4, align 8
  %189 = icmp eq ptr %188, null
  br i1 %189, label %190, label %193

190:                                              ; preds = %186
  %191 = call i32 @strcmp(ptr noundef nonnull @.str.67, ptr noundef nonnull @.str.49)
  %192 = icmp eq i32 %191, 0
  br i1 %192, label %193, label %277

193:                                              ; preds = %190, %186
  %194 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 264), ptr noundef nonnull %4, i64 noundef 8)
  %195 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.68)
  store ptr %195, ptr %4, align 8
  %196 = icmp eq ptr %195, null
  br i1 %196, label %197, label %200

197:                                              ; preds = %193
  %198 = call i32 @strcmp(ptr noundef nonnull @.str.68, ptr noundef nonnull @.str.49)
  %199 = icmp eq i32 %198, 0
  br i1 %199, label %200, label %277

200:                                              ; preds = %197, %193
  %201 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 272), ptr noundef nonnull %4, i64 noundef 8)
  %202 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.69)
  store ptr %202, ptr %4, align 8
  %203 = icmp eq ptr %202, null
  br i1 %203, label %204, label %207

204:                                              ; preds = %200
  %205 = call i32 @strcmp(ptr noundef nonnull @.str.69, ptr noundef nonnull @.str.49)
  %206 = icmp eq i32 %205, 0
  br i1 %206, label %207, label %277

207:                                              ; preds = %204, %200
  %208 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 280), ptr noundef nonnull %4, i64 noundef 8)
  %209 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.70)
  store ptr %209, ptr %4, align 8
  %210 = icmp eq ptr %209, null
  br i1 %210, label %211, label %214

211:                                              ; preds = %207
  %212 = call i32 @strcmp(ptr noundef nonnull @.str.70, ptr noundef nonnull @.str.49)
  %213 = icmp eq i32 %212, 0
  br i1 %213, label %214, label %277

214:                                              ; preds = %211, %207
  %215 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 288), ptr noundef nonnull %4, i64 noundef 8)
  %216 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.71)
  store ptr %216, ptr %4, align 8
  %217 = icmp eq ptr %216, null
  br i1 %217, label %218, label %221

218:                                              ; preds = %214
  %219 = call i32 @strcmp(ptr noundef nonnull @.str.71, ptr noundef nonnull @.str.49)
  %220 = icmp eq i32 %219, 0
  br i1 %220, label %221, label %277

221:                                              ; preds = %218, %214
  %222 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 296), ptr noundef nonnull %4, i64 noundef 8)
  %223 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.72)
  store ptr %223, ptr %4, align 8
  %224 = icmp eq ptr %223, null
  br i1 %224, label %225, label %228

225:                                              ; preds = %221
  %226 = call i32 @strcmp(ptr noundef nonnull @.str.72, ptr noundef nonnull @.str.49)
  %227 = icmp eq i32 %226, 0
  br i1 %227, label %228, label %277

228:                                              ; preds = %225, %221
  %229 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 304), ptr noundef nonnull %4, i64 noundef 8)
  %230 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.73)
  store ptr %230, ptr %4, align 8
  %231 = icmp eq ptr %230, null
  br i1 %231, label %232, label %235

232:                                              ; preds = %228
  %233 = call i32 @strcmp(ptr noundef nonnull @.str.73, ptr noundef nonnull @.str.49)
  %234 = icmp eq i32 %233, 0
  br i1 %234, label %235, label %277

235:                                              ; preds = %232, %228
  %236 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 312), ptr noundef nonnull %4, i64 noundef 8)
  %237 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.74)
  store ptr %237, ptr %4, align 8
  %238 = icmp eq ptr %237, null
  br i1 %238, label %239, label %242

239:                                              ; preds = %235
  %240 = call i32 @strcmp(ptr noundef nonnull @.str.74, ptr noundef nonnull @.str.49)
  %241 = icmp eq i32 %240, 0
  br i1 %241, label %242, label %277

242:                                              ; preds = %239, %235
  %243 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 320), ptr noundef nonnull %4, i64 noundef 8)
  %244 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.75)
  store ptr %244, ptr %4, align 8
  %245 = icmp eq ptr %244, null
  br i1 %245, label %246, label %249

246:                                              ; preds = %242
  %247 = call i32 @strcmp(ptr noundef nonnull @.str.75, ptr noundef nonnull @.str.49)
  %248 = icmp eq i32 %247, 0
  br i1 %248, label %249, label %277

249:                                              ; preds = %246, %242
  %250 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 328), ptr noundef nonnull %4, i64 noundef 8)
  %251 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.76)
  store ptr %251, ptr %4, align 8
  %252 = icmp eq ptr %251, null
  br i1 %252, label %253, label %256

253:                                              ; preds = %249
  %254 = call i32 @strcmp(ptr noundef nonnull @.str.76, ptr noundef nonnull @.str.49)
  %255 = icmp eq i32 %254, 0
  br i1 %255, label %256, label %277

256:                                              ; preds = %253, %249
  %257 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 336), ptr noundef nonnull %4, i64 noundef 8)
  %258 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.77)
  store ptr %258, ptr %4, align 8
  %259 = icmp eq ptr %258, null
  br i1 %259, label %260, label %263

260:                                              ; preds = %256
  %261 = call i32 @strcmp(ptr noundef nonnull @.str.77, ptr noundef nonnull @.str.49)
  %262 = icmp eq i32 %261, 0
  br i1 %262, label %263, label %277

263:                                              ; preds = %260, %256
  %264 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 344), ptr noundef nonnull %4, i64 noundef 8)
  %265 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.78)
  store ptr %265, ptr %4, align 8
  %266 = icmp eq ptr %265, null
  br i1 %266, label %267, label %270

267:                                              ; preds = %263
  %268 = call i32 @strcmp(ptr noundef nonnull @.str.78, ptr noundef nonnull @.str.49)
  %269 = icmp eq i32 %268, 0
  br i1 %269, label %270, label %277

270:                                              ; preds = %267, %263
  %271 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 352), ptr noundef nonnull %4, i64 noundef 8)
  %272 = call ptr @dlsym(ptr noundef nonnull %54, ptr noundef nonnull @.str.79)
  store ptr %272, ptr %4, align 8
  %273 = icmp eq ptr %272, null
  br i1 %273, label %274, label %284

274:                                              ; preds = %270
  %275 = call i32 @strcmp(ptr noundef nonnull @.str.79, ptr noundef nonnull @.str.49)
  %276 = icmp eq i32 %275, 0
  br i1 %276, label %284, label %277

277:                                              ; preds = %274, %267, %260, %253, %246, %239, %232, %225, %218, %211, %204, %197, %190, %183, %176, %169, %162, %155, %148, %141, %134, %127, %120, %113, %106, %99, %92, %85, %78, %71, %64, %57
  %278 = phi ptr [ @.str.79, %274 ], [ @.str.78, %267 ], [ @.str.77, %260 ], [ @.str.76, %253 ], [ @.str.75, %246 ], [ @.str.74, %239 ], [ @.str.73, %232 ], [ @.str.72, %225 ], [ @.str.71, %218 ], [ @.str.70, %211 ], [ @.str.69, %204 ], [ @.str.68, %197 ], [ @.str.67, %190 ], [ @.str.66, %183 ], [ @.str.65, %176 ], [ @.str.64, %169 ], [ @.str.63, %162 ], [ @.str.62, %155 ], [ @.str.61, %148 ], [ @.str.60, %141 ], [ @.str.49, %134 ], [ @.str.59, %127 ], [ @.str.58, %120 ], [ @.str.57, %113 ], [ @.str.56, %106 ], [ @.str.55, %99 ], [ @.str.54, %92 ], [ @.str.53, %85 ], [ @.str.52, %78 ], [ @.str.51, %71 ], [ @.str.50, %64 ], [ @.str.48, %57 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  %279 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %280 = extractvalue { i32, i1 } %279, 1
  br i1 %280, label %281, label %344

281:                                              ; preds = %277
  %282 = getelementptr inbounds i8, ptr %0, i64 4
  %283 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %282, i64 noundef 1020, ptr noundef nonnull @.str.42, ptr noundef nonnull %278)
  br label %344

284:                                              ; preds = %274, %270
  %285 = call ptr @memcpy(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 360), ptr noundef nonnull %4, i64 noundef 8)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %4)
  %286 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 112), align 8
  %287 = call i32 %286(i32 noundef 0)
  %288 = icmp eq i32 %287, 0
  br i1 %288, label %289, label %297

289:                                              ; preds = %284
  %290 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 120), align 8
  %291 = call i32 %290(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 72))
  %292 = icmp eq i32 %291, 0
  br i1 %292, label %293, label %297

293:                                              ; preds = %289
  %294 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 128), align 8
  %295 = call i32 %294(ptr noundef nonnull %5)
  %296 = icmp eq i32 %295, 0
  br i1 %296, label %306, label %297

297:                                              ; preds = %293, %289, %284
  %298 = phi i32 [ %287, %284 ], [ %291, %289 ], [ %295, %293 ]
  %299 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %300 = extractvalue { i32, i1 } %299, 1
  br i1 %300, label %301, label %344

301:                                              ; preds = %297
  %302 = getelementptr inbounds i8, ptr %0, i64 4
  %303 = call fastcc ptr @sentence_of(i32 noundef %298)
  %304 = call fastcc ptr @name_of(i32 noundef %298)
  %305 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %302, i64 noundef 1020, ptr noundef nonnull @.str.43, ptr noundef %303, ptr noundef %304)
  br label %344

306:                                              ; preds = %293
  %307 = load i32, ptr %5, align 4
  %308 = icmp eq i32 %307, 0
  br i1 %308, label %309, label %315

309:                                              ; preds = %306
  %310 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %311 = extractvalue { i32, i1 } %310, 1
  br i1 %311, label %312, label %344

312:                                              ; preds = %309
  %313 = getelementptr inbounds i8, ptr %0, i64 4
  %314 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %313, i64 noundef 1020, ptr noundef nonnull @.str.44, ptr noundef nonnull @.str.17)
  br label %344

315:                                              ; preds = %306
  %316 = icmp sgt i32 %34, -1
  %317 = icmp slt i32 %34, %307
  %318 = and i1 %316, %317
  br i1 %318, label %326, label %319

319:                                              ; preds = %315
  %320 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %321 = extractvalue { i32, i1 } %320, 1
  br i1 %321, label %322, label %344

322:                                              ; preds = %319
  %323 = getelementptr inbounds i8, ptr %0, i64 4
  %324 = load i32, ptr %5, align 4
  %325 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %323, i64 noundef 1020, ptr noundef nonnull @.str.45, i32 noundef %34, i32 noundef %324)
  br label %344

326:                                              ; preds = %315
  %327 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 136), align 8
  %328 = call i32 %327(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 92), i32 noundef %34)
  %329 = icmp eq i32 %328, 0
  br i1 %329, label %330, label %335

330:                                              ; preds = %326
  %331 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 160), align 8
  %332 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 92), align 4
  %333 = call i32 %331(ptr noundef nonnull getelementptr inbounds (i8, ptr @lift_cuda_1, i64 96), i32 noundef %332)
  %334 = icmp eq i32 %333, 0
  br i1 %334, label %345, label %335

335:                                              ; preds = %330, %326
  %336 = phi i32 [ %328, %326 ], [ %333, %330 ]
  %337 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %338 = extractvalue { i32, i1 } %337, 1
  br i1 %338, label %339, label %344

339:                                              ; preds = %335
  %340 = getelementptr inbounds i8, ptr %0, i64 4
  %341 = call fastcc ptr @sentence_of(i32 noundef %336)
  %342 = call fastcc ptr @name_of(i32 noundef %336)
  %343 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %340, i64 noundef 1020, ptr noundef nonnull @.str.46, i32 noundef %34, ptr noundef %341, ptr noundef %342)
  br label %344

344:                                              ; preds = %46, %49, %277, %281, %297, %301, %309, %312, %319, %322, %335, %339
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %5)
  br label %356

345:                                              ; preds = %330
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %5)
  %346 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 92), align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3)
  store i64 -1, ptr %3, align 8
  %347 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 280), align 8
  %348 = call i32 %347(ptr noundef nonnull %2, i32 noundef %346)
  %349 = icmp eq i32 %348, 0
  br i1 %349, label %350, label %354

350:                                              ; preds = %345
  %351 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 288), align 8
  %352 = load ptr, ptr %2, align 8
  %353 = call i32 %351(ptr noundef %352, i32 noundef 4, ptr noundef nonnull %3)
  br label %354

354:                                              ; preds = %345, %350
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3)
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  %355 = call i32 @getpid()
  store i32 %355, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 68), align 4
  store atomic i32 1, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 64) release, align 8
  br label %356

356:                                              ; preds = %344, %354, %8
  %357 = phi i1 [ true, %354 ], [ true, %8 ], [ false, %344 ]
  %358 = phi i32 [ 0, %354 ], [ 0, %8 ], [ -29, %344 ]
  %359 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @lift_cuda_1)
  br i1 %357, label %360, label %370

360:                                              ; preds = %356, %1
  %361 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 68), align 4
  %362 = call i32 @getpid()
  %363 = icmp eq i32 %361, %362
  br i1 %363, label %370, label %364

364:                                              ; preds = %360
  %365 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %366 = extractvalue { i32, i1 } %365, 1
  br i1 %366, label %367, label %370

367:                                              ; preds = %364
  %368 = getelementptr inbounds i8, ptr %0, i64 4
  %369 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %368, i64 noundef 1020, ptr noundef nonnull @.str.37, ptr noundef nonnull @.str.16)
  br label %370

370:                                              ; preds = %360, %367, %364, %356
  %371 = phi i32 [ %358, %356 ], [ -29, %364 ], [ -29, %367 ], [ 0, %360 ]
  ret i32 %371
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

declare i32 @pthread_setspecific(i32 noundef, ptr noundef) local_unnamed_addr

define weak ptr @lift_cuda_stream() local_unnamed_addr {
  %1 = tail call fastcc ptr @stream()
  ret ptr %1
}

define weak i32 @lift_cuda_set_device(i32 noundef %0) local_unnamed_addr {
  %2 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @lift_cuda_1)
  %3 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 64), align 8
  %4 = icmp eq i32 %3, 1
  %5 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 92), align 4
  %6 = icmp ne i32 %5, %0
  %7 = select i1 %4, i1 %6, i1 false
  br i1 %7, label %10, label %8

8:                                                ; preds = %1
  %9 = add nsw i32 %0, 1
  store i32 %9, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 88), align 8
  br label %10

10:                                               ; preds = %8, %1
  %11 = phi i32 [ 0, %8 ], [ -29, %1 ]
  %12 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @lift_cuda_1)
  ret i32 %11
}

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr

define weak void @lift_cuda_use(i32 noundef %0) local_unnamed_addr {
  %2 = add nsw i32 %0, 1
  store atomic i32 %2, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 76) release, align 4
  ret void
}

define weak void @lift_cuda_set_threshold(i64 noundef %0) local_unnamed_addr {
  %2 = tail call i64 @llvm.smax.i64(i64 %0, i64 1)
  store atomic i64 %2, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 80) release, align 8
  ret void
}

define weak i32 @lift_cuda_is_on_device(ptr noundef %0) local_unnamed_addr {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca %struct.failure, align 4
  %5 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %3)
  store i32 0, ptr %3, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %4)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5)
  store i32 1, ptr %4, align 4
  %6 = tail call fastcc i32 @is_used()
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %27, label %8

8:                                                ; preds = %1
  %9 = call fastcc i32 @enter(ptr noundef nonnull %4, ptr noundef nonnull %5)
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %11, label %27

11:                                               ; preds = %8
  %12 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 344), align 8
  %13 = ptrtoint ptr %0 to i64
  %14 = call i32 %12(ptr noundef nonnull %3, i32 noundef 2, i64 noundef %13)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  %15 = getelementptr inbounds i8, ptr %5, i64 8
  %16 = load i32, ptr %15, align 8
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %21, label %18

18:                                               ; preds = %11
  %19 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 176), align 8
  %20 = call i32 %19(ptr noundef nonnull %2)
  br label %21

21:                                               ; preds = %11, %18
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  %22 = icmp eq i32 %14, 0
  %23 = load i32, ptr %3, align 4
  %24 = icmp eq i32 %23, 2
  %25 = select i1 %22, i1 %24, i1 false
  %26 = zext i1 %25 to i32
  br label %27

27:                                               ; preds = %1, %8, %21
  %28 = phi i32 [ %26, %21 ], [ 0, %8 ], [ 0, %1 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %4)
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %3)
  ret i32 %28
}

define internal fastcc range(i32 0, 2) i32 @is_used() unnamed_addr {
  %1 = load atomic i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 76) acquire, align 4
  %2 = icmp eq i32 %1, 0
  br i1 %2, label %3, label %15

3:                                                ; preds = %0
  %4 = tail call ptr @getenv(ptr noundef nonnull @.str.80)
  %5 = icmp eq ptr %4, null
  br i1 %5, label %13, label %6

6:                                                ; preds = %3
  %7 = load i8, ptr %4, align 1
  %8 = icmp eq i8 %7, 0
  br i1 %8, label %13, label %9

9:                                                ; preds = %6
  %10 = tail call i32 @strcmp(ptr noundef nonnull %4, ptr noundef nonnull @.str.81)
  %11 = icmp eq i32 %10, 0
  %12 = select i1 %11, i32 1, i32 2
  br label %13

13:                                               ; preds = %9, %6, %3
  %14 = phi i32 [ 1, %6 ], [ 1, %3 ], [ %12, %9 ]
  store atomic i32 %14, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 76) release, align 4
  br label %15

15:                                               ; preds = %13, %0
  %16 = phi i32 [ %1, %0 ], [ %14, %13 ]
  %17 = icmp eq i32 %16, 2
  %18 = zext i1 %17 to i32
  ret i32 %18
}

define weak i32 @lift_cuda_wants(i64 noundef %0, ptr noundef %1, i32 noundef %2) local_unnamed_addr {
  %4 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %4)
  store i32 1, ptr %4, align 4
  %5 = tail call fastcc i32 @is_used()
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %40, label %7

7:                                                ; preds = %3
  %8 = call fastcc i32 @opened(ptr noundef nonnull %4)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %10, label %40

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
  br i1 %20, label %13, label %40

22:                                               ; preds = %13
  %23 = load atomic i64, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 80) acquire, align 8
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %25, label %36

25:                                               ; preds = %22
  %26 = call ptr @getenv(ptr noundef nonnull @.str.82)
  %27 = icmp eq ptr %26, null
  br i1 %27, label %33, label %28

28:                                               ; preds = %25
  %29 = load i8, ptr %26, align 1
  %30 = icmp eq i8 %29, 0
  br i1 %30, label %33, label %31

31:                                               ; preds = %28
  %32 = call i64 @atoll(ptr noundef nonnull %26)
  br label %33

33:                                               ; preds = %31, %28, %25
  %34 = phi i64 [ %32, %31 ], [ 9223372036854775807, %28 ], [ 9223372036854775807, %25 ]
  %35 = call i64 @llvm.smax.i64(i64 %34, i64 1)
  store atomic i64 %35, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 80) release, align 8
  br label %36

36:                                               ; preds = %22, %33
  %37 = phi i64 [ %23, %22 ], [ %35, %33 ]
  %38 = icmp sle i64 %37, %0
  %39 = zext i1 %38 to i32
  br label %40

40:                                               ; preds = %16, %3, %7, %36
  %41 = phi i32 [ %39, %36 ], [ 0, %7 ], [ 0, %3 ], [ 1, %16 ]
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %4)
  ret i32 %41
}

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
  %11 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 72), align 8
  store i32 %11, ptr %1, align 4
  %12 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), align 8
  %13 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 92), align 4
  %14 = call i32 %12(ptr noundef nonnull %6, i32 noundef 75, i32 noundef %13)
  %15 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), align 8
  %16 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 92), align 4
  %17 = call i32 %15(ptr noundef nonnull %7, i32 noundef 76, i32 noundef %16)
  %18 = load i32, ptr %6, align 4
  %19 = mul nsw i32 %18, 10
  %20 = load i32, ptr %7, align 4
  %21 = add nsw i32 %19, %20
  store i32 %21, ptr %2, align 4
  %22 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 144), align 8
  %23 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 92), align 4
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

define weak i32 @lift_cuda_wait(ptr noundef %0) local_unnamed_addr {
  %2 = alloca ptr, align 8
  %3 = alloca %struct.place, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %3)
  %4 = call fastcc i32 @enter(ptr noundef %0, ptr noundef nonnull %3)
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %6, label %28

6:                                                ; preds = %1
  %7 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 336), align 8
  %8 = call fastcc ptr @stream()
  %9 = call i32 %7(ptr noundef %8)
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %19, label %11

11:                                               ; preds = %6
  %12 = cmpxchg ptr %0, i32 0, i32 1 acq_rel monotonic, align 4
  %13 = extractvalue { i32, i1 } %12, 1
  br i1 %13, label %14, label %19

14:                                               ; preds = %11
  %15 = getelementptr inbounds i8, ptr %0, i64 4
  %16 = call fastcc ptr @sentence_of(i32 noundef %9)
  %17 = call fastcc ptr @name_of(i32 noundef %9)
  %18 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %15, i64 noundef 1020, ptr noundef nonnull @.str.8, ptr noundef %16, ptr noundef %17)
  br label %19

19:                                               ; preds = %14, %11, %6
  %20 = phi i32 [ 0, %6 ], [ -17, %11 ], [ -17, %14 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2)
  %21 = getelementptr inbounds i8, ptr %3, i64 8
  %22 = load i32, ptr %21, align 8
  %23 = icmp eq i32 %22, 0
  br i1 %23, label %27, label %24

24:                                               ; preds = %19
  %25 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 176), align 8
  %26 = call i32 %25(ptr noundef nonnull %2)
  br label %27

27:                                               ; preds = %19, %24
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2)
  br label %28

28:                                               ; preds = %1, %27
  %29 = phi i32 [ %20, %27 ], [ %4, %1 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %3)
  ret i32 %29
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
  %5 = alloca %struct.place, align 8
  %6 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %4)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5)
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %6)
  store i32 1, ptr %6, align 4
  %7 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 64), align 8
  %8 = icmp eq i32 %7, 1
  br i1 %8, label %9, label %33

9:                                                ; preds = %2
  %10 = call fastcc i32 @enter(ptr noundef nonnull %6, ptr noundef nonnull %5)
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %12, label %33

12:                                               ; preds = %9
  %13 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 208), align 8
  %14 = call i32 %13()
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %25

16:                                               ; preds = %12
  %17 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 280), align 8
  %18 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 92), align 4
  %19 = call i32 %17(ptr noundef nonnull %4, i32 noundef %18)
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %25

21:                                               ; preds = %16
  %22 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 296), align 8
  %23 = load ptr, ptr %4, align 8
  %24 = call i32 %22(ptr noundef %23, i64 noundef 0)
  br label %25

25:                                               ; preds = %21, %16, %12
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3)
  %26 = getelementptr inbounds i8, ptr %5, i64 8
  %27 = load i32, ptr %26, align 8
  %28 = icmp eq i32 %27, 0
  br i1 %28, label %32, label %29

29:                                               ; preds = %25
  %30 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 176), align 8
  %31 = call i32 %30(ptr noundef nonnull %3)
  br label %32

32:                                               ; preds = %25, %29
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3)
  br label %33

33:                                               ; preds = %2, %9, %32
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %6)
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5)
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
  %20 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %19, i64 noundef 1020, ptr noundef nonnull @.str.83, i64 noundef %6)
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
  %6 = alloca %struct.copy, align 8
  %7 = alloca %struct.place, align 8
  %8 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %8)
  store i32 0, ptr %8, align 4
  %9 = icmp eq ptr %2, null
  call void @llvm.lifetime.start.p0(i64 1560, ptr nonnull %6)
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %7)
  %10 = getelementptr inbounds i8, ptr %1, i64 33
  %11 = load i8, ptr %10, align 1
  %12 = zext i8 %11 to i64
  %13 = add nuw nsw i64 %12, 7
  %14 = lshr i64 %13, 3
  %15 = getelementptr inbounds i8, ptr %1, i64 16
  %16 = load ptr, ptr %15, align 8
  %17 = icmp eq ptr %16, null
  br i1 %17, label %26, label %18

18:                                               ; preds = %4
  %19 = load i64, ptr %1, align 8
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %26, label %21

21:                                               ; preds = %18
  %22 = getelementptr inbounds i8, ptr %1, i64 24
  %23 = load i64, ptr %22, align 8
  %24 = and i64 %23, 2
  %25 = icmp ne i64 %24, 0
  br label %26

26:                                               ; preds = %21, %18, %4
  %27 = phi i1 [ true, %4 ], [ false, %18 ], [ %25, %21 ]
  %28 = getelementptr inbounds i8, ptr %1, i64 36
  %29 = load i32, ptr %28, align 4
  %30 = getelementptr inbounds i8, ptr %3, i64 36
  %31 = load i32, ptr %30, align 4
  %32 = icmp eq i32 %29, %31
  br i1 %32, label %33, label %43

33:                                               ; preds = %26
  %34 = getelementptr inbounds i8, ptr %1, i64 32
  %35 = load i8, ptr %34, align 8
  %36 = getelementptr inbounds i8, ptr %3, i64 32
  %37 = load i8, ptr %36, align 8
  %38 = icmp eq i8 %35, %37
  br i1 %38, label %39, label %43

39:                                               ; preds = %33
  %40 = getelementptr inbounds i8, ptr %3, i64 33
  %41 = load i8, ptr %40, align 1
  %42 = icmp eq i8 %11, %41
  br i1 %42, label %49, label %43

43:                                               ; preds = %39, %33, %26
  %44 = cmpxchg ptr %8, i32 0, i32 1 acq_rel monotonic, align 4
  %45 = extractvalue { i32, i1 } %44, 1
  br i1 %45, label %46, label %200

46:                                               ; preds = %43
  %47 = getelementptr inbounds i8, ptr %8, i64 4
  %48 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %47, i64 noundef 1020, ptr noundef nonnull @.str.84)
  br label %200

49:                                               ; preds = %39
  %50 = call fastcc i32 @has_too_many_dimensions(ptr noundef nonnull %8, ptr noundef nonnull readonly %1, ptr noundef null)
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %52, label %200

52:                                               ; preds = %49
  %53 = call fastcc i32 @is_of_others(ptr noundef nonnull %8, ptr noundef nonnull readonly %1, ptr noundef null)
  %54 = icmp eq i32 %53, 0
  br i1 %54, label %55, label %200

55:                                               ; preds = %52
  %56 = call fastcc i32 @is_of_others(ptr noundef nonnull %8, ptr noundef nonnull %3, ptr noundef null)
  %57 = icmp eq i32 %56, 0
  br i1 %57, label %58, label %200

58:                                               ; preds = %55
  br i1 %27, label %59, label %62

59:                                               ; preds = %58
  %60 = load i64, ptr %1, align 8
  %61 = icmp eq i64 %60, 0
  br i1 %61, label %65, label %71

62:                                               ; preds = %58
  %63 = load ptr, ptr %15, align 8
  %64 = icmp eq ptr %63, null
  br i1 %64, label %65, label %71

65:                                               ; preds = %62, %59
  %66 = cmpxchg ptr %8, i32 0, i32 1 acq_rel monotonic, align 4
  %67 = extractvalue { i32, i1 } %66, 1
  br i1 %67, label %68, label %200

68:                                               ; preds = %65
  %69 = getelementptr inbounds i8, ptr %8, i64 4
  %70 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %69, i64 noundef 1020, ptr noundef nonnull @.str.85)
  br label %200

71:                                               ; preds = %62, %59
  br i1 %9, label %72, label %82

72:                                               ; preds = %71
  %73 = getelementptr inbounds i8, ptr %3, i64 16
  %74 = load ptr, ptr %73, align 8
  %75 = icmp eq ptr %74, null
  br i1 %75, label %76, label %85

76:                                               ; preds = %72
  %77 = cmpxchg ptr %8, i32 0, i32 1 acq_rel monotonic, align 4
  %78 = extractvalue { i32, i1 } %77, 1
  br i1 %78, label %79, label %200

79:                                               ; preds = %76
  %80 = getelementptr inbounds i8, ptr %8, i64 4
  %81 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %80, i64 noundef 1020, ptr noundef nonnull @.str.86)
  br label %200

82:                                               ; preds = %71
  %83 = call i32 @lift_cuda_malloc(ptr noundef nonnull %8, ptr noundef nonnull %3, ptr noundef null)
  %84 = icmp eq i32 %83, 0
  br i1 %84, label %85, label %200

85:                                               ; preds = %82, %72
  %86 = phi i32 [ 2, %82 ], [ 1, %72 ]
  %87 = getelementptr inbounds i8, ptr %6, i64 1536
  store i32 0, ptr %87, align 8
  %88 = getelementptr inbounds i8, ptr %6, i64 1544
  store i64 %14, ptr %88, align 8
  %89 = select i1 %27, i32 2, i32 1
  %90 = getelementptr inbounds i8, ptr %6, i64 1552
  store i32 %89, ptr %90, align 8
  %91 = getelementptr inbounds i8, ptr %6, i64 1556
  store i32 %86, ptr %91, align 4
  %92 = load i32, ptr %30, align 4
  %93 = getelementptr inbounds i8, ptr %1, i64 40
  %94 = getelementptr inbounds i8, ptr %3, i64 40
  %95 = call i32 @llvm.smax.i32(i32 %92, i32 0)
  %96 = zext nneg i32 %95 to i64
  br label %97

97:                                               ; preds = %144, %85
  %98 = phi i64 [ %145, %144 ], [ 0, %85 ]
  %99 = phi i64 [ %135, %144 ], [ 0, %85 ]
  %100 = icmp eq i64 %98, %96
  br i1 %100, label %146, label %101

101:                                              ; preds = %97
  %102 = load ptr, ptr %93, align 8
  %103 = getelementptr inbounds %struct.halide_dimension_t, ptr %102, i64 %98
  %104 = load ptr, ptr %94, align 8
  %105 = getelementptr inbounds %struct.halide_dimension_t, ptr %104, i64 %98
  %106 = load i32, ptr %105, align 4
  %107 = load i32, ptr %103, align 4
  %108 = icmp slt i32 %106, %107
  br i1 %108, label %121, label %109

109:                                              ; preds = %101
  %110 = sext i32 %106 to i64
  %111 = getelementptr inbounds i8, ptr %105, i64 4
  %112 = load i32, ptr %111, align 4
  %113 = sext i32 %112 to i64
  %114 = add nsw i64 %113, %110
  %115 = sext i32 %107 to i64
  %116 = getelementptr inbounds i8, ptr %103, i64 4
  %117 = load i32, ptr %116, align 4
  %118 = sext i32 %117 to i64
  %119 = add nsw i64 %118, %115
  %120 = icmp sgt i64 %114, %119
  br i1 %120, label %121, label %128

121:                                              ; preds = %109, %101
  %122 = cmpxchg ptr %8, i32 0, i32 1 acq_rel monotonic, align 4
  %123 = extractvalue { i32, i1 } %122, 1
  br i1 %123, label %124, label %200

124:                                              ; preds = %121
  %125 = trunc nuw nsw i64 %98 to i32
  %126 = getelementptr inbounds i8, ptr %8, i64 4
  %127 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %126, i64 noundef 1020, ptr noundef nonnull @.str.87, i32 noundef %125)
  br label %200

128:                                              ; preds = %109
  %129 = sub nsw i64 %110, %115
  %130 = getelementptr inbounds i8, ptr %103, i64 8
  %131 = load i32, ptr %130, align 4
  %132 = sext i32 %131 to i64
  %133 = mul nsw i64 %14, %132
  %134 = mul i64 %133, %129
  %135 = add nsw i64 %134, %99
  %136 = icmp eq i32 %112, 0
  br i1 %136, label %200, label %137

137:                                              ; preds = %128
  %138 = icmp sgt i32 %112, 1
  br i1 %138, label %139, label %144

139:                                              ; preds = %137
  %140 = getelementptr inbounds i8, ptr %105, i64 8
  %141 = load i32, ptr %140, align 4
  %142 = sext i32 %141 to i64
  %143 = mul nsw i64 %14, %142
  call fastcc void @add_step(ptr noundef nonnull %6, i64 noundef %113, i64 noundef %133, i64 noundef %143)
  br label %144

144:                                              ; preds = %139, %137
  %145 = add nuw nsw i64 %98, 1
  br label %97

146:                                              ; preds = %97
  call fastcc void @join_steps(ptr noundef nonnull %6)
  %147 = call fastcc i32 @enter(ptr noundef nonnull %8, ptr noundef nonnull %7)
  %148 = icmp eq i32 %147, 0
  br i1 %148, label %149, label %200

149:                                              ; preds = %146
  %150 = load i32, ptr %87, align 8
  br i1 %27, label %151, label %153

151:                                              ; preds = %149
  %152 = load i64, ptr %1, align 8
  br label %156

153:                                              ; preds = %149
  %154 = load ptr, ptr %15, align 8
  %155 = ptrtoint ptr %154 to i64
  br label %156

156:                                              ; preds = %153, %151
  %157 = phi i64 [ %152, %151 ], [ %155, %153 ]
  %158 = add i64 %157, %99
  br i1 %9, label %161, label %159

159:                                              ; preds = %156
  %160 = load i64, ptr %3, align 8
  br label %165

161:                                              ; preds = %156
  %162 = getelementptr inbounds i8, ptr %3, i64 16
  %163 = load ptr, ptr %162, align 8
  %164 = ptrtoint ptr %163 to i64
  br label %165

165:                                              ; preds = %161, %159
  %166 = phi i64 [ %160, %159 ], [ %164, %161 ]
  %167 = call fastcc i32 @copy_steps(ptr noundef nonnull %6, i32 noundef %150, i64 noundef %158, i64 noundef %166)
  %168 = icmp eq i32 %167, 0
  br i1 %168, label %169, label %173

169:                                              ; preds = %165
  %170 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 336), align 8
  %171 = call fastcc ptr @stream()
  %172 = call i32 %170(ptr noundef %171)
  br label %173

173:                                              ; preds = %169, %165
  %174 = phi i32 [ %167, %165 ], [ %172, %169 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5)
  %175 = getelementptr inbounds i8, ptr %7, i64 8
  %176 = load i32, ptr %175, align 8
  %177 = icmp eq i32 %176, 0
  br i1 %177, label %181, label %178

178:                                              ; preds = %173
  %179 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 176), align 8
  %180 = call i32 %179(ptr noundef nonnull %5)
  br label %181

181:                                              ; preds = %178, %173
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5)
  %182 = icmp eq i32 %174, 0
  br i1 %182, label %191, label %183

183:                                              ; preds = %181
  %184 = cmpxchg ptr %8, i32 0, i32 1 acq_rel monotonic, align 4
  %185 = extractvalue { i32, i1 } %184, 1
  br i1 %185, label %186, label %200

186:                                              ; preds = %183
  %187 = getelementptr inbounds i8, ptr %8, i64 4
  %188 = call fastcc ptr @sentence_of(i32 noundef %174)
  %189 = call fastcc ptr @name_of(i32 noundef %174)
  %190 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %187, i64 noundef 1020, ptr noundef nonnull @.str.88, ptr noundef %188, ptr noundef %189)
  br label %200

191:                                              ; preds = %181
  %192 = icmp eq ptr %1, %3
  br i1 %192, label %200, label %193

193:                                              ; preds = %191
  %194 = select i1 %9, i64 -3, i64 -2
  %195 = getelementptr inbounds i8, ptr %3, i64 24
  %196 = load i64, ptr %195, align 8
  %197 = and i64 %196, %194
  %198 = zext nneg i32 %86 to i64
  %199 = or i64 %197, %198
  store i64 %199, ptr %195, align 8
  br label %200

200:                                              ; preds = %128, %43, %46, %49, %52, %55, %65, %68, %76, %79, %82, %121, %124, %146, %183, %186, %191, %193
  %201 = phi i32 [ -39, %43 ], [ -39, %46 ], [ %50, %49 ], [ %53, %52 ], [ %56, %55 ], [ -39, %65 ], [ -39, %68 ], [ -39, %76 ], [ -39, %79 ], [ %83, %82 ], [ %147, %146 ], [ -39, %183 ], [ -39, %186 ], [ 0, %193 ], [ 0, %191 ], [ -39, %124 ], [ -39, %121 ], [ 0, %128 ]
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %7)
  call void @llvm.lifetime.end.p0(i64 1560, ptr nonnull %6)
  %202 = call fastcc i32 @told(ptr noundef nonnull %8, i32 noundef %201)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %8)
  ret i32 %201
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

11:                                               ; preds = %18, %3
  %12 = phi i64 [ %33, %18 ], [ 0, %3 ]
  %13 = phi i64 [ %32, %18 ], [ 0, %3 ]
  %14 = icmp eq i64 %12, %10
  br i1 %14, label %15, label %18

15:                                               ; preds = %11
  %16 = call fastcc i32 @alias(ptr noundef nonnull %4, ptr noundef nonnull %1, ptr noundef %2, i64 noundef %13)
  %17 = call fastcc i32 @told(ptr noundef nonnull %4, i32 noundef %16)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %4)
  ret i32 %16

18:                                               ; preds = %11
  %19 = load ptr, ptr %7, align 8
  %20 = getelementptr inbounds %struct.halide_dimension_t, ptr %19, i64 %12
  %21 = load i32, ptr %20, align 4
  %22 = sext i32 %21 to i64
  %23 = load ptr, ptr %8, align 8
  %24 = getelementptr inbounds %struct.halide_dimension_t, ptr %23, i64 %12
  %25 = load i32, ptr %24, align 4
  %26 = sext i32 %25 to i64
  %27 = sub nsw i64 %22, %26
  %28 = getelementptr inbounds i8, ptr %24, i64 8
  %29 = load i32, ptr %28, align 4
  %30 = sext i32 %29 to i64
  %31 = mul nsw i64 %27, %30
  %32 = add nsw i64 %31, %13
  %33 = add nuw nsw i64 %12, 1
  br label %11
}

define internal noundef i32 @interface_slice(ptr nocapture readnone %0, ptr nocapture noundef readonly %1, i32 noundef %2, i32 noundef %3, ptr nocapture noundef %4) {
  %6 = alloca %struct.failure, align 4
  call void @llvm.lifetime.start.p0(i64 1024, ptr nonnull %6)
  %7 = sext i32 %3 to i64
  %8 = getelementptr inbounds i8, ptr %1, i64 40
  %9 = load ptr, ptr %8, align 8
  %10 = sext i32 %2 to i64
  %11 = getelementptr inbounds %struct.halide_dimension_t, ptr %9, i64 %10
  %12 = load i32, ptr %11, align 4
  %13 = sext i32 %12 to i64
  %14 = sub nsw i64 %7, %13
  %15 = getelementptr inbounds i8, ptr %11, i64 8
  %16 = load i32, ptr %15, align 4
  %17 = sext i32 %16 to i64
  %18 = mul nsw i64 %14, %17
  store i32 0, ptr %6, align 4
  %19 = getelementptr inbounds i8, ptr %4, i64 36
  %20 = load i32, ptr %19, align 4
  %21 = getelementptr inbounds i8, ptr %4, i64 40
  %22 = tail call i32 @llvm.smax.i32(i32 %20, i32 0)
  %23 = zext nneg i32 %22 to i64
  br label %24

24:                                               ; preds = %31, %5
  %25 = phi i64 [ %33, %31 ], [ 0, %5 ]
  %26 = phi i64 [ %48, %31 ], [ %18, %5 ]
  %27 = icmp eq i64 %25, %23
  br i1 %27, label %28, label %31

28:                                               ; preds = %24
  %29 = call fastcc i32 @alias(ptr noundef nonnull %6, ptr noundef %1, ptr noundef nonnull %4, i64 noundef %26)
  %30 = call fastcc i32 @told(ptr noundef nonnull %6, i32 noundef %29)
  call void @llvm.lifetime.end.p0(i64 1024, ptr nonnull %6)
  ret i32 %29

31:                                               ; preds = %24
  %32 = icmp slt i64 %25, %10
  %33 = add nuw nsw i64 %25, 1
  %34 = select i1 %32, i64 %25, i64 %33
  %35 = and i64 %34, 4294967295
  %36 = getelementptr inbounds %struct.halide_dimension_t, ptr %9, i64 %35
  %37 = load ptr, ptr %21, align 8
  %38 = getelementptr inbounds %struct.halide_dimension_t, ptr %37, i64 %25
  %39 = load i32, ptr %38, align 4
  %40 = sext i32 %39 to i64
  %41 = load i32, ptr %36, align 4
  %42 = sext i32 %41 to i64
  %43 = sub nsw i64 %40, %42
  %44 = getelementptr inbounds i8, ptr %36, i64 8
  %45 = load i32, ptr %44, align 4
  %46 = sext i32 %45 to i64
  %47 = mul nsw i64 %43, %46
  %48 = add nsw i64 %47, %26
  br label %24
}

define internal noundef i32 @interface_let_go(ptr nocapture readnone %0, ptr nocapture noundef %1) {
  store i64 0, ptr %1, align 8
  %3 = getelementptr inbounds i8, ptr %1, i64 8
  store ptr null, ptr %3, align 8
  %4 = getelementptr inbounds i8, ptr %1, i64 24
  %5 = load i64, ptr %4, align 8
  %6 = and i64 %5, -3
  store i64 %6, ptr %4, align 8
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
  %13 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %12, i64 noundef 1020, ptr noundef nonnull @.str.90)
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
  %10 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), align 8
  %11 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 92), align 4
  %12 = call i32 %10(ptr noundef %1, i32 noundef 75, i32 noundef %11)
  %13 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 152), align 8
  %14 = load i32, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 92), align 4
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

9:                                                ; preds = %48, %3
  %10 = phi i64 [ %57, %48 ], [ 0, %3 ]
  %11 = phi i64 [ %55, %48 ], [ 0, %3 ]
  %12 = phi i64 [ %56, %48 ], [ 0, %3 ]
  %13 = icmp eq i64 %10, %8
  br i1 %13, label %58, label %14

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
  br i1 %22, label %23, label %68

23:                                               ; preds = %20
  %24 = getelementptr inbounds i8, ptr %16, i64 4
  %25 = trunc nuw nsw i64 %10 to i32
  %26 = getelementptr inbounds i8, ptr %0, i64 4
  %27 = icmp eq ptr %2, null
  %28 = select i1 %27, ptr @.str.14, ptr %2
  %29 = load i32, ptr %24, align 4
  %30 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %26, i64 noundef 1020, ptr noundef nonnull @.str.12, ptr noundef nonnull %28, i32 noundef %25, i32 noundef %29)
  br label %68

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
  br i1 %39, label %40, label %68

40:                                               ; preds = %37
  %41 = getelementptr inbounds i8, ptr %16, i64 8
  %42 = trunc nuw nsw i64 %10 to i32
  %43 = getelementptr inbounds i8, ptr %0, i64 4
  %44 = icmp eq ptr %2, null
  %45 = select i1 %44, ptr @.str.14, ptr %2
  %46 = load i32, ptr %41, align 4
  %47 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %43, i64 noundef 1020, ptr noundef nonnull @.str.13, i32 noundef %42, ptr noundef nonnull %45, i32 noundef %46)
  br label %68

48:                                               ; preds = %31
  %49 = icmp eq i32 %18, 0
  %50 = add nsw i32 %18, -1
  %51 = zext nneg i32 %50 to i64
  %52 = sext i32 %33 to i64
  %53 = mul nsw i64 %52, %51
  %54 = select i1 %49, i64 0, i64 %53
  %55 = add nsw i64 %54, %11
  %56 = select i1 %49, i64 1, i64 %12
  %57 = add nuw nsw i64 %10, 1
  br label %9

58:                                               ; preds = %9
  %59 = icmp eq i64 %12, 0
  br i1 %59, label %60, label %68

60:                                               ; preds = %58
  %61 = add nsw i64 %11, 1
  %62 = getelementptr inbounds i8, ptr %1, i64 33
  %63 = load i8, ptr %62, align 1
  %64 = zext i8 %63 to i64
  %65 = add nuw nsw i64 %64, 7
  %66 = lshr i64 %65, 3
  %67 = mul nsw i64 %66, %61
  br label %68

68:                                               ; preds = %20, %23, %37, %40, %60, %58
  %69 = phi i64 [ %67, %60 ], [ 0, %58 ], [ -16, %40 ], [ -16, %37 ], [ -28, %23 ], [ -28, %20 ]
  ret i64 %69
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
  %21 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 304), align 8
  %22 = tail call fastcc ptr @stream()
  %23 = tail call i32 %21(i64 noundef %3, ptr noundef %14, i64 noundef %16, ptr noundef %22)
  br label %116

24:                                               ; preds = %6
  br i1 %12, label %25, label %32

25:                                               ; preds = %24
  %26 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 312), align 8
  %27 = inttoptr i64 %3 to ptr
  %28 = getelementptr inbounds i8, ptr %0, i64 1544
  %29 = load i64, ptr %28, align 8
  %30 = tail call fastcc ptr @stream()
  %31 = tail call i32 %26(ptr noundef %27, i64 noundef %2, i64 noundef %29, ptr noundef %30)
  br label %116

32:                                               ; preds = %24
  %33 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 320), align 8
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
  %93 = load ptr, ptr getelementptr inbounds (i8, ptr @lift_cuda_1, i64 328), align 8
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

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr

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

declare noalias ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr

declare void @free(ptr noundef) local_unnamed_addr

declare ptr @pthread_getspecific(i32 noundef) local_unnamed_addr

declare i32 @pthread_key_create(ptr noundef, ptr noundef) local_unnamed_addr

declare i32 @getpid() local_unnamed_addr

declare ptr @getenv(ptr noundef) local_unnamed_addr

declare ptr @dlopen(ptr noundef, i32 noundef) local_unnamed_addr

declare ptr @dlerror() local_unnamed_addr

declare i32 @atoi(ptr noundef) local_unnamed_addr

declare ptr @dlsym(ptr noundef, ptr noundef) local_unnamed_addr

declare i32 @strcmp(ptr noundef, ptr noundef) local_unnamed_addr

declare void @lift_error(ptr noundef) local_unnamed_addr

declare i64 @atoll(ptr noundef) local_unnamed_addr

declare i32 @posix_memalign(ptr noundef, i64 noundef, i64 noundef) local_unnamed_addr

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
  %15 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %14, i64 noundef 1020, ptr noundef nonnull @.str.89)
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
  %35 = and i64 %34, 2
  %36 = or disjoint i64 %35, %32
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
