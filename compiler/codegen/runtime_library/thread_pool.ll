; The thread pool that parallel loops share: one a program, however many lifted objects it links.
;
; A parallel loop is a job on its caller's stack. The caller takes ranges of it like every worker
; does; a worker joins a job under the lock, takes ranges without it, and leaves under the lock. The
; caller takes its job off the list when no range is left, then waits until nobody is in it. While it
; waits it helps with jobs that are newer than its own, one range at a time: those are what the loops
; inside of its own ranges wait for.
;
; Who finds nothing to do looks on for a moment before it sleeps: in a pipeline the next loop is
; rarely far, and waking somebody takes longer than many a loop.
;
; Every symbol is weak, so that the linker keeps one copy. Locks and conditions get more room than
; any C library on a supported machine needs.

%lift.pool = type {
  i32,        ; 0: 0 untouched, 1 being made ready, 2 ready
  i32,        ; 1: how many threads may work on a job, its caller included
  i32,        ; 2: how many workers were started
  i32,        ; 3: the process that made it ready; a forked child starts again
  ptr,        ; 4: the newest job
  [64 x i8],  ; 5: the lock of this record and of the jobs' lists and counts
  [64 x i8],  ; 6: the condition that there is a new job
  [64 x i8],  ; 7: the condition that a job lost its last worker, or that there is a new one
  i64         ; 8: how many jobs there have been
}

%lift.job = type {
  ptr,  ; 0: int (*body)(int begin, int end, void *closure)
  ptr,  ; 1: the closure
  i64,  ; 2: the next iteration to hand out, counted from 0
  i64,  ; 3: the number of iterations
  i64,  ; 4: iterations in one range
  i32,  ; 5: the first iteration's value
  i32,  ; 6: workers in the job, the caller not counted
  i32,  ; 7: the first error's code, or 0
  ptr,  ; 8: the next older job
  i64,  ; 9: its number; newer jobs have larger ones
  i64   ; 10: the caller's float modes, in which every range of it runs
}

; What an iteration of a loop took when it last ran, in 1/16 nanoseconds, by its body's address. Two
; loops may share an entry, and two threads write one: whoever reads a wrong number wakes others too
; early or too late, nothing else.
%lift.cost = type { ptr, i64 }

@lift_costs_1 = weak global [256 x %lift.cost] zeroinitializer, align 64
@lift_pool_3 = weak global %lift.pool zeroinitializer, align 64
@lift.threads_variable = private constant [17 x i8] c"LIFT_NUM_THREADS\00"

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(ptr)
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare i32 @clock_gettime(i32, ptr)
declare i32 @getpid()
declare i32 @sched_yield()
declare ptr @getenv(ptr)
declare i32 @atoi(ptr)
declare i32 @lift_available_cores()
declare i64 @lift_float_modes()
declare void @lift_set_float_modes(i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)

; Nanoseconds on a clock that never goes back.
define linkonce_odr i64 @lift_nanoseconds() {
  %time = alloca { i64, i64 }
  call i32 @clock_gettime(i32 $MONOTONIC, ptr %time)
  %seconds = load i64, ptr %time
  %rest.p = getelementptr { i64, i64 }, ptr %time, i32 0, i32 1
  %rest = load i64, ptr %rest.p
  %whole = mul i64 %seconds, 1000000000
  %sum = add i64 %whole, %rest
  ret i64 %sum
}

; LIFT_NUM_THREADS where it is a positive number, else the cores that this process may use.
define linkonce_odr i32 @lift_wanted_threads() {
  %text = call ptr @getenv(ptr @lift.threads_variable)
  %unset = icmp eq ptr %text, null
  br i1 %unset, label %all, label %read
read:
  %number = call i32 @atoi(ptr %text)
  %positive = icmp sgt i32 %number, 0
  br i1 %positive, label %given, label %all
given:
  ret i32 %number
all:
  %cores = call i32 @lift_available_cores()
  ret i32 %cores
}

; Makes the pool ready if it is not, and gives the number of threads that may work on a job.
define weak i32 @lift_num_threads() {
entry:
  %process = call i32 @getpid()
  br label %look
look:
  %state = load atomic i32, ptr @lift_pool_3 acquire, align 64
  %ready = icmp eq i32 %state, 2
  br i1 %ready, label %check, label %claim
check:
  %owner = load i32, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 3)
  %ours = icmp eq i32 %owner, %process
  br i1 %ours, label %give, label %claim
