"""Tuning numbers of code generation: the one table of what decides the form of emitted code.

They are the same for every emission, so that a model becomes the same bytes everywhere. Measured on
an AMD Zen 5 at 3.9 GHz with gcc 12 and fused multiply-adds: numbers of the core by
``python -m benchmarks --section core``, thresholds by emitting the models of the benchmarks on
either side and timing them (``--section rigid``) or their compilers (``--section waiting``).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Core:
    """Numbers of a core.

    decoded : instructions that it keeps decoded
    instructions, bytes : that it works off in a nanosecond, within and beyond these
    step : nanoseconds from one operation to the next that waits for it
    call : nanoseconds of calls, of constants and of the loop of sines and cosines before its first
    turn : nanoseconds of one angle in that loop
    looped : instructions in a nanosecond of loops over bodies
    """

    decoded: int = 5000
    instructions: float = 14.0
    bytes: float = 64.0
    step: float = 0.75
    call: float = 8.0
    turn: float = 1.0
    looped: float = 12.2


CORE = Core()

# ---- time and size of a form, for the estimate that chooses it

INSTRUCTIONS_PER_OPERATION = 1.12
"""Instructions: loads and stores included; some products and sums are fused."""
BYTES_PER_INSTRUCTION = 6.5
"""Bytes, the average of plain code."""
INSTRUCTIONS_PER_ROW, INSTRUCTIONS_PER_LANE, ROW_BYTES = 1.2, 1.1, 6.9
"""Instructions of an operation on a row, and of each lane that is moved; bytes of one."""
INSTRUCTIONS_PER_DUAL, DUAL_BYTES = 1.24, 6.1
"""Instructions of an operation on duals; bytes of one."""
KEPT_SHARE = 0.95
"""Share of the decoded instructions that a core holds at most and does keep."""
SIDE_BY_SIDE_RATE = 1.2
"""Factor on instructions in a nanosecond where columns hide each other's latency."""
SINE_LOOP_BYTES = 800
"""Bytes of the loop of sines and cosines."""
STATEMENT_BYTES, CALLING_LOOP_BYTES = 20, 500
"""Bytes of a statement of a rolled step, and of the loops that call steps."""
FIRST_TOUCH, INNER_LOOP_END = 4, 60
"""Instructions: of a number whose memory is first met when it is set, and of an inner loop whose
end is not foreseen."""

# ---- choice of a form

LARGE_LINE_BYTES = 150_000
"""Bytes of straight code that takes seconds to compile; loops of the same function take a tenth."""
VAST_LINE_BYTES = 10 * LARGE_LINE_BYTES
"""Bytes of straight code that is not written if loops are faster: writing and compiling it take
half a minute and more."""
FEWEST_OPERATIONS = 300
"""Operations of a function from which on other forms than plain numbers are tried."""
SHORTER, QUICKER = 0.8, 0.9
"""Shares of the instructions or of the time at which another form is taken."""
LONG_CODE = 2
"""Multiples of the decoded instructions beyond which code takes its time by bytes."""
ROWS_AT_BEST = 3
"""Factor of speed that rows can gain over plain numbers."""
WORTH_A_LINE = 1.2
"""Factor of speed over loops that straight code of more than `LARGE_LINE_BYTES` needs."""
LINE_SHARE, LINE_SHARE_UNDER_CONSTRAINTS = 0.75, 0.38
"""Operations of a straight line beside those of loops over single columns, zeros included: of
matrices of trees, and of derivatives under constraints."""
INSTRUCTIONS_PER_TURNED = 1.45
"""Instructions of an operation on a row in loops over blocks of columns."""
COLUMNS_OF_HALF_GAIN = 90
"""Columns of a matrix with which rows gain half of what they have numbers, in time."""
COLUMN_WIDTHS = (8, 4)
"""Columns on a vector, by 512 and by 256 bits."""
SLAB_DEPTH, MOST_EACH = 4, 12
"""Additions of depth that stand together, where columns hide each other's latency; the most
instructions for each of their entries."""
NARROW_SLABS = 4
"""Factor on that depth where half as many registers hold what stands together."""

# ---- pieces of functions

WHOLE_LIMIT, PIECE_SIZE = 600, 500
"""Statements of a function that stays whole, and of a piece: the compiler's time for registers
grows faster than linearly."""
FILE_LIMIT = 5_000
"""Statements of a file, so that files compile side by side."""
FEWEST_SUNK = 600
"""Statements of a function whose values are computed late; registers keep those of shorter ones."""
NEAR_USE = 100
"""Statements to a user that is near enough: a core looks so far ahead."""

# ---- angles, zeros and copies

FEWEST_ANGLES = 6
"""Angles that are worth the loop of sines and cosines."""
LARGEST_CONE = 8
"""Operations from the inputs to an angle of that loop; longer ones stay in the body."""
ZEROS_BESIDE_ANGLE = 8
"""Constant zeros that are stored beside each angle; for more the core would wait."""
FEWEST_ZEROS = 17
"""Constant zeros of an output that are worth more than a store each at the end."""
ZEROS_AT_ONCE = 4
"""Zeros that one statement stores, and the fewest in a row on the average."""
FEWEST_COPIED = 4
"""Neighbours that a for-loop copies."""
SET_ONE_BY_ONE = 4
"""Numbers of an array that are set one by one; more are copied from a table."""
MANY_NUMBERS, SPARSE_RUN = 64, 8
"""Numbers that are too many for single statements; the multiple of their count that a run must
not exceed to be worth a loop."""

# ---- rows, lanes and limbs

FEWEST_LANES = 3
"""Lanes that are worth a vector."""
FEWEST_STORED_LANES = 2
"""Lanes read as numbers of a row that is stored for them."""
FACTOR_DEPTH = 3
"""Sums of sums that are searched for a common factor: products of six-vectors have so many."""
LIKE_BODIES = 0.98
"""Share of their steps that two bodies have in common whose lanes are neighbours."""
MOST_LIMBS, FAR_FEWER = 8, 3
"""Like limbs that are searched for, and the factor by which a class must be smaller."""
MOST_CANDIDATES = 8
"""Nodes of one expression that are compared for the best matching arguments."""

# ---- addresses

REACH, COUNTED_VECTOR = 128, 64
"""Distance in bytes or vectors that a short address reaches; bytes of the vectors that count."""
FEWEST_MENTIONS = 4
"""Mentions that are worth a base register: three bytes less for each, seven for the register."""
MOST_BASES = 10
"""Base registers at a time."""
UNUSED_LINES = 200
"""Lines without a mention after which a base is worth no register."""

# ---- recursions over bodies

FEWEST_SPEEDS, LONG_FUNCTION = 16, 12_000
"""Speeds of a tree, and operations of a function, from which on loops are tried."""
LONG_CHAIN = 8
"""Joints of a chain whose responses are faster than solutions with M."""
LONGEST_BY_MASS = 14
"""Joints of a chain beyond which derivatives through M never take fewer operations."""
FEWEST_LINKS = 6
"""Links of a model whose like steps are worth vectors."""
CARRIED_ROWS = 5
"""Rows of columns, of each of three matrices, that registers carry at once."""
CARRIED_BYTES = 36_000
"""Bytes that such columns of all speeds may take in the first-level cache."""
