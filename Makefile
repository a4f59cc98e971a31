# make demo    two robots from their model files to compiled, verified, moving modules, with pictures
# make test    the tests, but for those marked slow (make test-slow)
# Everything happens in .venv, made on first use; PYTHON=python3.12 chooses its Python.

# The first Python that is new enough.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; done; \
  echo $$python)
VENV ?= .venv
BIN = $(VENV)/bin
# Long tests come first, and a worker without any takes them from the others. As many workers as
# cores leave none to the threads of BLAS, which would wait for each other.
PYTEST = OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal

# Of a package of a thousand files each process of the tests would compile its part anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo mutants test test-fresh test-slow test-all test-ziglang lint format types docs readme bench clean compiler python

help:
	@sed -n 's/^# \{0,1\}//p' Makefile | head -3

demo: compiler $(VENV)/.demo
	$(BIN)/python examples/demo.py
	$(BIN)/python examples/free_flyer.py

# Of published cases and planted faults a third, chosen by the commit or by EOMC_SHARE=0 to 11.
SHARE = $${EOMC_SHARE:-$$((0x$$(git rev-parse --short=7 HEAD 2>/dev/null || echo 0) % 12))}
test: compiler $(VENV)/.test
	EOMC_SHARE=$(SHARE) $(PYTEST)

test-slow: compiler $(VENV)/.test
	$(PYTEST) -m slow

# Random examples that no run has seen, of the commit or of EOMC_SEED=7, for some of the tests that
# draw any. A failure is printed with its seed; it is worth a test of its own, with that example.
MOST ?= 40
test-fresh: compiler $(VENV)/.test
	EOMC_SEED=$${EOMC_SEED:-$$(printf %d 0x$$(git rev-parse --short=8 HEAD))} \
	  $(PYTEST) --drawing $(MOST) $$(grep -rlE 'hypothesis|random_seed' tests --include='test_*.py')

# The whole suite; of its quick part, what it runs of the package: lines and branches, in
# build/coverage.json. Counting takes time, and the slow part runs much the same lines, more often.
COVERED = --branch --source binding,building,codegen,derive,eomc,runtime,systems,verify
LONGEST = --durations=40 --durations-min=5
test-all: compiler $(VENV)/.test
	mkdir -p build
	$(subst -m pytest,-m slipcover $(COVERED) --json --out build/coverage.json -m pytest,$(PYTEST)) \
	  -m "not slow" $(LONGEST)
	$(BIN)/python docs/coverage_tables.py build/coverage.json --least
	$(PYTEST) -m slow $(LONGEST)

# What the C and the modules are asked for, with the compiler that the Python index has; gcc stays
# where a test itself calls it, for its reports of sizes and stacks.
test-ziglang: $(VENV)/.test
	CC="$(abspath $(BIN))/python -m ziglang cc" $(PYTEST) tests/codegen tests/targets

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.lint
	MYPYPATH=published $(BIN)/mypy -p eomc -p eomc_published

# Goes on with the runs that docs/mutants.json and docs/mutants_by_tests.json hold, each for so long.
MINUTES ?= 20
mutants: compiler $(VENV)/.test
	cd tests && $(abspath $(BIN))/python -m verification.mutants --statements \
	  --minutes $(MINUTES) --save ../docs/mutants.json
	cd tests && OPENBLAS_NUM_THREADS=1 $(abspath $(BIN))/python -m verification.mutants --statements \
	  --minutes $(MINUTES) --by-tests --save ../docs/mutants_by_tests.json

docs: compiler $(VENV)/.docs
	$(BIN)/sphinx-build -W --keep-going -q -j auto -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

readme: compiler $(VENV)/.demo
	$(BIN)/python docs/make_readme.py

bench: compiler $(VENV)/.peers
	$(BIN)/python -m benchmarks

clean:
	rm -rf build dist *.egg-info published/build published/*.egg-info docs/_build demo-output .pytest_cache .ruff_cache .mypy_cache

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "eomc needs Python 3.11 or newer, and found none; name one: make PYTHON=python3.12 ..." >&2; \
	  exit 1; }

HAS_HEADERS = import os, sys, sysconfig; \
  sys.exit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))

compiler: python
	@missing=; \
	command -v $${CC:-cc} >/dev/null || command -v gcc >/dev/null || command -v clang >/dev/null || \
	  missing="a C compiler"; \
	[ -n "$$missing" ] || $(PYTHON) -c '$(HAS_HEADERS)' || missing="the C headers of Python"; \
	[ -z "$$missing" ] || { \
	  echo "eomc needs $$missing, and found none; install:" >&2; \
	  echo "  Debian, Ubuntu: apt install gcc python3-dev python3-venv" >&2; \
	  echo "  Fedora:         dnf install gcc python3-devel" >&2; \
	  echo "  macOS:          xcode-select --install" >&2; \
	  exit 1; }

$(BIN)/python: | python
	$(PYTHON) -m venv $(VENV)

# One stamp a set of extras; they share the environment.
$(VENV)/.demo: pyproject.toml setup.py | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[plot]'
	@touch $@

$(VENV)/.test: pyproject.toml setup.py published/pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]' -e ./published
	@touch $@

$(VENV)/.lint: pyproject.toml setup.py | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[lint]'
	@touch $@

$(VENV)/.docs: pyproject.toml setup.py published/pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]' -e ./published
	@touch $@

$(VENV)/.peers: pyproject.toml setup.py published/pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,peers]' -e ./published
	@touch $@
