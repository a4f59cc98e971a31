            (void)${element_state_rates}_lanes(${arguments}, rate[i] + Q + ${nu}*${M}_LANES, found);
            ${m}_rollouts_merge(found, codes);
