static const eomc_port eomc_${routines}_rows[] = {
    ${rows}
};

static const eomc_function eomc_${routines}_ports = {
    "${routines}", ${inputs}, 0, ${tunable}, 0, eomc_${routines}_rows,
    NULL, NULL
};
