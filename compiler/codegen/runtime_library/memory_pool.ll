; The memory pool that intermediates come from: pages that were touched once stay mapped and warm.
;
; Blocks have one of four sizes in each doubling (256, 320, 384, 448, 512, 640, ... bytes). A freed
; block goes on the list of its size in its thread's shard; a thread's next block of that size is
; the one that it freed last, the one most likely in its cache. Where a thread has none it takes one
; of another shard's, so that memory does not grow with the number of threads. What a thread's shard
; is follows from the address of its stack: the C library's threads have stacks of 8 MiB.
;
; Nobody ever waits for a lock: who finds one closed goes on to the next shard, or to the C library.
; So a child that was forked while another thread held a lock loses a list, and never hangs.
;
; Free blocks together hold at most the limit: LIFT_POOL_BYTES, or a quarter of the machine's memory.
; Beyond it all free blocks go back to the C library, as they do when that has no memory left.
;
; Every symbol is weak, so that the linker keeps one copy.

%lift.header = type {
  ptr,  ; 0: what the C library gave
  i64,  ; 1: bytes of the block, this header included
  i64,  ; 2: the number of the size
  ptr   ; 3: on a list: the next block
}

%lift.bin = type {
  i64,  ; 0: 1 while somebody changes the list
  ptr   ; 1: the newest free block
}

%lift.shard = type {
  i64,               ; 0: bytes of its free blocks
  [7 x i64],         ; the rest of the cache line
  [164 x %lift.bin]  ; 2: by number of the size
}

@lift_memory_1 = weak global [16 x %lift.shard] zeroinitializer, align 64
@lift_memory_limit_1 = weak global i64 -1, align 64
@lift_memory_colour_1 = weak global i64 0, align 64
@lift.memory_variable = private constant [16 x i8] c"LIFT_POOL_BYTES\00"

declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare ptr @getenv(ptr)
declare i64 @strtoll(ptr, ptr, i32)
declare i64 @sysconf(i32)
declare i32 @sched_yield()
declare void @lift_wish_for_large_pages(ptr, i64)
declare i64 @llvm.ctlz.i64(i64, i1)
declare ptr @llvm.frameaddress.p0(i32)

; LIFT_POOL_BYTES where it is a number that is not negative, else a quarter of the memory.
define weak i64 @lift_memory_limit() {
entry:
  %known = load atomic i64, ptr @lift_memory_limit_1 monotonic, align 8
  %set = icmp sge i64 %known, 0
  br i1 %set, label %give, label %ask
give:
  ret i64 %known
ask:
  %text = call ptr @getenv(ptr @lift.memory_variable)
  %unset = icmp eq ptr %text, null
  br i1 %unset, label %measure, label %read
read:
  %number = call i64 @strtoll(ptr %text, ptr null, i32 10)
  %fits = icmp sge i64 %number, 0
  br i1 %fits, label %keep, label %measure
measure:
  %pages = call i64 @sysconf(i32 $PHYSICAL_PAGES)
  %page = call i64 @sysconf(i32 $PAGE_BYTES)
  %memory = mul i64 %pages, %page
  %quarter = lshr i64 %memory, 2
  br label %keep
keep:
  %limit = phi i64 [ %number, %read ], [ %quarter, %measure ]
  store atomic i64 %limit, ptr @lift_memory_limit_1 monotonic, align 8
  ret i64 %limit
}

; The bytes that all free blocks hold.
define weak i64 @lift_memory_held() {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %following, %next ]
  %sum = phi i64 [ 0, %entry ], [ %more, %next ]
  %held.p = getelementptr %lift.shard, ptr @lift_memory_1, i64 %i
  %held = load atomic i64, ptr %held.p monotonic, align 8
  %more = add i64 %sum, %held
  %following = add i64 %i, 1
  %last = icmp eq i64 %following, 16
  br i1 %last, label %done, label %next
done:
  ret i64 %more
}

