# Everything that a newcomer and the gate run. Needs Python 3.11 or newer; sets the rest up by itself, inside this folder.
# `make` alone lists the targets. The same without make: README.md.

VENV  := .venv
BIN   := $(VENV)/bin
STAMP := $(VENV)/.elenchus-installed
TOOLS := .tools
# make constraints RENEW= : no newer versions, only what is missing.
RENEW ?= --upgrade
# More words for pytest, such as: make test ARGS="-k crit -x"
ARGS  ?=
# Where `make rldf` puts everything: make rldf RLDF=DIR.
RLDF  ?= out/rldf

# uv reads its own settings only; take over what pip was told (pip separates places by spaces, uv by commas).
comma := ,
space := $(subst ,, )
ifdef PIP_FIND_LINKS
export UV_FIND_LINKS ?= $(subst $(space),$(comma),$(strip $(PIP_FIND_LINKS)))
endif
ifdef PIP_INDEX_URL
export UV_DEFAULT_INDEX ?= $(PIP_INDEX_URL)
endif

# torch comes along where pip is offered a CPU build: the index's own brings gigabytes of CUDA. Elsewhere the tests of
# what needs it (one learner, all trainings) are skipped, each saying so (to have them: uv pip install -e ".[train]").
TRAIN := $(if $(wildcard $(addsuffix /torch-*+cpu*.whl,$(PIP_FIND_LINKS))),$(comma)train)

# Bytecode is kept beside the installed code, also where the environment says otherwise (container images like to):
# without it every start compiles all that it imports (measured: `elenchus --help` 0.25 s with, 0.6 s without).
unexport PYTHONDONTWRITEBYTECODE

# The uv on the PATH when it works and is new enough to install dependency groups, else our own.
UV = $(shell if uv pip install --help 2>/dev/null | grep -q -e '--group'; then command -v uv; else echo $(TOOLS)/bin/uv; fi)

DEMO := "Should a city ban private cars from its centre?" \
	--pro local:smollm2-135m --con local:smollm2-135m --judge local:smollm2-135m --judge local:smollm2-135m \
	--agenda docs/demo-agenda.md --max-rounds 2 --export out/demo

.PHONY: help demo demo-discord rldf test test-slow chaos bench lint format types imports docs docs-check check constraints release audit clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(STAMP) ## set up, then debate live on the embedded model (about 2 minutes); the report goes to out/demo
	@$(BIN)/elenchus debate $(DEMO)

demo-discord: $(STAMP) ## set up, then show a debate in a Discord of our own: the real bot, scripted people, no token (half a minute)
	@$(BIN)/python -m tests.fakes.discord.demo

rldf: $(STAMP) ## from scripted debates to a trained tiny model and a report in out/rldf (two cores, 6 GB; the plumbing, not the effect)
	@OMP_NUM_THREADS=1 ELENCHUS_LOCAL_THREADS=1 ELENCHUS_HOME=$(RLDF)/home \
		$(BIN)/elenchus rldf experiment --toy --out $(RLDF)

# Four at once on two cores, as many of them wait.
PYTEST = $(BIN)/python -m pytest -n 4 --dist loadgroup

test: $(STAMP) ## set up, then run the tests but for the slow proofs (some ten minutes on two cores)
	@$(PYTEST) -m "not slow" $(ARGS)
	@echo "The slow proofs were left out: make test-slow runs them, and so does the gate."

test-slow: $(STAMP) ## run the slow proofs: kills, faults, mutations and whole processes by the hundred
	@$(PYTEST) -m slow $(ARGS)

chaos: $(STAMP) ## 500 debates on three workers in ten minutes, and two bots: kills, frozen processes, a cut network, restarts of database and Redis
	@$(BIN)/python -m tests.service.workers.chaos $(ARGS)

bench: $(STAMP) ## run the benchmarks and write docs/benchmarks.md (ARGS=startup: that one only)
	@$(BIN)/python -m benchmarks $(ARGS)

lint: $(STAMP) ## look for mistakes: the code (ruff), its form (ruff format) and the Dockerfile (hadolint)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "Some files want another form: make format"; exit 1; }
	@$(BIN)/hadolint Dockerfile

format: $(STAMP) ## bring the code into its form (ruff format, import order)
	@$(BIN)/ruff check --select I --fix --quiet .
	@$(BIN)/ruff format --quiet .

types: $(STAMP) ## check the types, strictly (mypy)
	@$(BIN)/mypy

imports: $(STAMP) ## check that imports point inward (import-linter)
	@$(BIN)/lint-imports

docs: $(STAMP) ## write docs/cli.md anew from the program
	@$(BIN)/python docs/render_cli.py

docs-check: $(STAMP) ## check that docs/cli.md tells of the commands that the program has
	@$(BIN)/python docs/render_cli.py --check

check: test test-slow lint types imports docs-check ## everything that the gate checks

# Compiled for every system and Python; --upgrade takes newer versions, without it only what is missing is added.
COMPILE = env -u UV_FIND_LINKS $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --group weights --group release \
	--no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command "make constraints"

constraints: $(STAMP) ## renew constraints.txt (what everybody installs) and constraints-hashed.txt (what a release installs, with hashes)
	@$(COMPILE) $(RENEW) --all-extras --output-file constraints.txt
	@rm -f constraints-hashed.txt
	@$(COMPILE) --constraint constraints.txt --extra local --extra detect --extra articles --extra scale --extra train --generate-hashes --output-file constraints-hashed.txt

release: $(STAMP) ## build the sdist, the wheel and the list of all their parts (SBOM, CycloneDX) into dist/
	@rm -rf dist build/release
	@$(BIN)/uv build --quiet --require-hashes --build-constraints constraints-hashed.txt --out-dir dist
	@$(BIN)/uv venv --quiet build/release/program && $(BIN)/uv venv --quiet build/release/tools
	@env -u UV_FIND_LINKS $(BIN)/uv pip install --quiet --python build/release/program/bin/python --require-hashes --constraint constraints-hashed.txt \
		--requirements pyproject.toml --extra local --extra detect --extra articles --extra scale --group weights
	@$(BIN)/uv pip install --quiet --python build/release/program/bin/python --no-deps dist/*.whl
	@env -u UV_FIND_LINKS $(BIN)/uv pip install --quiet --python build/release/tools/bin/python --require-hashes --constraint constraints-hashed.txt --group release
	@build/release/tools/bin/cyclonedx-py environment build/release/program/bin/python --output-file dist/elenchus.cdx.json
	@ls dist

audit: $(STAMP) ## look up known holes in all that a release installs (asks the package index; exit 3 where none answers)
	@BIN=$(BIN) .ci/audit

clean: ## remove all that was set up or built here (no session is touched: those live in $ELENCHUS_HOME)
	@rm -rf $(VENV) $(TOOLS) build dist out uv.lock .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml constraints.txt
	@echo "Setting up $(VENV) (once) …"
	@test "$(UV)" != $(TOOLS)/bin/uv || test -x $(TOOLS)/bin/uv || { \
		python3 -m venv $(TOOLS) || { echo "Python's venv is missing: on Debian and Ubuntu, apt-get install python3-venv"; exit 1; }; \
		$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt uv; }
	@$(BIN)/python -c "" 2>/dev/null || { rm -rf $(VENV); $(UV) venv --quiet --python ">=3.11" $(VENV); }
	@$(UV) pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable ".[local,detect,articles,scale,dev$(TRAIN)]" --group weights
	@echo "Set up. After  . $(VENV)/bin/activate  this shell knows the command elenchus."
	@touch $@
