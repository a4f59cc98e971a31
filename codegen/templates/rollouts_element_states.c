            (void)${element_state_rates}_lanes(${arguments}, &rate[i][Q + ${u_lanes}], found);
            ${m}_rollouts_merge(found, codes);
