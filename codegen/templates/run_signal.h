static ${m}_signal eomc_typed(const eomc_signal *from, size_t group)
{
    ${m}_signal to;
    to.rows = (const ${m}_real *)from->rows;
    to.rows += to.rows == NULL ? 0 : group*${lanes}*from->state;
    to.state = from->state;
    to.step = from->step;
    return to;
}