; Gives all free blocks back to the C library.
define weak void @lift_release_memory() {
entry:
  br label %bin
bin:
  %place = phi i64 [ 0, %entry ], [ %following, %step ]
  %shard = udiv i64 %place, 164
  %size = urem i64 %place, 164
  %lock = getelementptr [16 x %lift.shard], ptr @lift_memory_1, i64 0, i64 %shard, i32 2, i64 %size
  %head.p = getelementptr %lift.bin, ptr %lock, i32 0, i32 1
  %peeked = load atomic ptr, ptr %head.p monotonic, align 8
  %empty = icmp eq ptr %peeked, null
  br i1 %empty, label %step, label %try
try:
  %closed = atomicrmw xchg ptr %lock, i64 1 acquire
  %free = icmp eq i64 %closed, 0
  br i1 %free, label %take, label %step
take:
  %list = load ptr, ptr %head.p
  store atomic ptr null, ptr %head.p monotonic, align 8
  store atomic i64 0, ptr %lock release, align 8
  br label %look
look:
  %block = phi ptr [ %list, %take ], [ %next, %return ]
  %none = icmp eq ptr %block, null
  br i1 %none, label %step, label %return
return:
  %bytes.p = getelementptr %lift.header, ptr %block, i32 0, i32 1
  %bytes = load i64, ptr %bytes.p
  %next.p = getelementptr %lift.header, ptr %block, i32 0, i32 3
  %next = load ptr, ptr %next.p
  %given = load ptr, ptr %block
  %held.p = getelementptr %lift.shard, ptr @lift_memory_1, i64 %shard
  atomicrmw sub ptr %held.p, i64 %bytes monotonic
  call void @free(ptr %given)
  br label %look
step:
  %following = add i64 %place, 1
  %last = icmp eq i64 %following, 2624
  br i1 %last, label %done, label %bin
done:
  ret void
}

; Lets free blocks hold at most `bytes` from now on; fewer than 0 asks the environment again.
define weak void @lift_set_memory_limit(i64 %bytes) {
  store atomic i64 %bytes, ptr @lift_memory_limit_1 monotonic, align 8
  call void @lift_release_memory()
  ret void
}

define linkonce_odr i64 @lift_memory_shard() {
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %address = ptrtoint ptr %frame to i64
  %stack = lshr i64 %address, 23
  %shard = and i64 %stack, 15
  ret i64 %shard
}

; A free block of this size, or null. Looks at the caller's own shard first.
define linkonce_odr ptr @lift_free_block(i64 %shard, i64 %size) {
entry:
  br label %look
look:
  %i = phi i64 [ 0, %entry ], [ %following, %step ]
  %turned = add i64 %shard, %i
  %at = and i64 %turned, 15
  %lock = getelementptr [16 x %lift.shard], ptr @lift_memory_1, i64 0, i64 %at, i32 2, i64 %size
  %head.p = getelementptr %lift.bin, ptr %lock, i32 0, i32 1
  %peeked = load atomic ptr, ptr %head.p monotonic, align 8
  %empty = icmp eq ptr %peeked, null
  br i1 %empty, label %step, label %try
try:
  %closed = atomicrmw xchg ptr %lock, i64 1 acquire
  %open = icmp eq i64 %closed, 0
  br i1 %open, label %take, label %step
take:
  %block = load ptr, ptr %head.p
  %gone = icmp eq ptr %block, null
  br i1 %gone, label %leave, label %unlink
leave:
  store atomic i64 0, ptr %lock release, align 8
  br label %step
unlink:
  %next.p = getelementptr %lift.header, ptr %block, i32 0, i32 3
  %next = load ptr, ptr %next.p
  store atomic ptr %next, ptr %head.p monotonic, align 8
  store atomic i64 0, ptr %lock release, align 8
  %bytes.p = getelementptr %lift.header, ptr %block, i32 0, i32 1
  %bytes = load i64, ptr %bytes.p
  %held.p = getelementptr %lift.shard, ptr @lift_memory_1, i64 %at
  atomicrmw sub ptr %held.p, i64 %bytes monotonic
  ret ptr %block
step:
  %following = add i64 %i, 1
  %last = icmp eq i64 %following, 16
  br i1 %last, label %none, label %look
none:
  ret ptr null
}

