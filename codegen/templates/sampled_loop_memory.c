            ${m}_real kept[${all}];
            for (int k = 0; k < ${all}; k++) {
                kept[k] = (k < ${nu}) ? u[k] : now->memory[k - ${nu}];
            }
            status = ${m}_${method}(q, kept, ${held_with_rho}${from}h, 1);
            for (int k = 0; k < ${all}; k++) {
                *((k < ${nu}) ? &u[k] : &now->memory[k - ${nu}]) = kept[k];
            }
