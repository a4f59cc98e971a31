/* A sampled controller and its mechanism in one loop, without anything else between them. */

#include <math.h>
#include <stdbool.h>
#include "${l}.h"

/* Share of a period within which instants are one; share of a time within which it is the same. */
#define ROUNDING ((${m}_real)1e-9)
#define SAME ((${m}_real)${same})

/* Forces that act since a time, from a start towards a command, and those that are coming. */
typedef struct {
    ${m}_real since;
    ${m}_real command[${actuated}];
    ${m}_real start[${actuated}];
    ${m}_real *coming;  /* time, command */
    int begun;
    int samples;
    int head;
    int count;
${memory}} acting;

static void forces(
    const ${l}_settings *settings, const acting *now, ${m}_real t, ${m}_real tau[${actuated}])
{
    for (int k = 0; k < ${actuated}; k++) {
        ${m}_real left = ${zero};  /* tau may be the start itself */
        if (now->begun != 0 && settings->lag[k] > ${zero}) {
            left = exp${f}(-(t - now->since)/settings->lag[k]);
        }
        tau[k] = now->command[k] + (now->start[k] - now->command[k])*left;
    }
}

static ${m}_real following(const ${l}_settings *settings, const acting *now)
{
    const ${m}_real sample = settings->first + (${m}_real)now->samples*settings->period;
    if (now->count > 0) {
        return fmin${f}(sample, now->coming[now->head*${coming}]);
    }
    return sample;
}

/* The time of the record, at or after the first row, that is t but for rounding; or t. */
static ${m}_real recorded(const ${m}_real *times, int rows, int first, ${m}_real t)
{
    int row = first;
    const ${m}_real width = SAME*fmax${f}(fabs${f}(t), fabs${f}(times[rows - 1]));
    while (row < rows && times[row] < t - width) {
        row++;
    }
    return row < rows && times[row] <= t + width ? times[row] : t;
}

/* What is due at time t. */
static int act(
    const ${l}_settings *settings, acting *now, ${c}_state *state, ${m}_real t,
    const ${m}_real *references, ${controller_parameter}${sensing_declarations}const ${m}_real *q, const ${m}_real *u)
{
    const ${m}_real late = t + ROUNDING*settings->period;
    if (late >= settings->first + (${m}_real)now->samples*settings->period) {
        const int sample = now->samples < settings->samples ? now->samples : settings->samples - 1;
        const ${m}_real *r = &references[(size_t)sample*${reference_size}U];
        ${m}_real *row = &now->coming[((now->head + now->count)%settings->room)*${coming}];
        int failed;
${sensing_room}        (void)r;
        now->samples++;
${sensing}        failed = ${c}_step(${step_arguments}, ${made});
        if (failed != ${C}_OK) {
            return (int)${l_failed} + failed;
        }
${placing}        for (int k = 1; k < ${coming}; k++) {
            if (isfinite(row[k]) == 0) {
                return ${l_undefined};
            }
        }
        row[0] = t + settings->delay;
        now->count++;
    }
    while (now->count > 0 && now->coming[now->head*${coming}] <= late) {
        const ${m}_real *row = &now->coming[now->head*${coming}];
        forces(settings, now, t, now->start);
        for (int k = 0; k < ${actuated}; k++) {
            now->command[k] = row[k + 1];
        }
        now->since = t;
        now->begun = 1;
        now->head = (now->head + 1)%settings->room;
        now->count--;
    }
    return ${M}_OK;
}

/* From time t to the end, under forces that are held over each step. */
static int advance(
    const ${l}_settings *settings, ${constant}acting *now, ${m}_real t, ${m}_real end, ${m}_real *next,
${held_declarations}    ${m}_real *q, ${m}_real *u)
{
    const ${m}_real parts = ceil${f}((end - t)/settings->longest - ROUNDING);
    const int steps = parts > ${one} ? (int)parts : 1;
    const ${m}_real h = (end - t)/(${m}_real)steps;
    ${m}_real tau[${actuated}];
    for (int step = 0; step < steps; step++) {
        const ${m}_real from = t + (${m}_real)step*h;
        int status;
        forces(settings, now, from, tau);
${steps}        if (status != ${M}_OK) {
            return status;
        }
    }
    return ${M}_OK;
}

int ${l}_run(
    const ${l}_settings *settings,
    ${c}_state *state,
    const ${m}_real times[${M}_RESTRICT],
    int rows,
    const ${m}_real references[${M}_RESTRICT],
${declarations}    ${m}_real coming[${M}_RESTRICT],
    ${m}_real q[${M}_RESTRICT],
    ${m}_real u[${M}_RESTRICT],
    ${m}_real tau[${M}_RESTRICT],
    int *done)
{
    acting now = {0};
    ${m}_real next = ${zero};
    now.coming = coming;
    for (*done = 0; *done < rows - 1; ++*done) {
        const int row = *done;
        const size_t after = (size_t)row + 1U;
        ${m}_real *q_now = &q[after*${nq}U];
        ${m}_real *u_now = &u[after*${nu}U];
        ${m}_real t = times[row];
        for (int k = 0; k < ${nq}; k++) {
            q_now[k] = q_now[k - ${nq}];
        }
        for (int k = 0; k < ${nu}; k++) {
            u_now[k] = u_now[k - ${nu}];
        }
        bool is_under_way = t < times[row + 1];
        while (is_under_way) {
            ${m}_real until = recorded(times, rows, row, following(settings, &now));
            bool is_due = until <= t;
            int status;
            while (is_due) {
                status = act(
                    settings, &now, state, t, references, ${controller_given}${sensing_given}q_now, u_now);
                if (status != ${M}_OK) {
                    return status;
                }
                next = ${zero};
                until = recorded(times, rows, row, following(settings, &now));
                is_due = until <= t;
            }
            if (t == times[row]) {
                forces(settings, &now, t, &tau[(size_t)row*${actuated}U]);
            }
            until = fmin${f}(until, times[row + 1]);
            status = advance(settings, &now, t, until, &next, ${inputs}q_now, u_now);
            if (status != ${M}_OK) {
                return status;
            }
            t = until;
            is_under_way = t < times[row + 1];
        }
    }
    forces(settings, &now, times[rows - 1], &tau[((size_t)rows - 1U)*${actuated}U]);
    return ${M}_OK;
}
