# Every target works in one command from a fresh clone: what it needs is built first, once.
# Progress of that goes to stderr, so that a target's stdout is its own.

PYTHON := $(or $(HERMA_PYTHON),python3)
ENSURE := $(PYTHON) -m scripts.environments ensure
DEV    := .envs/dev/bin
HOSTS  := hermes-0.19.0 hermes-0.22.2 opencode-1.18.33

# Given on make's own command line, never picked up from a shell's variables.
HERMES := 0.19.0
ARGS   :=

.DEFAULT_GOAL := help
.PHONY: help test lint demo bench docs lock clean environments dev
.NOTPARALLEL:

help: ## what there is to make
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

test: environments lint ## lint, then every test, real hosts included; ARGS="..." goes to pytest
	@$(DEV)/python -m pytest -n 2 --dist loadgroup $(ARGS)

lint: dev ## style, format, types and the direction of imports
	@$(DEV)/ruff check
	@$(DEV)/ruff format --check
	@$(DEV)/mypy
	@$(DEV)/lint-imports

demo: ## a real Hermes turn against a scripted model; HERMES=0.22.2, ARGS=--json
	@$(ENSURE) dev hermes-$(HERMES) opencode-1.18.33
	@$(DEV)/python -m demo --hermes $(HERMES) $(ARGS)

bench: environments ## the numbers that the documents quote; ARGS=--json
	@$(DEV)/python -m bench $(ARGS)

docs: dev ## write what is generated in docs/; ARGS=--check only compares
	@$(DEV)/python -m scripts.docs $(ARGS)

lock: ## write requirements/*.txt from requirements/*.in; ARGS=--upgrade takes newer releases
	@$(PYTHON) -m scripts.lock $(ARGS)

clean: ## remove what was built in this clone; the cache that clones share stays
	@rm -rf .envs build dist site .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

environments: ## the environments under .envs/, which other targets build by themselves
	@$(ENSURE) dev $(HOSTS)

dev: ## the first of them alone
	@$(ENSURE) dev
