"""Names of the model as C identifiers: safe, unique, and as close to the original as possible."""

import re
from collections.abc import Iterable

# Keywords of C99, C11/C23 and C++: the header is read by all of them.
KEYWORDS = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
    char32_t class compl concept const consteval constexpr constinit const_cast continue co_await
    co_return co_yield decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires restrict
    return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using
    virtual void volatile wchar_t while xor xor_eq NULL
    """.split()  # noqa: SIM905
)

# Functions and macros of <math.h>: an argument of that name would hide a function the body calls,
# and j0 .. yn draw shadow warnings.
MATH_NAMES = frozenset(
    name + suffix
    for name in """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs
    fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2
    logb lrint lround modf nan nearbyint nextafter nexttoward pow remainder remquo rint round
    scalbln scalbn sin sinh sqrt tan tanh tgamma trunc j0 j1 jn y0 y1 yn gamma signgam
    """.split()  # noqa: SIM905
    for suffix in ("", "f", "l")
) | frozenset({"INFINITY", "NAN", "HUGE_VAL", "isnan", "isinf", "isfinite", "signbit"})

PYTHON_KEYWORDS = frozenset(
    """
    False None True and as assert async await break class continue def del elif else except finally
    for from global if import in is lambda nonlocal not or pass raise return try while with yield
    """.split()  # noqa: SIM905
)

# Macros of <complex.h>, which NumPy's headers bring in.
COMPLEX_NAMES = frozenset({"I", "complex", "imaginary"})

# Macros of <unistd.h>, which Python's headers bring in, that look like status codes.
SYSTEM_MACROS = frozenset({"F_OK", "R_OK", "W_OK", "X_OK"})

RESERVED = KEYWORDS | MATH_NAMES | PYTHON_KEYWORDS | COMPLEX_NAMES

_INVALID = re.compile(r"[^0-9A-Za-z_]")
_IDENTIFIER = re.compile(r"[A-Za-z][0-9A-Za-z_]*\Z")


def is_prefix(name: str) -> bool:
    """True if ``<name>_x`` can stand in C, C++ and Python."""
    return bool(_IDENTIFIER.match(name)) and "__" not in name and not name.endswith("_")


def identifier(name: str) -> str:
    """``name`` with every character C does not know replaced; reserved words get a trailing ``_``.

    >>> identifier("left-arm.wrist"), identifier("double"), identifier("2nd"), identifier("I")
    ('left_arm_wrist', 'double_', 'n2nd', 'I_')
    """
    # Doubled underscores are reserved for the implementation in C++.
    text = re.sub("_{2,}", "_", _INVALID.sub("_", name)).lstrip("_") or "n"
    if text[0].isdigit():
        text = "n" + text
    return text + "_" if text in RESERVED else text


class Names:
    """Hands out identifiers, each only once: a second ``x`` becomes ``x_2``."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def take(self, name: str) -> str:
        """An unused identifier as close to ``name`` as possible."""
        base = candidate = identifier(name)
        number = 2
        while candidate in self._taken:
            candidate = f"{base.rstrip('_')}_{number}"
            number += 1
        self._taken.add(candidate)
        return candidate
