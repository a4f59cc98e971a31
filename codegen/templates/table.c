/* What the library exports: the table by which eomc calls the model. */

#include "eomc_model.h"
#include "${included}"

${thunks}
static const char *const eomc_manifest[] = {
    ${manifest},
    NULL
};

static const eomc_entry eomc_functions[] = {
    ${functions}{NULL, NULL, NULL}
};

static const eomc_routine eomc_routines[] = {
    ${routines}{NULL, NULL}
};

static void eomc_set_defaults(void *p)
{
    ${defaults}
}

EOMC_EXPORT const eomc_table eomc_model = {
    EOMC_MAGIC, EOMC_VERSION, (int)sizeof(${m}_real), ${lanes}, eomc_manifest, eomc_functions,
    eomc_routines, eomc_set_defaults, ${m}_status_name, ${to_lanes}, ${from_lanes}
};
