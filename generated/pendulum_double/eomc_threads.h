/* Batches on several threads of C that are kept from call to call and sleep between them; none of
   them meets Python. One batch at a time has them: who comes meanwhile works alone, as the cores are
   taken. A thread that has not woken when the work is done is not waited for. To wake a sleeping one
   costs as much as thousands of states, so both sides look out a little before they sleep: a thread
   for the next batch, the caller for the last share. */

#ifdef _WIN32
#define EOMC_PROCESS 0L
#else
#define EOMC_PROCESS ((long)getpid())  /* threads do not follow into a forked process */
#endif

/* Operations of a share below which handing it out costs more than uneven ends. */
#define EOMC_WORTH_SHARING 200000
/* Threads that are kept at most. */
#define EOMC_MOST_THREADS 255
/* Looks at a lock before a thread sleeps on it, some ten nanoseconds each. */
#define EOMC_LOOKS 20000

typedef struct {
    const eomc_function *f;
    const void **x;
    const npy_intp *stride;
    void **y;
    npy_intp count;
    npy_intp share;
    npy_intp next;               /* first state that nobody works on */
    npy_intp failed;             /* first state that failed, and its code */
    int status;
} eomc_batch;

typedef struct {
    eomc_batch *batch;           /* to work on; NULL if there is none */
    int begun;                   /* whether it works on it: the caller waits for `done` then */
    int called;                  /* whether `wake` was released since it last woke */
    PyThread_type_lock wake;
    PyThread_type_lock done;
} eomc_worker;

/* Take the lock, asleep only if it stays closed. */
static void eomc_await(PyThread_type_lock lock)
{
    int looks;
    for (looks = 0; looks < EOMC_LOOKS; looks++) {
        if (PyThread_acquire_lock(lock, 0)) {
            return;
        }
    }
    (void)PyThread_acquire_lock(lock, 1);
}

/* Threads of this process. `turn` guards batch and workers, the interpreter's lock all else. */
static struct {
    long process;
    int taken;
    npy_intp size;
    eomc_worker **workers;
    PyThread_type_lock turn;
} eomc_pool;

/* States from `start` on, `count` of them. */
static int eomc_run_share(eomc_batch *batch, npy_intp start, npy_intp count, npy_intp *done)
{
    const eomc_function *f = batch->f;
    const void *x[EOMC_PORTS];
    void *y[EOMC_PORTS];
    int i;
    for (i = 0; i < f->inputs; i++) {
        x[i] = (const char *)batch->x[i] + start * batch->stride[i];
    }
    for (i = 0; i < f->outputs; i++) {
        y[i] = (char *)batch->y[i] + start * f->ports[f->inputs + i].bytes;
    }
    return eomc_run_free(f, x, batch->stride, y, count, done);
}

/* One share after the other, as long as there are any. */
static void eomc_work(eomc_batch *batch)
{
    for (;;) {
        npy_intp start, count, done = 0;
        int status;
        (void)PyThread_acquire_lock(eomc_pool.turn, 1);
        start = batch->next;
        batch->next += batch->share;
        PyThread_release_lock(eomc_pool.turn);
        if (start >= batch->count) {
            return;
        }
        count = batch->count - start < batch->share ? batch->count - start : batch->share;
        status = eomc_run_share(batch, start, count, &done);
        if (status != 0) {
            (void)PyThread_acquire_lock(eomc_pool.turn, 1);
            if (batch->status == 0 || start + done < batch->failed) {
                batch->status = status;
                batch->failed = start + done;
            }
            PyThread_release_lock(eomc_pool.turn);
        }
    }
}

static void eomc_worker_main(void *own)
{
    eomc_worker *worker = (eomc_worker *)own;
    for (;;) {
        eomc_batch *batch;
        eomc_await(worker->wake);
        (void)PyThread_acquire_lock(eomc_pool.turn, 1);
        worker->called = 0;
        batch = worker->batch;
        worker->begun = batch != NULL;
        PyThread_release_lock(eomc_pool.turn);
        if (batch != NULL) {
            eomc_work(batch);
            PyThread_release_lock(worker->done);
        }
    }
}

