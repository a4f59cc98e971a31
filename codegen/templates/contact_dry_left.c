    for (int k = 0; k < ${dry}; k++) {
        const ${m}_real p = ${m}_dry_impulse(y, drift, limits, h, x, impulses, weights, k);
        const ${m}_real left = fabs${f}(p - impulses[${dry_first} + k]);
        if (largest > ${zero} && left > residual*largest) {
            residual = left/largest;
            worst = ${contact_count} + k;
        }
    }
