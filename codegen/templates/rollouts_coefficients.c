    static const ${m}_real a[${stages}][${stages}] = {
${a}
    };
    static const ${m}_real b[${stages}] = {${b}};
    static const ${m}_real c[${stages}] = {${c}};
