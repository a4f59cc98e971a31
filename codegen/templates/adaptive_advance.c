/*
 * The longest step from time t, not beyond the end, that the tolerances allow; run counts and
 * proposes the next one, *h is its length.
 */
static int ${m}_${method}_advance(
${state_declarations}${held_declarations}    ${m}_real t,
    ${m}_real end,
    ${m}_real rtol,
    ${m}_real atol,
    int max_steps,
${next_declarations}    ${m}_adaptive_run *run,
    ${m}_real *h)
{
    const ${m}_real shortest = ${resolution}*fmax${f}(fabs${f}(t), fabs${f}(end));
    ${m}_real longest_growth = ${most_growth};
    int status = ${step_underflow};
    for (;;) {
        const bool is_last = !(t + run->h < end);
        const ${m}_real t_next = is_last ? end : t + run->h;
        ${m}_real error = ${zero};
        *h = is_last ? end - t : run->h;
        if (!(t_next > t) || (!is_last && *h < shortest)) {
            return status;
        }
        if (run->steps + run->rejected >= max_steps) {
            return ${too_many_steps};
        }
        status = ${m}_${method}_${trial}(${state}, ${held}t, *h, rtol, atol, ${next}, &error);
        if (status == ${M}_OK && error <= 1.0${f}) {
            ${m}_real growth = longest_growth;
            if (error > ${zero}) {
                growth = fmin${f}(growth, 0.9${f}*pow${f}(error, -${exponent}));
            }
            run->h = is_last ? fmax${f}(run->h, *h*growth) : *h*growth;
            run->time = t_next;
            run->steps++;
            return ${M}_OK;
        }
        /* Rates that fail or are not finite say nothing of the error. */
        run->h = *h*0.2${f};
        if (status == ${M}_OK) {
            status = ${step_underflow};
            if (error > 1.0${f}) {
                run->h = *h*fmax${f}(0.2${f}, 0.9${f}*pow${f}(error, -${exponent}));
            }
        }
        run->rejected++;
        longest_growth = 1.0${f};
    }
}
