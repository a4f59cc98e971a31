        for (int k = 0; k < ${dry}; k++) {
            const int row = ${dry_first} + k;
            const ${m}_real p = ${m}_dry_impulse(y, drift, limits, h, x, impulses, weights, k);
            ${m}_add_row(y, row, p - impulses[row], x);
            change = fmax${f}(change, fabs${f}(p - impulses[row]));
            largest = fmax${f}(largest, fabs${f}(p));
            impulses[row] = p;
        }