claim:
  %busy = icmp eq i32 %state, 1
  br i1 %busy, label %pause, label %take
take:
  %taken = cmpxchg ptr @lift_pool_3, i32 %state, i32 1 acquire monotonic
  %mine = extractvalue { i32, i1 } %taken, 1
  br i1 %mine, label %make, label %look
pause:
  call i32 @sched_yield()
  br label %look
make:
  %wanted = call i32 @lift_wanted_threads()
  store i32 %wanted, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 1)
  store i32 0, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 2)
  store i32 %process, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 3)
  store ptr null, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 4)
  call i32 @pthread_mutex_init(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5), ptr null)
  call i32 @pthread_cond_init(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 6), ptr null)
  call i32 @pthread_cond_init(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 7), ptr null)
  store atomic i32 2, ptr @lift_pool_3 release, align 64
  br label %give
give:
  %threads = load i32, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 1)
  ret i32 %threads
}

; Says how many threads may work on a job from now on; fewer than 1 means 1.
define weak void @lift_set_num_threads(i32 %wanted) {
  call i32 @lift_num_threads()
  %positive = icmp sgt i32 %wanted, 0
  %threads = select i1 %positive, i32 %wanted, i32 1
  store i32 %threads, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 1)
  ret void
}

; Takes ranges of the job and runs them until none is left, or just one.
define linkonce_odr void @lift_work_on(ptr %job, i1 %once) {
entry:
  %body = load ptr, ptr %job
  %closure.p = getelementptr %lift.job, ptr %job, i32 0, i32 1
  %closure = load ptr, ptr %closure.p
  %next.p = getelementptr %lift.job, ptr %job, i32 0, i32 2
  %end.p = getelementptr %lift.job, ptr %job, i32 0, i32 3
  %end = load i64, ptr %end.p
  %range.p = getelementptr %lift.job, ptr %job, i32 0, i32 4
  %range = load i64, ptr %range.p
  %min.p = getelementptr %lift.job, ptr %job, i32 0, i32 5
  %min = load i32, ptr %min.p
  %error.p = getelementptr %lift.job, ptr %job, i32 0, i32 7
  %modes.p = getelementptr %lift.job, ptr %job, i32 0, i32 10
  %modes = load i64, ptr %modes.p
  %own = call i64 @lift_float_modes()
  %usual = icmp eq i64 %own, %modes
  br i1 %usual, label %take, label %change
change:
  call void @lift_set_float_modes(i64 %modes)
  br label %take
take:
  %first = atomicrmw add ptr %next.p, i64 %range acq_rel
  %any = icmp slt i64 %first, %end
  br i1 %any, label %run, label %done
run:
  %beyond = add i64 %first, %range
  %last = call i64 @llvm.smin.i64(i64 %beyond, i64 %end)
  %first.32 = trunc i64 %first to i32
  %last.32 = trunc i64 %last to i32
  %from = add i32 %min, %first.32
  %to = add i32 %min, %last.32
  %status = call i32 %body(i32 %from, i32 %to, ptr %closure)
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %on, label %failed
on:
  br i1 %once, label %done, label %take
failed:
  cmpxchg ptr %error.p, i32 0, i32 %status acq_rel monotonic
  store atomic i64 %end, ptr %next.p release, align 8
  br label %done
done:
  br i1 %usual, label %leave, label %restore
restore:
  call void @lift_set_float_modes(i64 %own)
  br label %leave
leave:
  ret void
}

; What a worker does all its life: joins the newest job that has a range left, or waits for one.
define linkonce_odr ptr @lift_worker(ptr %unused) {
entry:
  call i32 @pthread_mutex_lock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  br label %search
search:
  ; Whether this thread has just worked, and so may watch for more before it sleeps.
  %fresh = phi i1 [ true, %entry ], [ false, %watch ], [ false, %sleep ], [ true, %join ], [ true, %tell ]
  %newest = load ptr, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 4)
  br label %look
look:
  %job = phi ptr [ %newest, %search ], [ %older, %skip ]
  %none = icmp eq ptr %job, null
  br i1 %none, label %wait, label %examine
examine:
  %next.p = getelementptr %lift.job, ptr %job, i32 0, i32 2
  %next = load atomic i64, ptr %next.p acquire, align 8
  %end.p = getelementptr %lift.job, ptr %job, i32 0, i32 3
  %end = load i64, ptr %end.p
  %any = icmp slt i64 %next, %end
  br i1 %any, label %join, label %skip
