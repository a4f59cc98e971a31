        (void)next;
        status = ${m}_${method}(q, u, ${held}${from}h, 1);