/* A further thread, asleep; 0 if there can be none. */
static int eomc_add_worker(void)
{
    const size_t size = (size_t)eomc_pool.size + 1;
    eomc_worker **workers = (eomc_worker **)PyMem_RawRealloc(
        eomc_pool.workers, size * sizeof *workers);
    eomc_worker *worker;
    if (workers == NULL) {
        return 0;
    }
    eomc_pool.workers = workers;
    worker = (eomc_worker *)PyMem_RawCalloc(1, sizeof *worker);
    if (worker == NULL) {
        return 0;
    }
    worker->wake = PyThread_allocate_lock();
    worker->done = PyThread_allocate_lock();
    if (worker->wake != NULL && worker->done != NULL) {
        (void)PyThread_acquire_lock(worker->wake, 1);
        (void)PyThread_acquire_lock(worker->done, 1);
        if (PyThread_start_new_thread(eomc_worker_main, worker) != PYTHREAD_INVALID_THREAD_ID) {
            workers[eomc_pool.size++] = worker;
            return 1;
        }
        PyThread_release_lock(worker->wake);
        PyThread_release_lock(worker->done);
    }
    if (worker->wake != NULL) {
        PyThread_free_lock(worker->wake);
    }
    if (worker->done != NULL) {
        PyThread_free_lock(worker->done);
    }
    PyMem_RawFree(worker);
    return 0;
}

/* How many of the threads that are asked for are there, if they are free: 0 otherwise. */
static npy_intp eomc_take_pool(npy_intp asked)
{
    if (eomc_pool.process != EOMC_PROCESS || eomc_pool.turn == NULL) {
        eomc_pool.process = EOMC_PROCESS;
        eomc_pool.taken = 0;
        eomc_pool.size = 0;
        eomc_pool.workers = NULL;  /* what a parent process had stays as it is */
        eomc_pool.turn = PyThread_allocate_lock();
    }
    if (eomc_pool.taken || eomc_pool.turn == NULL) {
        return 0;
    }
    if (asked > EOMC_MOST_THREADS) {
        asked = EOMC_MOST_THREADS;
    }
    while (eomc_pool.size < asked && eomc_add_worker()) {
    }
    eomc_pool.taken = eomc_pool.size > 0;
    return eomc_pool.size < asked ? eomc_pool.size : asked;
}

/* The batch on the calling thread and on `helpers` of the pool. */
static void eomc_work_together(eomc_batch *batch, npy_intp helpers)
{
    npy_intp k;
    (void)PyThread_acquire_lock(eomc_pool.turn, 1);
    for (k = 0; k < helpers; k++) {
        eomc_worker *worker = eomc_pool.workers[k];
        worker->batch = batch;
        worker->begun = 0;
        if (!worker->called) {
            worker->called = 1;
            PyThread_release_lock(worker->wake);
        }
    }
    PyThread_release_lock(eomc_pool.turn);
    eomc_work(batch);
    for (k = 0; k < helpers; k++) {
        eomc_worker *worker = eomc_pool.workers[k];
        int begun;
        (void)PyThread_acquire_lock(eomc_pool.turn, 1);
        begun = worker->begun;
        worker->batch = NULL;
        PyThread_release_lock(eomc_pool.turn);
        if (begun) {
            eomc_await(worker->done);
        }
    }
}

/* The batch on up to `threads` threads: shares of whole groups of lanes, four for each thread but none
   that is hardly any work. */
static int eomc_run_threads(
    const eomc_function *f, const void **x, const npy_intp *stride, void **y, npy_intp count,
    npy_intp threads, npy_intp *done)
{
    eomc_batch batch = {f, x, stride, y, count, 0, 0, 0, 0};
    const npy_intp lanes = f->lanes_count;
    const npy_intp groups = (count + lanes - 1) / lanes;
    const npy_intp least = EOMC_WORTH_SHARING / ((f->operations + 20) * lanes) + 1;
    npy_intp helpers, even;
    PyThreadState *state;
    if (threads > groups) {
        threads = groups;
    }
    helpers = threads > 1 ? eomc_take_pool(threads - 1) : 0;
    if (helpers == 0) {
        return eomc_run(f, x, stride, y, count, done);
    }
    even = (groups + helpers) / (helpers + 1);
    batch.share = groups / (helpers + 1) / 4 + 1;
    if (batch.share < least) {
        batch.share = least < even ? least : even;
    }
    batch.share *= lanes;
    state = PyEval_SaveThread();
    eomc_work_together(&batch, helpers);
    PyEval_RestoreThread(state);
    eomc_pool.taken = 0;
    *done = batch.failed;
    return batch.status;
}
