"""A compiled model on its way to a worker. Kills are case 33 of the reference `studies`."""

from __future__ import annotations

import pytest

from eomc_published.studies.pendulums import pendulum


def test_other_platforms_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from eomc.runtime.model.errors import LoadError
    from eomc.runtime.study import shipped_model

    shipped = shipped_model.ShippedModel.of(pendulum())
    assert shipped.key == shipped_model.ShippedModel.of(pendulum()).key
    assert shipped.model().nu == 1
    monkeypatch.setattr(shipped_model, "_platform", lambda: "vax")
    monkeypatch.setattr(shipped_model, "_UNPACKED", {})
    with pytest.raises(LoadError, match="this worker is vax: take workers of one platform"):
        shipped.model()
