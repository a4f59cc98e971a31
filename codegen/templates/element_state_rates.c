if (status == ${M}_OK) {
    status = ${element_state_rates}(${arguments});
}