; A new block of `bytes`, in large pages where it is large, or null.
define linkonce_odr ptr @lift_new_block(i64 %bytes, i64 %size) {
entry:
  %huge = icmp uge i64 %bytes, 4194304
  %large = icmp uge i64 %bytes, 32768
  %page = select i1 %large, i64 4096, i64 64
  %alignment = select i1 %huge, i64 2097152, i64 %page
  %less = sub i64 %alignment, 1
  %raised = add i64 %bytes, %less
  %mask = sub i64 0, %alignment
  %room = and i64 %raised, %mask
  %first = call ptr @aligned_alloc(i64 %alignment, i64 %room)
  %refused = icmp eq ptr %first, null
  br i1 %refused, label %again, label %got
again:
  call void @lift_release_memory()
  %second = call ptr @aligned_alloc(i64 %alignment, i64 %room)
  %lost = icmp eq ptr %second, null
  br i1 %lost, label %none, label %got
none:
  ret ptr null
got:
  %given = phi ptr [ %first, %entry ], [ %second, %again ]
  br i1 %huge, label %wish, label %place
wish:
  call void @lift_wish_for_large_pages(ptr %given, i64 %room)
  br label %place
place:
  ; Large blocks start at different places of a page: buffers that are walked together would
  ; otherwise meet in the same sets of the caches, and stores would hold up loads 4 KiB away.
  %turn = atomicrmw add ptr @lift_memory_colour_1, i64 5 monotonic
  %colour = and i64 %turn, 15
  %shift = shl i64 %colour, 8
  %offset = select i1 %large, i64 %shift, i64 0
  %block = getelementptr i8, ptr %given, i64 %offset
  store ptr %given, ptr %block
  %bytes.p = getelementptr %lift.header, ptr %block, i32 0, i32 1
  store i64 %bytes, ptr %bytes.p
  %size.p = getelementptr %lift.header, ptr %block, i32 0, i32 2
  store i64 %size, ptr %size.p
  ret ptr %block
}

; Memory for `bytes` bytes at an address that 64 divides, or null where there is none.
define weak noalias align 64 ptr @lift_allocate(i64 %bytes) noinline nounwind {
entry:
  %possible = icmp ult i64 %bytes, 70368744177664
  br i1 %possible, label %measure, label %none
none:
  ret ptr null
measure:
  %with.header = add i64 %bytes, 64
  %large = icmp uge i64 %with.header, 28672
  %page = select i1 %large, i64 4096, i64 0
  %whole = add i64 %with.header, %page
  %less = sub i64 %whole, 1
  %small = icmp ult i64 %less, 256
  %counted = select i1 %small, i64 255, i64 %less
  ; Four sizes a doubling: the two bits after the leading one say which.
  %zeros = call i64 @llvm.ctlz.i64(i64 %counted, i1 true)
  %log = sub i64 63, %zeros
  %low = sub i64 %log, 2
  %leading = lshr i64 %counted, %low
  %part = and i64 %leading, 3
  %doubling = mul i64 %log, 4
  %based = sub i64 %doubling, 31
  %size = add i64 %based, %part
  %steps = add i64 %part, 5
  %block.bytes = shl i64 %steps, %low
  %shard = call i64 @lift_memory_shard()
  %found = call ptr @lift_free_block(i64 %shard, i64 %size)
  %fits = icmp ne ptr %found, null
  br i1 %fits, label %give, label %larger
larger:
  ; A block that is up to twice as large and has its pages is better than a new one.
  %expensive = icmp uge i64 %block.bytes, 1048576
  br i1 %expensive, label %next, label %make
next:
  %i = phi i64 [ 1, %larger ], [ %following, %step ]
  %above = add i64 %size, %i
  %other = call ptr @lift_free_block(i64 %shard, i64 %above)
  %has = icmp ne ptr %other, null
  br i1 %has, label %give, label %step
step:
  %following = add i64 %i, 1
  %end = icmp eq i64 %following, 5
  br i1 %end, label %make, label %next
make:
  %new = call ptr @lift_new_block(i64 %block.bytes, i64 %size)
  %lost = icmp eq ptr %new, null
  br i1 %lost, label %none, label %give
give:
  %block = phi ptr [ %found, %measure ], [ %other, %next ], [ %new, %make ]
  %address = getelementptr i8, ptr %block, i64 64
  ret ptr %address
}

