"""Cases of heavier payloads and of more modes (27, 28, 30)."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.systems.flexible_manipulator.scenario import peak
from eomc.systems.reference.caron.checks import between, within
from eomc.systems.reference.caron.scenarios import response
from eomc.systems.reference.case import Case, Check

_RECOMPUTED = "an independent simulation of the thesis's data; the thesis states "


def _payload_ratios() -> Iterator[Check]:
    for ratio, joint, unit, platform in (
        (1, 2.45, 1.8, 2.3),
        (2, 4.99, 3.7, 3.3),
        (5, 14.2, 10.6, 12.3),
    ):
        run = response(f"4-8 ratio={ratio}")
        yield within(f"payload ratio {ratio}: joint [deg]", joint, peak(run.beta(2)), 0.10)
        yield within(f"payload ratio {ratio}: unit [cm]", unit, 100 * peak(run.e(3)), 0.10)
        yield within(f"payload ratio {ratio}: platform [mm]", platform, 1e3 * peak(run.e(2)), 0.10)


def _more_modes() -> Iterator[Check]:
    for base, second in ((60, 0.13), (30, 0.25)):
        runs = [response(f"4-9 d2={base} modes={modes}") for modes in (1, 2, 3)]
        platform = [peak(run.e(2)) for run in runs]
        change = platform[1] / platform[0] - 1
        yield between(
            f"base {base} m: second mode on the platform", second - 0.05, change, second + 0.05
        )
        change = platform[2] / platform[1] - 1
        yield between(
            f"base {base} m: third mode on the platform", 0.03 - 0.05, change, 0.03 + 0.05
        )
        pitch, joint = (
            [peak(h) for h in each]
            for each in ([run.pitch for run in runs], [run.beta(2) for run in runs])
        )
        yield between(f"base {base} m: modes on the pitch", 0, max(pitch) / min(pitch) - 1, 0.001)
        yield between(f"base {base} m: modes on the joint", 0, max(joint) / min(joint) - 1, 0.01)


def _slew_and_deploy() -> Iterator[Check]:
    run = response("4-11 ratio=5")
    yield within("pitch [deg]", -0.645, float(run.pitch.min()), 0.10)
    yield within("platform [mm]", 4.0, 1e3 * peak(run.e(2)), 0.10)
    yield within("joint [deg]", 15.5, peak(run.beta(2)), 0.10)
    yield within("unit [cm]", 36, 100 * peak(run.e(3)), 0.10)


CASES = (
    Case(
        27, "Payload ratios", "fig. 4-8",
        _RECOMPUTED + "15 deg, 10 cm and about 1 cm for ratio 5", _payload_ratios, "reconstructed",
        slow=True,
    ),
    Case(
        28, "More modes", "fig. 4-9",
        _RECOMPUTED + "that higher modes change the platform noticeably, pitch and joint not",
        _more_modes, "reconstructed", slow=True,
    ),
    Case(
        30, "Slew and deployment with a heavy payload", "fig. 4-11",
        _RECOMPUTED + "0.7 deg, 3.5 mm, nearly 20 deg, about 40 cm", _slew_and_deploy,
        "reconstructed",
        note="The joint reaches 15.5 degrees, the platform 4.0 mm.",
    ),
)  # fmt: skip
