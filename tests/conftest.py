"""Settings of the whole suite: one build cache for all workers, one seed for all that is random."""

import gc
import os
from pathlib import Path

import choosing
import hypothesis.core
import pytest
import where_time_goes
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from random_seed import SEED, is_fresh
from small_programs.c_library import COMPILERS
from small_programs.compiled_quickly import compile_quickly

# Builds are named by their content, so that every worker and every later run may share them.
os.environ.setdefault(
    "EOMC_CACHE_DIR", str(Path(__file__).parent.parent / ".pytest_cache" / "builds")
)

# What is built for a test is called a few times: the compiler's time is what counts. Levels of
# optimization change no bit of a result (codegen/test_reproducible.py).
os.environ.setdefault("EOMC_FLAGS", "-O0")
compile_quickly()

# No deadline and no complaint of slow drawing: neither may depend on how busy the machine is. Of
# examples that are others every time, few: what they find becomes a test of its own.
settings.register_profile(
    "eomc",
    max_examples=30 if is_fresh else 60,
    deadline=None,
    print_blob=True,
    database=None,
    derandomize=not is_fresh,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("eomc")

# Examples are those of the strategies alone. Newer Hypothesis adds constants that it reads from the
# source of all imported modules: that takes seconds, and what is drawn would depend on the imports.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants

if is_fresh:
    hypothesis.core.global_force_seed = SEED


def pytest_addoption(parser: pytest.Parser) -> None:
    choosing.add_options(parser)
    where_time_goes.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    # At its end pytest collects garbage five times over, for exceptions in destructors.
    plugin = config.pluginmanager.get_plugin("unraisableexception")
    if hasattr(plugin, "gc_collect_iterations_key"):
        config.stash[plugin.gc_collect_iterations_key] = 1
    where_time_goes.measure(config)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The long ones first, so that none is left alone at the end."""
    choosing.choose(config, items)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """Looking for circular garbage took a quarter of the time: imports stay, the rest can wait."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A failure is told at once: a run that is ended before its summary has said which."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(
            f"\nFAILED {report.nodeid} ({report.when})\n{report.longreprtext[-4000:]}", flush=True
        )


def pytest_report_header() -> list[str]:
    drawn = f"EOMC_SEED={SEED}" if is_fresh else "the same in every run"
    return [f"random examples: {drawn}", f"compilers: {', '.join(COMPILERS)}"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    choosing.tell_skipped(terminalreporter)
    if is_fresh and terminalreporter.stats.get("failed"):
        terminalreporter.write_line(f"EOMC_SEED={SEED} draws the same random examples again")
