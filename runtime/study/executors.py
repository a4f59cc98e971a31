"""Executors of the shares of a study: threads here, or the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from eomc.runtime.study.formats.format import AnyArray
from eomc.runtime.study.results import StudyError
from eomc.runtime.study.rollout import Rollout
from eomc.runtime.study.runs import Runs
from eomc.runtime.study.shipped_model import ShippedModel

Share = Mapping[str, AnyArray]
Work = Callable[[int, int], Share]
"""(first, last + 1) run to their results."""

_AHEAD = 2
"""Shares for each worker that are on their way at once: what bounds the memory."""

_DEATHS = 20
"""Of workers over one share, after which it is its own fault."""


def on_threads(
    work: Work, bounds: Sequence[tuple[int, int]], threads: int
) -> Iterator[tuple[int, Share]]:
    """(index, results) of the shares as they are done."""
    left = iter(enumerate(bounds))
    with ThreadPoolExecutor(threads) as pool:
        pending = {}
        try:
            while True:
                for index, (first, last) in left:
                    pending[pool.submit(work, first, last)] = index
                    if len(pending) >= _AHEAD * threads:
                        break
                if not pending:
                    return
                for future in wait(pending, return_when=FIRST_COMPLETED).done:
                    yield pending.pop(future), future.result()
        finally:
            for future in pending:
                future.cancel()


@dataclass(frozen=True)
class RemoteWork:
    """Model, rollout and runs that a worker needs for any share."""

    shipped: ShippedModel
    rollout: Rollout
    runs: Runs

    def __call__(self, first: int, last: int) -> Share:
        """On the worker."""
        return self.rollout.results(self.shipped.model(), self.runs, first, last)


def on_cluster(
    work: RemoteWork, bounds: Sequence[tuple[int, int]], client: Any
) -> Iterator[tuple[int, Share]]:
    """(index, results) of the shares as they are done by the workers of a Dask client.

    A share whose worker dies is given to another: what it gives depends on its runs alone.
    """
    distributed = require_dask()
    left = iter(enumerate(bounds))
    deaths = dict.fromkeys(range(len(bounds)), 0)
    pending: dict[Any, int] = {}

    def submit(index: int) -> None:
        first, last = bounds[index]
        key = f"eomc-{work.shipped.key[:12]}-{id(pending):x}-{first}-{deaths[index]}"
        pending[client.submit(work, first, last, key=key, pure=False, retries=2)] = index

    try:
        while True:
            most = _AHEAD * max(sum(client.nthreads().values()), 1)
            while len(pending) < most and (following := next(left, None)) is not None:
                submit(following[0])
            if not pending:
                return
            done, _ = distributed.wait(list(pending), return_when="FIRST_COMPLETED")
            for future in done:
                index = pending.pop(future)
                try:
                    found = future.result()
                except (distributed.KilledWorker, distributed.client.FutureCancelledError):
                    deaths[index] += 1
                    if deaths[index] > _DEATHS:
                        first, last = bounds[index]
                        raise StudyError(
                            f"runs {first} to {last - 1} killed their worker {_DEATHS} times; are "
                            "they too many for its memory? Give a smaller chunk"
                        ) from None
                    submit(index)
                    continue
                yield index, found
    finally:
        if pending:
            client.cancel(list(pending), force=True)


def require_dask() -> Any:
    """The module distributed; ValueError says how to have it."""
    try:
        import distributed
        import distributed.client
    except ImportError:
        raise ValueError("client: a cluster needs Dask: pip install 'eomc[study]'") from None
    return distributed


def check_client(client: Any) -> None:
    """Raise ValueError for what is no client of Dask."""
    distributed = require_dask()
    if not isinstance(client, distributed.Client):
        raise ValueError(
            f"client: give a distributed.Client of the cluster, not {type(client).__name__}"
        )
