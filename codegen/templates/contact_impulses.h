int ${m}_contact_impulses(
    const ${m}_real settings[5],
    ${m}_real h,
    int is_midpoint,
    ${constant}${m}_real y[${y_size}],
    const ${m}_real drift[${rows}],
    const ${m}_real rates[${rows}],
    const ${m}_real pushes[${rows}],
${law_declarations}    ${m}_real x[${nu}],
    ${m}_real impulses[${behind}])