skip:
  %older.p = getelementptr %lift.job, ptr %job, i32 0, i32 8
  %older = load ptr, ptr %older.p
  br label %look
wait:
  br i1 %fresh, label %watch, label %sleep
watch:
  ; Only a look without the lock: who sees something new looks again under it.
  %seen = load i64, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 8)
  call i32 @pthread_mutex_unlock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  call void @lift_watch(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 8), i64 %seen, ptr @lift_pool_3)
  call i32 @pthread_mutex_lock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  br label %search
sleep:
  call i32 @pthread_cond_wait(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 6), ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  br label %search
join:
  call void @lift_join(ptr %job)
  call void @lift_work_on(ptr %job, i1 false)
  %last = call i1 @lift_leave(ptr %job)
  br i1 %last, label %tell, label %search
tell:
  call i32 @pthread_cond_broadcast(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 7))
  br label %search
}

; Enters a job; needs the lock, and opens it.
define linkonce_odr void @lift_join(ptr %job) {
  %workers.p = getelementptr %lift.job, ptr %job, i32 0, i32 6
  %before = load i32, ptr %workers.p
  %joined = add i32 %before, 1
  store atomic i32 %joined, ptr %workers.p monotonic, align 4
  call i32 @pthread_mutex_unlock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  ret void
}

; Leaves a job, and closes the lock; whether nobody is in it now. Its caller may be gone then.
define linkonce_odr i1 @lift_leave(ptr %job) {
  call i32 @pthread_mutex_lock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  %workers.p = getelementptr %lift.job, ptr %job, i32 0, i32 6
  %now = load i32, ptr %workers.p
  %left = sub i32 %now, 1
  store atomic i32 %left, ptr %workers.p release, align 4
  %last = icmp eq i32 %left, 0
  ret i1 %last
}

; Looks until the number at `place` is another than `before`, or nobody is in the job whose workers
; are counted at `workers`, for 20 microseconds at most.
define linkonce_odr void @lift_watch(ptr %place, i64 %before, ptr %workers) {
entry:
  %started = call i64 @lift_nanoseconds()
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ 0, %time ], [ %following, %again ]
  $PAUSE
  %now = load atomic i64, ptr %place monotonic, align 8
  %same = icmp eq i64 %now, %before
  %inside = load atomic i32, ptr %workers acquire, align 4
  %busy = icmp ne i32 %inside, 0
  %on = and i1 %same, %busy
  br i1 %on, label %again, label %done
again:
  %following = add i32 %i, 1
  %long = icmp sgt i32 %following, 32
  br i1 %long, label %time, label %turn
time:
  %clock = call i64 @lift_nanoseconds()
  %passed = sub i64 %clock, %started
  %over = icmp sgt i64 %passed, 20000
  br i1 %over, label %done, label %turn
done:
  ret void
}

; Starts workers until there is one for each thread but the caller; needs the lock. Where a thread
; cannot be started the ones that are there do the work.
define linkonce_odr void @lift_start_workers(i32 %threads) {
entry:
  %handle = alloca i64
  %wanted = sub i32 %threads, 1
  br label %next
next:
  %started = load i32, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 2)
  %enough = icmp sge i32 %started, %wanted
  br i1 %enough, label %done, label %start
start:
  %status = call i32 @pthread_create(ptr %handle, ptr null, ptr @lift_worker, ptr null)
  %fine = icmp eq i32 %status, 0
  br i1 %fine, label %count, label %done
count:
  %thread = load ptr, ptr %handle
  call i32 @pthread_detach(ptr %thread)
  %more = add i32 %started, 1
  store i32 %more, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 2)
  br label %next
done:
  ret void
}

; Takes the job off the list; needs the lock.
define linkonce_odr void @lift_unlink(ptr %job) {
entry:
  %older.p = getelementptr %lift.job, ptr %job, i32 0, i32 8
  %older = load ptr, ptr %older.p
  br label %look
look:
  %link = phi ptr [ getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 4), %entry ], [ %following, %step ]
  %at = load ptr, ptr %link
  %found = icmp eq ptr %at, %job
  br i1 %found, label %remove, label %step
step:
  %following = getelementptr %lift.job, ptr %at, i32 0, i32 8
  br label %look
