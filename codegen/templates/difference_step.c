void ${m}_init(${m}_state *state${seed_argument})
{
${initial}}

int ${m}_step(
    ${m}_state *state,
${declarations}    ${m}_real ${output}[${M}_RESTRICT ${size}])
{
${work}    const int status = ${symbol}(${arguments}${output});
    if (status != ${M}_OK) {
        return status;
    }
${keep}    return ${M}_OK;
}
