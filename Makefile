# Two commands on a fresh machine: make run, make test. Python 3.11 or newer and a package registry are all they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help setup run test bench mutants lint format corpus docs clean

help:  ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(VENV)/.ready  ## the virtual environment with everything in it

$(VENV)/.ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Warledger needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

run: setup  ## the main job: raw dumps to warehouse, reports and dashboard
	$(BIN)/warledger run

test: setup lint  ## lint, types and all tests
	$(BIN)/pytest -n auto --maxprocesses 4 --dist worksteal

lint: setup  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup  ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/.bench: $(VENV)/.ready
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	@touch $@

bench: setup $(VENV)/.bench  ## speed and size against baselines, other calculators and goals
	$(BIN)/python -m benchmarks

mutants: setup  ## break one rule of the engine at a time: the tests must notice each
	$(BIN)/python -m tests.simulation.mutants

corpus: setup  ## write raw/ anew from the facts and the glossary of tests/corpus
	$(BIN)/python -m tests.corpus.compose

docs: setup  ## write the data dictionary anew from warehouse/schema.toml
	$(BIN)/warledger schema --format markdown > docs/data_dictionary.md

clean:  ## everything that was made
	rm -rf $(VENV) .warledger .pytest_cache .mypy_cache .ruff_cache .hypothesis analyses/dashboard warehouse/*.duckdb