remove:
  store ptr %older, ptr %link
  ret void
}

; Where the cost of the loop with this body is kept.
define linkonce_odr ptr @lift_cost_of(ptr %body) {
  %number = ptrtoint ptr %body to i64
  %mixed = mul i64 %number, -7046029254386353131
  %place = lshr i64 %mixed, 56
  %entry = getelementptr [256 x %lift.cost], ptr @lift_costs_1, i64 0, i64 %place
  ret ptr %entry
}

; Remembers that `count` iterations of a loop took one thread `spent` nanoseconds.
define linkonce_odr void @lift_learn(ptr %body, i64 %spent, i64 %count) {
  %entry = call ptr @lift_cost_of(ptr %body)
  %scaled = shl i64 %spent, 4
  %each = sdiv i64 %scaled, %count
  store atomic ptr %body, ptr %entry monotonic, align 8
  %number.p = getelementptr %lift.cost, ptr %entry, i32 0, i32 1
  store atomic i64 %each, ptr %number.p monotonic, align 8
  ret void
}

; Runs body(begin, end, closure) on ranges that together are [min, min + extent), on several threads.
; Gives 0, or the code of the first range that failed; then ranges may have been left out.
;
; The first range runs alone and is timed, unless the loop is known to be long from its last run:
; where the rest takes less than 40 microseconds, waking somebody costs more than it saves. Whether the pool is this process's own (or was, before
; a fork) is asked only then: asking is a system call, longer than many a small image.
define weak i32 @lift_parallel_for(ptr %body, ptr %closure, i32 %min, i32 %extent) {
entry:
  %job = alloca %lift.job, align 64
  %any = icmp sgt i32 %extent, 0
  br i1 %any, label %count, label %nothing
nothing:
  ret i32 0
count:
  %one = icmp eq i32 %extent, 1
  br i1 %one, label %alone, label %ask
ask:
  %state = load atomic i32, ptr @lift_pool_3 acquire, align 64
  %ready = icmp eq i32 %state, 2
  br i1 %ready, label %known, label %prepare
prepare:
  %counted = call i32 @lift_num_threads()
  br label %known
known:
  %threads = load i32, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 1)
  %single = icmp sle i32 %threads, 1
  br i1 %single, label %alone, label %first
alone:
  %all = add i32 %min, %extent
  %whole = call i32 %body(i32 %min, i32 %all, ptr %closure)
  ret i32 %whole
first:
  %total = sext i32 %extent to i64
  %threads.64 = sext i32 %threads to i64
  %parts = mul i64 %threads.64, 8
  %share = sdiv i64 %total, %parts
  %range = call i64 @llvm.smax.i64(i64 %share, i64 1)
  %range.32 = trunc i64 %range to i32
  %split = add i32 %min, %range.32
  %cost.p = call ptr @lift_cost_of(ptr %body)
  %cost.body = load atomic ptr, ptr %cost.p monotonic, align 8
  %cost.number.p = getelementptr %lift.cost, ptr %cost.p, i32 0, i32 1
  %cost = load atomic i64, ptr %cost.number.p monotonic, align 8
  %same = icmp eq ptr %cost.body, %body
  %expected = mul i64 %cost, %total
  %long = icmp sgt i64 %expected, 1600000
  %at.once = and i1 %same, %long
  %started = call i64 @lift_nanoseconds()
  br i1 %at.once, label %publish, label %try
try:
  %begun = call i32 %body(i32 %min, i32 %split, ptr %closure)
  %ended = call i64 @lift_nanoseconds()
  %fine = icmp eq i32 %begun, 0
  br i1 %fine, label %estimate, label %failed
failed:
  ret i32 %begun
estimate:
  %elapsed = sub i64 %ended, %started
  %remaining = sub i64 %total, %range
  %ranges = sdiv i64 %remaining, %range
  %left = mul i64 %elapsed, %ranges
  %short = icmp slt i64 %left, 40000
  br i1 %short, label %finish, label %publish
finish:
  call void @lift_learn(ptr %body, i64 %elapsed, i64 %range)
  %end = add i32 %min, %extent
  %rest = call i32 %body(i32 %split, i32 %end, ptr %closure)
  ret i32 %rest
