
/* Numbers of the problem. */
typedef struct {
    ${m}_real h;                   /* length of a step [s] */
    ${m}_real weight[${nz}];         /* W, diagonal */
    ${m}_real final_weight[${nx}][${nx}];
#if ${bounded}
    ${m}_real bound[${rows}];
    ${m}_real linear[${rows}];       /* costs of soft bounds */
    ${m}_real quadratic[${rows}];
    ${m}_real tolerance;         /* of the mean product of slacks and multipliers */
#endif
#if ${fixed}
    ${m}_real target[${fixed_size}];
#endif
} ${m}_problem;
