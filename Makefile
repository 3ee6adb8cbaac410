# Every target sets up what it needs by itself: a .venv with the versions of requirements.lock.
# Set-up runs again only when the lock or pyproject.toml change.

VENV   := .venv
PYTHON := $(VENV)/bin/python
VIVA   := $(VENV)/bin/viva
READY  := $(VENV)/.ready
JOBS   ?= 2
PYTHONS ?= python3.11 python3.12 python3.13 python3 python

# One thread per process: the work is spread over processes, and grades must not depend on cores.
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-browser test-kit test-hub test-moodle screenshots format lint release audit claims bundle site bench fuzz soak lab lock clean

help:            ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: $(READY)  ## the virtual environment; every other target does this first

$(READY): requirements.lock pyproject.toml
	@python=; for p in $(PYTHONS); do \
	  if $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; \
	  then python=$$p; break; fi; done; \
	if [ -z "$$python" ]; then \
	  echo "Viva needs Python 3.11, 3.12 or 3.13, and none of these is one: $(PYTHONS)." >&2; exit 1; \
	fi; \
	if ! $(PYTHON) -m pip --version >/dev/null 2>&1; then \
	  echo "Setting up $(VENV) with $$($$python --version), once ..."; \
	  $$python -m venv $(VENV) >/dev/null 2>&1 || { \
	    $$python -m venv --without-pip $(VENV) && \
	    $$python -m pip --python $(PYTHON) install -qq pip; }; \
	fi  # Debian's Python may lack ensurepip; its pip then installs the first pip
	@$(PYTHON) -m pip install -qq --disable-pip-version-check -r requirements.lock
	@$(PYTHON) -m pip install -qq --disable-pip-version-check \
	  --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(READY)   ## the main job end to end, on a cohort of demo students
	@$(VIVA) demo

test: $(READY)   ## the tests, on JOBS processes
	@$(PYTHON) -m pytest -q -n $(JOBS) --dist loadfile

AXE := .axe/node_modules/axe-core/axe.min.js

$(AXE):          # finds what a page keeps from people; used by the browser tests alone
	@npm install --silent --no-save --no-audit --no-fund --prefix .axe axe-core@4.14.0

test-browser: $(READY) $(AXE) ## a student's hour and a TA's evening in Chromium
	@$(PYTHON) -m pytest -q -m browser tests/browser -n $(JOBS) --dist loadfile

test-kit: $(READY) ## the student kit on the oldest and the newest libraries; downloads gigabytes
	@KIT_PYTHON=$(KIT_PYTHON) $(PYTHON) -m pytest -q -m ranges tests/kit/test_ranges.py tests/kit/test_hosted_ranges.py

test-hub: $(READY) ## a week on a real JupyterHub, with local accounts; as root
	@$(PYTHON) -m pytest -q -m hub tests/browser/test_hub.py

test-moodle: $(READY) ## roster, marks and feedback with a real Moodle; MOODLE=<folder with its source>
	@MOODLE=$(MOODLE) $(PYTHON) -m pytest -q -s -m moodle tests/browser/test_moodle.py

screenshots: $(READY) $(AXE) ## the pictures of the documentation, by the same tests
	@VIVA_SCREENSHOTS=1 $(PYTHON) -m pytest -q -m browser tests/browser -n $(JOBS) --dist loadfile

lint: $(READY)   ## style of the code, who imports whom, types, canonical form of the notebooks
	@$(PYTHON) -m ruff check .
	@$(VENV)/bin/lint-imports --no-logo
	@$(PYTHON) -m mypy
	@$(VIVA) format --check

format: $(READY) ## source notebooks into their canonical form
	@$(VIVA) format

release: $(READY) ## source/ to release/, refusing what would leak or break
	@$(VIVA) release

audit: $(READY)  ## prove exams, and the questions of viva voce; only what has changed
	@$(VIVA) audit --brief --questions

claims: $(READY) ## try what the lessons state, on every seed; only what has changed
	@$(VIVA) claims --all-seeds

bench: $(READY)  ## measured comparisons, printed as ratios
	@for script in reference autograde logs; do $(PYTHON) bench/$$script.py; done

FUZZER := $(PYTHON) -m pip install -qq --disable-pip-version-check \
	  --constraint requirements.lock --no-build-isolation --editable '.[fuzz]'

fuzz: $(READY)   ## coverage-guided fuzzing of what the trusted side reads
	@$(FUZZER)
	@$(PYTHON) -m pytest -q -n $(JOBS) tests/reliability/test_guided.py

soak: $(READY)   ## faults, fuzzing and load at full size; 20 minutes or more
	@$(FUZZER)
	@VIVA_SOAK=1 $(PYTHON) -m pytest -q -n $(JOBS) --dist loadfile -m 'not browser' tests/reliability

bundle: $(READY) ## dist/: what students download
	@$(VIVA) bundle

site: $(READY)   ## dist/site: the course as a static site, lessons and pages for every reader
	@$(PYTHON) docs/site/build.py

lab: $(READY)    ## JupyterLab with formgrader and the desk on this course; LAB="..." are further options
	@if [ "$$(id -u)" = 0 ]; then \
	  echo "You are root, as in a container: no browser is opened, use the address below." >&2; \
	  echo 'From outside: publish a port, say 8888; make lab LAB="--ip=0.0.0.0 --port=8888"' >&2; \
	  root="--allow-root --no-browser"; \
	fi; \
	export JUPYTER_CONFIG_PATH="$(CURDIR)$${JUPYTER_CONFIG_PATH:+:$$JUPYTER_CONFIG_PATH}"; \
	exec $(VENV)/bin/jupyter lab $$root $(LAB)

lock: $(READY)   ## requirements.lock from what is installed now
	@$(PYTHON) -m pip freeze --all --exclude pip --exclude-editable | sed 's/+[a-z0-9.]*$$//' > requirements.lock
	@touch $(READY)

clean:           ## removes what the course made, never what staff or students wrote
	@rm -rf dist build reports demo .kit-sets .pytest_cache .ruff_cache .import_linter_cache .mypy_cache .hypothesis .viva-audit .viva-answers lib/*.egg-info
	@find lib tests -name __pycache__ -type d -prune -exec rm -rf {} +
