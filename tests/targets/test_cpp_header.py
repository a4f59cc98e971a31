"""What a template on the scalar is for: other numbers, and arrays of other libraries."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from targets.languages import CPP, ran

import eomc

MODELS = Path(__file__).parents[2] / "examples" / "models"

DUAL = """
#include <cmath>
#include <cstdio>
namespace numbers {
struct Dual {
    double x, d;
    constexpr Dual(double value = 0.0, double rate = 0.0) : x(value), d(rate) {}
};
inline Dual operator-(Dual a) { return {-a.x, -a.d}; }
inline Dual operator+(Dual a, Dual b) { return {a.x + b.x, a.d + b.d}; }
inline Dual operator-(Dual a, Dual b) { return {a.x - b.x, a.d - b.d}; }
inline Dual operator*(Dual a, Dual b) { return {a.x*b.x, a.d*b.x + a.x*b.d}; }
inline Dual operator/(Dual a, Dual b) { return {a.x/b.x, (a.d - a.x/b.x*b.d)/b.x}; }
inline bool operator>(Dual a, Dual b) { return a.x > b.x; }
inline bool operator<(Dual a, Dual b) { return a.x < b.x; }
inline Dual sin(Dual a) { return {std::sin(a.x), std::cos(a.x)*a.d}; }
inline Dual cos(Dual a) { return {std::cos(a.x), -std::sin(a.x)*a.d}; }
}  // namespace numbers
#include "panda.hpp"

int main()
{
    using numbers::Dual;
    const std::array<double, 7> tau{};
    for (std::size_t j = 0; j < 14; j++) {
        std::array<Dual, 7> q, u, a;
        for (std::size_t i = 0; i < 7; i++) {
            q[i] = {0.1*static_cast<double>(i + 1), i == j ? 1.0 : 0.0};
            u[i] = {0.3 - 0.1*static_cast<double>(i), i + 7 == j ? 1.0 : 0.0};
        }
        if (eomc::panda::forward_dynamics(q, u, tau, a) != eomc::panda::status::ok)
            return 1;
        for (const Dual &entry : a)
            std::printf("%.17g ", entry.d);
    }
    return 0;
}
"""

ARRAYS = """
#include <cstdio>
#include <Eigen/Core>
#include "panda.hpp"

int main()
{
    const Eigen::Matrix<double, 7, 1> q = Eigen::Matrix<double, 7, 1>::Constant(0.4);
    Eigen::Matrix<double, 7, 7, Eigen::RowMajor> M;
    const double rest[7] = {0};
    double a[7];
    const auto one = eomc::panda::mass_matrix(q, Eigen::Map<Eigen::VectorXd>(M.data(), 49));
    const auto two = eomc::panda::forward_dynamics(q, rest, rest, a);
    for (int i = 0; i < 49; i++)
        std::printf("%.17g ", M(i/7, i%7));
    for (int i = 0; i < 7; i++)
        std::printf("%.17g ", a[i]);
    return one != eomc::panda::status::ok || two != eomc::panda::status::ok;
}
"""

SINGLE = """
#include <cstdio>
#include "panda.hpp"

int main()
{
    std::array<float, 7> q{}, a{};
    for (std::size_t i = 0; i < 7; i++)
        q[i] = 0.25f*static_cast<float>(i);
    const auto code = eomc::panda::forward_dynamics(q, q, q, a);
    for (const float entry : a)
        std::printf("%.9g ", static_cast<double>(entry));
    return code != eomc::panda::status::ok;
}
"""

WRONG_SIZE = """
#include "panda.hpp"
int main()
{
    std::array<double, 7> q{};
    std::array<double, 6> a{};
    return eomc::panda::forward_dynamics(q, q, q, a) != eomc::panda::status::ok;
}
"""


@pytest.fixture(scope="module")
def header(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cpp")
    functions = ("forward_dynamics", "mass_matrix")
    return eomc.emit(MODELS / "panda.toml", folder / "panda", functions=functions, target="cpp")


def run(folder: Path, text: str, *flags: str) -> np.ndarray:
    (folder / "main.cpp").write_text(text)
    ran("g++", *CPP, *flags, "main.cpp", "-o", "main", folder=folder)
    return np.array([float(word) for word in ran(folder / "main", folder=folder).split()])


def test_numbers_that_carry_derivatives(header: Path) -> None:
    rates = run(header, DUAL).reshape(14, 7)
    panda = eomc.build(MODELS / "panda.toml")
    q = 0.1 * np.arange(1, 8)
    u = 0.3 - 0.1 * np.arange(7)
    by_q, by_u, _ = panda.forward_dynamics_derivatives(q, u, np.zeros(7))
    expected = np.hstack((by_q, by_u)).T
    np.testing.assert_allclose(rates, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@pytest.mark.slow
def test_arrays_of_eigen_and_pointers(header: Path) -> None:
    folder = Path("/usr/include/eigen3")
    if not folder.is_dir():
        pytest.skip("Eigen is not here")
    got = run(header, ARRAYS, "-isystem", str(folder))
    panda = eomc.build(MODELS / "panda.toml")
    q = np.full(7, 0.4)
    np.testing.assert_array_equal(got[:49].reshape(7, 7), panda.mass_matrix(q))
    expected = panda.forward_dynamics(q, np.zeros(7), np.zeros(7))
    np.testing.assert_array_equal(got[49:], expected)


def test_floats_have_the_bits_of_c(header: Path) -> None:
    panda = eomc.build(MODELS / "panda.toml", real="float")
    q = 0.25 * np.arange(7)
    expected = panda.forward_dynamics(q, q, q)
    np.testing.assert_array_equal(run(header, SINGLE).astype(np.float32), expected)


def test_an_array_of_another_size_does_not_compile(header: Path) -> None:
    (header / "main.cpp").write_text(WRONG_SIZE)
    command = [shutil.which("g++") or "g++", "-std=c++17", "-fsyntax-only", "main.cpp"]
    result = subprocess.run(command, cwd=header, capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert "a has 7 entries" in result.stderr
