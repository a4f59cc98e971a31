/* Batches on several threads of C, which cost tens of microseconds to start; none of them meets
   Python. */

typedef struct {
    const eomc_function *f;
    const ${m}_real **x;
    const npy_intp *stride;
    ${m}_real **y;
    npy_intp count;
    npy_intp share;
    npy_intp next;               /* first state that nobody works on, guarded by `turn` */
    npy_intp failed;             /* first state that failed, and its code */
    int status;
    PyThread_type_lock turn;
} eomc_batch;

/* A thread beside the calling one; it lets go of `busy` when it is done. */
typedef struct {
    eomc_batch *batch;
    PyThread_type_lock busy;
} eomc_worker;

/* States from `start` on, `count` of them. */
static int eomc_run_share(eomc_batch *batch, npy_intp start, npy_intp count, npy_intp *done)
{
    const eomc_function *f = batch->f;
    const ${m}_real *x[EOMC_PORTS];
    ${m}_real *y[EOMC_PORTS];
    int i;
    for (i = 0; i < f->inputs; i++) {
        x[i] = batch->x[i] + start * batch->stride[i];
    }
    for (i = 0; i < f->outputs; i++) {
        y[i] = batch->y[i] + start * f->ports[f->inputs + i].size;
    }
    return eomc_run_free(f, x, batch->stride, y, count, done);
}

/* One share after the other, as long as there are any. */
static void eomc_work(eomc_batch *batch)
{
    for (;;) {
        npy_intp start, count, done = 0;
        int status;
        (void)PyThread_acquire_lock(batch->turn, 1);
        start = batch->next;
        batch->next += batch->share;
        PyThread_release_lock(batch->turn);
        if (start >= batch->count) {
            return;
        }
        count = batch->count - start < batch->share ? batch->count - start : batch->share;
        status = eomc_run_share(batch, start, count, &done);
        if (status != 0) {
            (void)PyThread_acquire_lock(batch->turn, 1);
            if (batch->status == 0 || start + done < batch->failed) {
                batch->status = status;
                batch->failed = start + done;
            }
            PyThread_release_lock(batch->turn);
        }
    }
}

static void eomc_worker_main(void *worker)
{
    const eomc_worker *own = (const eomc_worker *)worker;
    eomc_work(own->batch);
    PyThread_release_lock(own->busy);
}

/* The batch on the calling thread and as many more as there can be, up to `threads`: shares of whole
   groups of lanes, four for each thread. */
static int eomc_run_threads(
    const eomc_function *f, const ${m}_real **x, const npy_intp *stride, ${m}_real **y,
    npy_intp count, npy_intp threads, npy_intp *done)
{
    eomc_batch batch = {f, x, stride, y, count, 0, 0, 0, 0, NULL};
    eomc_worker *workers;
    npy_intp started, k;
    PyThreadState *state;
    const npy_intp groups = (count + EOMC_LANES - 1) / EOMC_LANES;
    if (threads > groups) {
        threads = groups;
    }
    batch.share = (groups / threads / 4 + 1) * EOMC_LANES;
    batch.turn = PyThread_allocate_lock();
    workers = (eomc_worker *)PyMem_RawCalloc((size_t)threads, sizeof *workers);
    if (batch.turn == NULL || workers == NULL) {
        threads = 1;
    }
    state = PyEval_SaveThread();
    for (started = 0; started < threads - 1; started++) {
        eomc_worker *worker = &workers[started];
        worker->batch = &batch;
        worker->busy = PyThread_allocate_lock();
        if (worker->busy == NULL) {
            break;
        }
        (void)PyThread_acquire_lock(worker->busy, 1);
        if (PyThread_start_new_thread(eomc_worker_main, worker) == PYTHREAD_INVALID_THREAD_ID) {
            PyThread_release_lock(worker->busy);
            PyThread_free_lock(worker->busy);
            break;
        }
    }
    if (batch.turn != NULL) {
        eomc_work(&batch);
    } else {
        batch.status = eomc_run_share(&batch, 0, count, &batch.failed);
    }
    for (k = 0; k < started; k++) {
        (void)PyThread_acquire_lock(workers[k].busy, 1);
        PyThread_release_lock(workers[k].busy);
        PyThread_free_lock(workers[k].busy);
    }
    PyEval_RestoreThread(state);
    PyMem_RawFree(workers);
    if (batch.turn != NULL) {
        PyThread_free_lock(batch.turn);
    }
    *done = batch.failed;
    return batch.status;
}