; Takes back what lift_allocate gave; null is nothing.
define weak void @lift_free(ptr %address) noinline nounwind {
entry:
  %nothing = icmp eq ptr %address, null
  br i1 %nothing, label %done, label %known
done:
  ret void
known:
  %block = getelementptr i8, ptr %address, i64 -64
  %bytes.p = getelementptr %lift.header, ptr %block, i32 0, i32 1
  %bytes = load i64, ptr %bytes.p
  %size.p = getelementptr %lift.header, ptr %block, i32 0, i32 2
  %size = load i64, ptr %size.p
  %next.p = getelementptr %lift.header, ptr %block, i32 0, i32 3
  %shard = call i64 @lift_memory_shard()
  ; Only a shard that holds more than its share makes a thread look at the other shards' counts.
  %limit = call i64 @lift_memory_limit()
  %share = lshr i64 %limit, 4
  %own.p = getelementptr %lift.shard, ptr @lift_memory_1, i64 %shard
  %own = load atomic i64, ptr %own.p monotonic, align 8
  %after = add i64 %own, %bytes
  %modest = icmp ule i64 %after, %share
  br i1 %modest, label %look, label %sum
sum:
  %held = call i64 @lift_memory_held()
  %total = add i64 %held, %bytes
  %within = icmp ule i64 %total, %limit
  br i1 %within, label %look, label %trim
trim:
  call void @lift_release_memory()
  %alone = icmp ule i64 %bytes, %limit
  br i1 %alone, label %look, label %return
look:
  %i = phi i64 [ 0, %known ], [ 0, %sum ], [ 0, %trim ], [ %following, %step ]
  %turned = add i64 %shard, %i
  %at = and i64 %turned, 15
  %lock = getelementptr [16 x %lift.shard], ptr @lift_memory_1, i64 0, i64 %at, i32 2, i64 %size
  %closed = atomicrmw xchg ptr %lock, i64 1 acquire
  %open = icmp eq i64 %closed, 0
  br i1 %open, label %link, label %step
link:
  %head.p = getelementptr %lift.bin, ptr %lock, i32 0, i32 1
  %newest = load ptr, ptr %head.p
  store ptr %newest, ptr %next.p
  ; Counted first: who takes the block at once must not bring the count below zero.
  %held.p = getelementptr %lift.shard, ptr @lift_memory_1, i64 %at
  atomicrmw add ptr %held.p, i64 %bytes monotonic
  store atomic ptr %block, ptr %head.p monotonic, align 8
  store atomic i64 0, ptr %lock release, align 8
  br label %done
step:
  %following = add i64 %i, 1
  %last = icmp eq i64 %following, 16
  br i1 %last, label %return, label %look
return:
  %given = load ptr, ptr %block
  call void @free(ptr %given)
  br label %done
}

; What lift_allocate gives; where there is nothing left, the block of `reserve` ({ block, 1 while
; somebody has it }), for which the caller waits.
define weak noalias align 64 ptr @lift_allocate_or_wait(i64 %bytes, ptr %reserve) noinline nounwind {
entry:
  %own = call ptr @lift_allocate(i64 %bytes)
  %fine = icmp ne ptr %own, null
  br i1 %fine, label %give, label %prepare
give:
  ret ptr %own
prepare:
  %taken.p = getelementptr { ptr, i64 }, ptr %reserve, i32 0, i32 1
  br label %try
try:
  %before = atomicrmw xchg ptr %taken.p, i64 1 acquire
  %free = icmp eq i64 %before, 0
  br i1 %free, label %take, label %wait
wait:
  call i32 @sched_yield()
  br label %try
take:
  %block = load ptr, ptr %reserve
  ret ptr %block
}

; Takes back what lift_allocate_or_wait gave.
define weak void @lift_give_back(ptr %address, ptr %reserve) noinline nounwind {
entry:
  %block = load ptr, ptr %reserve
  %borrowed = icmp eq ptr %address, %block
  br i1 %borrowed, label %open, label %release
open:
  %taken.p = getelementptr { ptr, i64 }, ptr %reserve, i32 0, i32 1
  store atomic i64 0, ptr %taken.p release, align 8
  ret void
release:
  call void @lift_free(ptr %address)
  ret void
}
