# Everything a newcomer needs; each target is one small script in scripts/.
.DEFAULT_GOAL := help
.PHONY: help setup demo test exhaustive check generate docs bench faults mutants format clean

help:  ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup:  ## venv, browser, Docker engine, base image (quick when they are there)
	@scripts/setup

demo: setup  ## audit three bundled failures, one of each outcome
	@.venv/bin/verify demo

test: setup check  ## the static checks, then the tests without the costlier ones of each file
	@.venv/bin/python -m tests.again -m "not exhaustive" $(PYTEST_ARGS)

exhaustive: setup check  ## the static checks, then every test
	@.venv/bin/python -m tests.again $(PYTEST_ARGS)

check:  ## ruff, mypy and import-linter only
	@scripts/check

generate:  ## what is made from the code: published schemas and types, the picture of the workflow
	@.venv/bin/python scripts/schemas.py
	@.venv/bin/python scripts/pictures.py

docs: setup  ## the documentation as a site, in site/
	@.venv/bin/python -m mkdocs build --strict

bench:  ## every benchmark, one after another, into benchmarks/RESULTS.md (NAMES="large start" for some)
	@.venv/bin/python -m benchmarks $(NAMES)

faults:  ## kills, cuts, jumps and full disks at random moments of audits, into benchmarks/RESULTS.md (an hour; wants libfaketime)
	@.venv/bin/python -m benchmarks faults

mutants:  ## which changes of the deciding code no test notices, into benchmarks/RESULTS.md (an hour)
	@.venv/bin/python -m pip install --quiet -e '.[mutants]' -c constraints.txt
	@.venv/bin/python -m benchmarks mutants

format:  ## let ruff put the code in shape
	@.venv/bin/ruff check --fix . ; .venv/bin/ruff format .

clean:  ## remove the venv and the tools' caches; packs stay
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build site *.egg-info setup.log
