    if (status == ${M}_OK) {
        status = ${m}_input_forces(q, u, a, ${dynamics_arguments}x);
    }
