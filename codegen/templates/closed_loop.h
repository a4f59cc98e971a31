/*
 * One step of the closed loop: the control of ${law} in the state (q, u), held while q and u
 * advance in place by one step of length h of ${m}_${method}. ${output} is that control.
${behind} *
 * Returns 0, or the code of the function that failed; q and u are then as they were.
 */
int ${step}(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
${declarations}    ${m}_real h,
    ${m}_real ${output}[${M}_RESTRICT ${size}]);