publish:
  %taken = phi i64 [ 0, %first ], [ %range, %estimate ]
  %helpers = call i32 @lift_num_threads()
  store ptr %body, ptr %job
  %closure.p = getelementptr %lift.job, ptr %job, i32 0, i32 1
  store ptr %closure, ptr %closure.p
  %next.p = getelementptr %lift.job, ptr %job, i32 0, i32 2
  store i64 %taken, ptr %next.p
  %end.p = getelementptr %lift.job, ptr %job, i32 0, i32 3
  store i64 %total, ptr %end.p
  %range.p = getelementptr %lift.job, ptr %job, i32 0, i32 4
  store i64 %range, ptr %range.p
  %min.p = getelementptr %lift.job, ptr %job, i32 0, i32 5
  store i32 %min, ptr %min.p
  %workers.p = getelementptr %lift.job, ptr %job, i32 0, i32 6
  store i32 0, ptr %workers.p
  %error.p = getelementptr %lift.job, ptr %job, i32 0, i32 7
  store i32 0, ptr %error.p
  %modes.p = getelementptr %lift.job, ptr %job, i32 0, i32 10
  %modes = call i64 @lift_float_modes()
  store i64 %modes, ptr %modes.p
  call i32 @pthread_mutex_lock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  call void @lift_start_workers(i32 %helpers)
  %jobs = load i64, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 8)
  %number = add i64 %jobs, 1
  store atomic i64 %number, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 8) monotonic, align 8
  %number.p = getelementptr %lift.job, ptr %job, i32 0, i32 9
  store i64 %number, ptr %number.p
  %newest = load ptr, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 4)
  %older.p = getelementptr %lift.job, ptr %job, i32 0, i32 8
  store ptr %newest, ptr %older.p
  store ptr %job, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 4)
  call i32 @pthread_mutex_unlock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  call i32 @pthread_cond_broadcast(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 6))
  call i32 @pthread_cond_broadcast(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 7))
  call void @lift_work_on(ptr %job, i1 false)
  call i32 @pthread_mutex_lock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  call void @lift_unlink(ptr %job)
  br label %look
look:
  %patient = phi i1 [ true, %publish ], [ false, %watch ], [ true, %slept ], [ true, %told ], [ true, %help ]
  %workers = load i32, ptr %workers.p
  %empty = icmp eq i32 %workers, 0
  br i1 %empty, label %done, label %search
search:
  %first.job = load ptr, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 4)
  br label %candidate
candidate:
  %other = phi ptr [ %first.job, %search ], [ %next.job, %skip ]
  %none = icmp eq ptr %other, null
  br i1 %none, label %idle, label %age
age:
  ; The list has the newest first.
  %its.p = getelementptr %lift.job, ptr %other, i32 0, i32 9
  %its = load i64, ptr %its.p
  %newer = icmp sgt i64 %its, %number
  br i1 %newer, label %examine, label %idle
examine:
  %its.next.p = getelementptr %lift.job, ptr %other, i32 0, i32 2
  %its.next = load atomic i64, ptr %its.next.p acquire, align 8
  %its.end.p = getelementptr %lift.job, ptr %other, i32 0, i32 3
  %its.end = load i64, ptr %its.end.p
  %has = icmp slt i64 %its.next, %its.end
  br i1 %has, label %help, label %skip
skip:
  %next.job.p = getelementptr %lift.job, ptr %other, i32 0, i32 8
  %next.job = load ptr, ptr %next.job.p
  br label %candidate
help:
  call void @lift_join(ptr %other)
  call void @lift_work_on(ptr %other, i1 true)
  %was.last = call i1 @lift_leave(ptr %other)
  br i1 %was.last, label %told, label %look
told:
  call i32 @pthread_cond_broadcast(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 7))
  br label %look
idle:
  br i1 %patient, label %watch, label %slept
watch:
  %seen = load i64, ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 8)
  call i32 @pthread_mutex_unlock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  call void @lift_watch(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 8), i64 %seen, ptr %workers.p)
  call i32 @pthread_mutex_lock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  br label %look
slept:
  call i32 @pthread_cond_wait(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 7), ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  br label %look
done:
  call i32 @pthread_mutex_unlock(ptr getelementptr (%lift.pool, ptr @lift_pool_3, i32 0, i32 5))
  %stopped = call i64 @lift_nanoseconds()
  %passed = sub i64 %stopped, %started
  %spent = mul i64 %passed, %threads.64
  call void @lift_learn(ptr %body, i64 %spent, i64 %total)
  %error = load i32, ptr %error.p
  ret i32 %error
}
