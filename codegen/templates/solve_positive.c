/*
 * Solves the symmetric positive definite a x = b of size n in place, b of so many columns; false if
 * a is not.
 */
static bool ${m}_solve_positive(${m}_real a[${nu}][${nu}], int n, ${m}_real *b, int columns)
{
    ${m}_real largest = ${zero};
    for (int i = 0; i < n; i++) {
        largest = fmax${f}(largest, a[i][i]);
    }
    for (int i = 0; i < n; i++) {
        if (!(a[i][i] > largest*${smallest_pivot})) {
            return false;
        }
        for (int j = i + 1; j < n; j++) {
            const ${m}_real factor = a[j][i]/a[i][i];
            for (int k = i + 1; k < n; k++) {
                a[j][k] -= factor*a[i][k];
            }
            for (int k = 0; k < columns; k++) {
                b[j*columns + k] -= factor*b[i*columns + k];
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = 0; k < columns; k++) {
            for (int j = i + 1; j < n; j++) {
                b[i*columns + k] -= a[i][j]*b[j*columns + k];
            }
            b[i*columns + k] /= a[i][i];
        }
    }
    return true;
}
