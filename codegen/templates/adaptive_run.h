/* What a run of adaptive steps takes and tells. */
typedef struct {
    ${m}_real h;     /* in: length of the first step to try, 0 to choose one; out: of the next */
    ${m}_real time;  /* out: time that the steps have reached */
    int done;        /* out: rows recorded after the first */
    int steps;       /* out: steps taken */
    int rejected;    /* out: steps tried in vain */
} ${m}_adaptive_run;
