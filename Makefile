# Development tasks. `make help` lists the targets.

SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory

BIN := .venv/bin
UV_VERSION := $(shell sed -n '/^name = "uv"$$/{n;s/.*"\(.*\)".*/\1/p;}' uv.lock)
NPM := npm --no-fund --no-audit --no-update-notifier --loglevel=error
# Debug information of the development profile is a third of the CPU of a build, and no test reads it.
CARGO := CARGO_PROFILE_DEV_DEBUG=0 cargo --locked
RUST := --manifest-path ingest/native/Cargo.toml
export UV_PROJECT_ENVIRONMENT := .venv
export PIP_ROOT_USER_ACTION := ignore
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Without bytecode on disk each of the many processes of a test run compiles 1,300 modules: 5 CPU seconds.
export PYTHONDONTWRITEBYTECODE :=
export UV_COMPILE_BYTECODE := 1

##@ Main

.PHONY: help
help: ## Show what each target does
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z0-9-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: port build ## Install everything, start the service, print a sign-in URL; Ctrl-C stops it; PORT=N for another port
	@exec $(BIN)/casebook serve --with-parent $(if $(PORT),--port $(PORT))

# Before the build, which takes minutes on a new machine.
.PHONY: port
port:
	@tools/setup/free_port $(or $(PORT),$(CASEBOOK_PORT),8765)

.PHONY: test
test: build chromium capture-tools ## Install everything, run every check and test
	@$(BIN)/python -m tools.run_tests

.PHONY: test-long
test-long: ## Run the long forms: sweeps, time complexity, hostile requests, fuzzing, incident, faults, upgrade; needs root
	@$(MAKE) --keep-going smoke sweeps growth hostile schemathesis fuzz fuzz-line story fault alerts upgrade-trial

.PHONY: smoke
smoke: build ## Start a temporary instance, upload evidence, print the verdict, stop
	@$(BIN)/casebook smoke

##@ Parts of `make test`

.PHONY: check
check: build ## Lint, types, formats, import contracts, banned phrases, generated files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.banned_phrases
	$(BIN)/shellcheck ingest/collect/collect.sh
	cargo fmt $(RUST) --check
	$(CARGO) clippy $(RUST) --quiet --all-targets --features python -- --deny warnings
	$(NPM) run check
	@$(BIN)/casebook openapi | diff -u frontend/openapi.json - \
		|| { echo "frontend/openapi.json is not what the code says; run 'make generate' and commit" >&2; exit 1; }

.PHONY: test-python
test-python: build capture-tools ## Python tests
	$(BIN)/pytest -n 4 --dist loadfile --no-loadscope-reorder --junitxml var/test/python.xml

.PHONY: test-rust
test-rust: .stamps/prerequisites ## Rust tests
	$(CARGO) test $(RUST) --quiet

.PHONY: test-ui
test-ui: build ## Front-end unit tests
	$(NPM) run test --workspace frontend -- --reporter default --reporter junit --outputFile.junit ../var/test/ui.xml

.PHONY: test-e2e
test-e2e: build chromium ## Browser tests against a temporary instance
	$(BIN)/python -m tests.e2e.run --shards 2 $(NPM) run e2e

.PHONY: signatures
signatures: build ## Lint the library, evaluate every signature on its fixtures
	$(BIN)/casebook signature lint
	$(BIN)/casebook signature test

##@ Development

.PHONY: fix
fix: build ## Format the code, apply automatic fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	cargo fmt $(RUST)
	$(NPM) run fix

.PHONY: dev
dev: build ## Serve with hot reload of the front end (http://127.0.0.1:5173)
	@$(BIN)/casebook serve --with-parent & $(NPM) run dev --workspace frontend; kill $$! 2>/dev/null; wait

.PHONY: generate
generate: generate-formats generate-signatures generate-api generate-settings ## Regenerate every generated file

.PHONY: generate-formats
generate-formats: build ## Regenerate golden readings, docs/formats.md, docs/pastes.md, names in the signature schema
	$(BIN)/python -m tools.native_sources
	$(BIN)/casebook formats --markdown > docs/formats.md
	$(BIN)/python -m tests.ingest.paste_robustness
	$(BIN)/python -m tests.ingest.golden
	$(BIN)/python -m signatures.document.schema

.PHONY: generate-signatures
generate-signatures: build ## Regenerate the matrix of verdicts, the signature schema, the tables of docs/signatures.md, benchmarks/REPRODUCERS.md
	$(BIN)/python -m signatures.document.schema
	$(BIN)/python -m tests.signatures.golden
	$(BIN)/python -m tools.reproduce --table > benchmarks/REPRODUCERS.md

.PHONY: generate-api
generate-api: build ## Regenerate the API schema and client, the report schema, docs/permissions.md, docs/fields.md
	$(BIN)/casebook openapi --output frontend/openapi.json
	$(NPM) run apigen
	$(BIN)/python -m signatures.rendering.words
	$(BIN)/python -m cli.reports.report_shapes
	$(BIN)/python -m backend.access.permission_matrix < frontend/openapi.json > docs/permissions.md
	$(BIN)/python -m backend.access.fields < frontend/openapi.json > docs/fields.md

.PHONY: generate-settings
generate-settings: build ## Regenerate the table of settings in docs/operations.md
	$(BIN)/python -m backend.core.settings_reference

.PHONY: migration
migration: build ## Draft a migration from the models: make migration m="add cases.owner"
	@test -n "$(m)" || { echo 'name the change: make migration m="add cases.owner"' >&2; exit 2; }
	$(BIN)/python -m tools.draft_migration "$(m)"

.PHONY: screenshots
screenshots: build chromium ## Photograph the documentation's views, and every page and state (light, dark, phone) below var/screenshots
	$(BIN)/python -m tests.e2e.run node tools/screenshots/take.mjs

.PHONY: firefox
firefox: build ## Run the main journeys in Debian's Firefox; needs firefox-esr
	@test -d var/firefox/node_modules/puppeteer-core || $(NPM) install --no-save --prefix var/firefox puppeteer-core@24.43.1
	$(BIN)/python -m tests.e2e.run node tools/firefox/journeys.mjs

.PHONY: gallery
gallery: build ## Serve a gallery of all states of the application: loading, empty, offline, errors, large cases
	$(NPM) exec --workspace frontend -- vite --config gallery/vite.config.ts gallery

##@ Slow

.PHONY: bench-held-out
bench-held-out: build ## Take each reader away and compare what is said, write benchmarks/HELD_OUT.md and READER_FACTS.md
	$(BIN)/python -m benchmarks.held_out > benchmarks/HELD_OUT.md
	$(BIN)/python -m benchmarks.reader_facts > benchmarks/READER_FACTS.md

.PHONY: bench-seen-before
bench-seen-before: build ## Measure whether twins of incidents are found to be the same, write benchmarks/SEEN_BEFORE.md
	$(BIN)/python -m benchmarks.seen_before

.PHONY: bench-windows
bench-windows: build ## Put windows into calm recordings, write benchmarks/WINDOWS.md
	$(BIN)/python -m benchmarks.windows 20261128 > benchmarks/WINDOWS.md

.PHONY: bench
bench: build ## Compare with other tools, write benchmarks/*.md; needs root, perf and cargo
	@test -x var/bench/bin/inferno-collapse-perf || cargo install --quiet inferno --version 0.12.8 --root var/bench
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.views 100 500
	$(BIN)/python -m benchmarks.queues
	$(BIN)/python -m benchmarks.access

.PHONY: story
story: build chromium ## Run the night incident test with a 500 MB upload over an unreliable connection, write benchmarks/STORY.md
	CASEBOOK_STORY_MB=500 CASEBOOK_PREVIEW_BYTES=40000000 $(BIN)/python -m tests.e2e.run \
		$(NPM) exec --workspace tests/e2e -- playwright test night --retries 0

.PHONY: nets
nets: build ## Compare readings, verdicts and renderings of all samples with another checkout: make nets BEFORE=DIR [PART=10]
	$(BIN)/python -m tools.nets both $(BEFORE) $(PART)

.PHONY: unseen
unseen: .stamps/python ## List the parts of the sealed pool of public incidents, or open one, once: make unseen PART=series
	@$(BIN)/python -m tools.unseen $(PART)

.PHONY: bench-paste
bench-paste: build ## Measure the CPU time of a paste and of 123 files, write benchmarks/PASTE.md
	$(BIN)/python -m benchmarks.paste_cost

.PHONY: bench-side-by-side
bench-side-by-side: build ## Run whole commands of another checkout and of this one in turn, write benchmarks/SIDE_BY_SIDE.md: make bench-side-by-side BEFORE=DIR
	$(BIN)/python -m benchmarks.side_by_side $(BEFORE)

.PHONY: bench-recognition
bench-recognition: build ## Measure recognition and reading by kind of text, write benchmarks/RECOGNITION.md
	$(BIN)/python -m benchmarks.recognition

.PHONY: bench-upload
bench-upload: build ## Upload 4 GB with a one-minute connection loss, write benchmarks/LONG_UPLOAD.md: make bench-upload GB=4
	$(BIN)/python -m benchmarks.long_upload $(or $(GB),4)

.PHONY: bench-burst
bench-burst: build ## Load a temporary instance with bursts, clients and listeners, write benchmarks/BURST.md: make bench-burst BEFORE=DIR
	$(if $(BEFORE),$(BIN)/python -m benchmarks.burst --label before --checkout $(BEFORE))
	$(BIN)/python -m benchmarks.burst --label after
	$(BIN)/python -m benchmarks.burst --table benchmarks/BURST.md

.PHONY: bench-admission
bench-admission: build ## Measure readers beside a flood of uploads, write benchmarks/ADMISSION.md: make bench-admission BEFORE=DIR
	$(if $(BEFORE),$(BIN)/python -m benchmarks.admission --label before --checkout $(BEFORE))
	$(BIN)/python -m benchmarks.admission --label after
	$(BIN)/python -m benchmarks.admission --table benchmarks/ADMISSION.md

.PHONY: bench-patterns
bench-patterns: build ## Measure pastes that target backtracking patterns, write benchmarks/PATTERNS.md: make bench-patterns BEFORE=FIGURES.json
	$(BIN)/python -m benchmarks.growth_patterns $(BEFORE)

.PHONY: growth
growth: build ## Measure the time complexity of every pattern and reader, with more inputs than `make test`
	CASEBOOK_GROWTH=long $(BIN)/pytest -n 0 -q tests/test_linear_time.py --timeout 0

.PHONY: sweeps
sweeps: build chromium ## Run the tests that take a part of their inputs in `make test` with all of them, or with others
	CASEBOOK_TESTS=long $(BIN)/pytest -q --timeout 0 tests/backend/access/test_permission_matrix.py \
		tests/backend/library/test_fixtures.py tests/backend/signature_drafts tests/signatures/test_redaction.py \
		tests/cli/process/test_confined.py tests/test_contributing.py tests/ingest/sections/test_log_prefixes.py \
		tests/ingest/engines/test_large_inputs.py tests/benchmarks/test_held_out.py tests/test_api_docs.py \
		tests/ingest/export tests/ingest/native tests/ingest/readers/profilers/test_folded.py \
		tests/ingest/readers/perf/test_perf_script.py tests/signatures/judging/test_judge.py \
		tests/signatures/judging/predicates/test_histogram.py tests/signatures/language/test_expression.py
	CASEBOOK_TESTS=long $(CARGO) test $(RUST) --quiet messages
	CASEBOOK_TESTS=long $(BIN)/python -m tests.e2e.run $(NPM) run e2e -- accessibility hostile-files

.PHONY: corpora
corpora: build ## Read folders of captures, write benchmarks/COVERAGE.md: make corpora CORPORA="DIR DIR"
	$(BIN)/python -m benchmarks.corpora $(CORPORA)

.PHONY: fault
fault: build ## Inject faults: kill components, fill the disk; write benchmarks/FAULT.md: make fault SEED=7 ROUNDS=25; needs root
	$(BIN)/python -m benchmarks.fault --rounds $(or $(ROUNDS),25) $(if $(SEED),--seed $(SEED))

.PHONY: soak
soak: build ## Soak test: check memory, connections and file handles under load: make soak MINUTES=60
	$(BIN)/python -m benchmarks.soak --minutes $(or $(MINUTES),60)

.PHONY: fuzz
fuzz: build ## Fuzz every reader and the Rust core: make fuzz SECONDS=3600; crashing inputs go to tests/data/fuzz
	@test -x var/fuzz/bin/cargo-fuzz || cargo install --quiet --locked cargo-fuzz --version 0.13.2 --root var/fuzz
	PATH="$(CURDIR)/var/fuzz/bin:$$PATH" $(BIN)/python -m tests.ingest.fuzzing --seconds $(or $(SECONDS),60)

.PHONY: alerts
alerts: ## Check and test the alert rules; needs promtool of Prometheus
	promtool check rules docker/prometheus/casebook.rules.yaml
	promtool test rules docker/prometheus/casebook.rules.test.yaml

.PHONY: alerts-live
alerts-live: build ## Provoke every alert on a temporary instance, and let a real Alertmanager open cases; as root: PROMETHEUS= ALERTMANAGER=
	@$(BIN)/python -m tools.alerts_live.rules $(or $(PROMETHEUS),prometheus)
	@$(BIN)/python -m tools.alerts_live.alertmanager $(or $(ALERTMANAGER),alertmanager)

.PHONY: fuzz-line
fuzz-line: build ## Fuzz all steps from bytes to pages, in CPU seconds: make fuzz-line SECONDS=3600 SEED=1
	$(BIN)/python -m tests.backend.whole_line_fuzzing --seconds $(or $(SECONDS),3600) --seed $(or $(SEED),1)

.PHONY: schemathesis
schemathesis: build ## Property-based API tests for every endpoint and role: make schemathesis EXAMPLES=50
	CASEBOOK_SCHEMATHESIS_EXAMPLES=$(or $(EXAMPLES),20) $(BIN)/pytest -q tests/backend/access/test_schemathesis.py

.PHONY: hostile
hostile: build ## Send hostile and random requests to every operation: make hostile REQUESTS=5000 SEED=7
	CASEBOOK_HOSTILE_REQUESTS=$(or $(REQUESTS),2000) CASEBOOK_HOSTILE_SEED=$(or $(SEED),1) \
		$(BIN)/pytest -q tests/backend/test_hostile_requests.py --timeout 0

.PHONY: bench-graph
bench-graph: build chromium ## Compare rendering with d3-flame-graph, write benchmarks/GRAPH.md; needs root and perf
	$(BIN)/python -m benchmarks.graph_input
	cd frontend && npx vite build --config bench/vite.config.ts
	node frontend/bench/measure.mjs

.PHONY: bench-first-view
bench-first-view: build chromium ## Measure what first views cost the browser, write benchmarks/FIRST_VIEW.md: make bench-first-view [BEFORE=checkout]
	$(if $(BEFORE),cd $(BEFORE) && CASEBOOK_BENCH_COMMIT=$$(git rev-parse --short HEAD) $(BIN)/python -m tests.e2e.run node $(CURDIR)/frontend/bench/firstView.mjs before)
	$(BIN)/python -m tests.e2e.run node frontend/bench/firstView.mjs after
	node frontend/bench/firstView.mjs report

.PHONY: bench-drops
bench-drops: build chromium ## Drop a large script, 500 files and 40 hosts in the browser, write benchmarks/DROPS.md
	$(BIN)/python -m tests.e2e.run node frontend/bench/drops.mjs

.PHONY: bench-backup
bench-backup: build ## Back up an instance with many cases under load and restore it, write benchmarks/BACKUP.md: make bench-backup CASES=1000
	$(BIN)/python -m benchmarks.backup $(or $(CASES),1000)

.PHONY: bench-finding-bytes
bench-finding-bytes: build ## Measure the bytes of findings a case, write benchmarks/FINDING_BYTES.md: make bench-finding-bytes CASES=264
	$(BIN)/python -m benchmarks.finding_bytes $(or $(CASES),264)

.PHONY: bench-reprocess
bench-reprocess: build ## Reprocess many cases while their worker is killed, write benchmarks/REPROCESS.md: make bench-reprocess CASES=200
	$(BIN)/python -m benchmarks.reprocess $(or $(CASES),200)

.PHONY: bench-queues
bench-queues: build ## Measure paste latency behind another sender's slow and large files, write benchmarks/QUEUES.md
	$(BIN)/python -m benchmarks.queues $(if $(BEFORE),--before $(BEFORE))

.PHONY: bench-growth-cases
bench-growth-cases: build ## Measure page requests on databases with many cases, write benchmarks/SCALE.md: make bench-growth-cases CASES="1000 10000" [KEEP=dir] [BEFORE=checkout]
	$(BIN)/python -m benchmarks.many_cases $(CASES) $(if $(KEEP),--keep $(KEEP)) $(if $(BEFORE),--before $(BEFORE))

.PHONY: bench-search
bench-search: build ## Measure library search on a hundred queries, most of them held out; write benchmarks/SEARCH.md
	$(BIN)/python -m benchmarks.search

.PHONY: bench-evidence
bench-evidence: build ## Compare verdicts of the published evidence with those of a person, write benchmarks/PUBLISHED_EVIDENCE.md
	$(BIN)/python -m benchmarks.published_evidence $(FOLDER) > benchmarks/PUBLISHED_EVIDENCE.md

.PHONY: bench-fixes
bench-fixes: build ## Run the commands of fixes in a virtual machine, write benchmarks/FIXES.md; needs qemu
	$(BIN)/python -m tools.reproduce.fix_runs > var/fixes.md && mv var/fixes.md benchmarks/FIXES.md

.PHONY: bench-many-signatures
bench-many-signatures: build ## Measure judging by a thousand signatures, write benchmarks/MANY_SIGNATURES.md
	$(BIN)/python -m benchmarks.many_signatures

.PHONY: bench-judging
bench-judging: build ## Measure judging profiles of 1.4 million nodes with the whole library, write benchmarks/JUDGING.md
	$(BIN)/python -m benchmarks.judging

.PHONY: bench-listeners
bench-listeners: build ## Measure the cost of event listeners, write benchmarks/LISTENERS.md
	$(BIN)/python -m benchmarks.listeners

.PHONY: reproduce
reproduce: build ## Record the evidence of a signature in a virtual machine and judge it: make reproduce SIGNATURE=fs/journal-commit-stall; needs qemu
	@$(BIN)/python -m tools.reproduce $(SIGNATURE)

.PHONY: message-catalogue
message-catalogue: .stamps/python ## Make the catalogue of kernel messages from source packages: make message-catalogue CACHE=DIR [CORPUS=DIR]
	$(BIN)/python -m tools.message_catalogue --cache $(CACHE) $(if $(CORPUS),--corpus $(CORPUS))

.PHONY: healthy-boots
healthy-boots: .stamps/python ## Count the messages of logs of healthy boots, which are not kept: make healthy-boots BOOTS="DIR…"
	$(BIN)/python -m tools.healthy_boots $(BOOTS)

.PHONY: bench-healthy-boots
bench-healthy-boots: build ## Measure alarms on healthy boots that are not counted, write benchmarks/HEALTHY_BOOTS.md: make bench-healthy-boots BOOTS="DIR…"
	$(BIN)/python -m benchmarks.healthy_boots --write $(BOOTS)

.PHONY: bench-catalogue
bench-catalogue: build ## Measure the catalogue of kernel messages, write benchmarks/MESSAGE_CATALOGUE.md: make bench-catalogue [HELDOUT=DIR] [BOOTS=DIR] [BEFORE=checkout]
	$(BIN)/python -m benchmarks.message_catalogue $(if $(HELDOUT),--heldout $(HELDOUT)) $(if $(BOOTS),--boots $(BOOTS)) $(if $(BEFORE),--before $(BEFORE))

.PHONY: bench-waits
bench-waits: build ## Measure resource kinds, known blockers and CPU time of wait graphs; write benchmarks/WAIT_POINTS.md, WAIT_GRAPH.md
	$(BIN)/python -m benchmarks.wait_points
	$(BIN)/python -m benchmarks.wait_graph

.PHONY: bench-startup
bench-startup: build ## Measure the CPU time until each command answers, write benchmarks/STARTUP.md
	$(BIN)/python -m benchmarks.startup

.PHONY: bench-redact
bench-redact: build ## Measure redaction recall and speed, write benchmarks/REDACT.md; needs root and perf: make bench-redact FILES="SOSREPORT CAPTURE…"
	$(BIN)/python -m benchmarks.redact $(FILES) > benchmarks/REDACT.md

.PHONY: lint-api
lint-api: build ## Lint frontend/openapi.json with Spectral and Redocly
	npx --yes @stoplight/spectral-cli@6.16.3 lint frontend/openapi.json --ruleset tools/api_lint/spectral.yaml
	npx --yes @redocly/cli@2.77.0 lint frontend/openapi.json --config tools/api_lint/redocly.yaml

.PHONY: lint-sarif
lint-sarif: build ## Validate the SARIF reports of analyze and diff with sarif-multitool and the rules of GitHub
	@tools/sarif_lint/run

.PHONY: audit
audit: build ## Check every locked dependency against the registries' advisories
	@.venv/bin/python -m tools.supply_chain.audit

.PHONY: sbom
sbom: build ## Write the software bill of materials (CycloneDX): var/sbom/*.cdx.json
	@tools/supply_chain/sbom

.PHONY: release
release: build ## Build wheels, source distribution, checksums and SBOM of this commit: var/release; AGAIN=1 compares a second build
	@$(BIN)/python -m tools.release $(if $(AGAIN),--again)

.PHONY: upgrade-trial
upgrade-trial: build ## Upgrade an instance of 0.1.0, or of another wheel or built checkout, while clients use it: make upgrade-trial OLD=../0.1.0
	@$(BIN)/python -m tools.upgrade_trial $(OLD)

.PHONY: release-version
release-version: ## Set the version of the next release everywhere and date the changelog: make release-version VERSION=0.2.0
	@$(BIN)/python -m tools.release.version $(VERSION)

.PHONY: release-check
release-check: ## Install the wheel of var/release in clean environments, run the command and the service from it: make release-check PYTHONS="3.11 3.13"
	@$(BIN)/python -m tools.release.check $(PYTHONS)

.PHONY: prove-install
prove-install: build ## Build the wheel, install it in a clean Debian 12 with uv and pipx, analyse evidence; needs root and debootstrap
	@$(BIN)/python -m tools.release --wheel
	@tools/prove_install.sh

.PHONY: docker-check
docker-check: .stamps/prerequisites ## Lint docker/, build the images without a container engine, run the smoke test and the command inside
	tools/docker_check/run

# Prerequisites of the targets above, rebuilt when their inputs change.

.PHONY: build
build: .stamps/python .stamps/library .stamps/bytecode .stamps/frontend

.stamps/prerequisites: tools/setup/prerequisites
	@tools/setup/prerequisites
	@mkdir -p $(@D) && touch $@

.stamps/uv: uv.lock | .stamps/prerequisites
	@echo "installing uv $(UV_VERSION) into .venv"
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || python3 -m venv .venv
	@test "$$($(BIN)/uv --version 2>/dev/null | cut -d' ' -f2)" = "$(UV_VERSION)" \
		|| $(BIN)/python -m pip install --quiet "uv==$(UV_VERSION)"
	@touch $@

.stamps/python: .stamps/uv pyproject.toml uv.lock ingest/native/Cargo.toml ingest/native/Cargo.lock $(shell find ingest/native/src -name '*.rs' -o -name '*.bin')
	@echo "installing Python packages and building the Rust core"
	@$(BIN)/uv sync --locked --extra server
	@touch $@

# What `casebook` lists without reading its sources; a file that is not current is not used.
.stamps/library: .stamps/python signatures/captures.yaml \
		$(wildcard signatures/library/*/*/signature.yaml signatures/library/*/*/story.md) \
		$(wildcard ingest/engines/*/*.yaml) \
		$(shell find ingest/readers ingest/parsing ingest/paste ingest/engines ingest/catalogue ingest/frames signatures -name '*.py')
	@$(BIN)/python -m signatures.document.compiled_library
	@$(BIN)/python -m signatures.document.catalog
	@$(BIN)/python -m signatures.reporting.signature_list
	@$(BIN)/python -m ingest.format_list
	@touch $@

# A confined command may not write, so it would compile what it imports at every run.
.stamps/bytecode: .stamps/python $(shell find backend cli ingest signatures -name '*.py')
	@$(BIN)/python -m compileall -q -j 2 backend cli ingest signatures
	@$(BIN)/python -m tools.start_image
	@touch $@

.stamps/npm: package-lock.json package.json frontend/package.json tests/e2e/package.json tools/apigen/package.json | .stamps/prerequisites
	@echo "installing npm packages"
	@$(NPM) ci
	@touch $@

# The client's types are made from the committed schema and not committed themselves.
.stamps/client: .stamps/npm frontend/openapi.json
	@$(NPM) run apigen
	@touch $@

.stamps/frontend: .stamps/client frontend/index.html frontend/vite.config.ts $(shell find frontend/src frontend/vite docs -type f ! -name '*.gen.ts' ! -path 'docs/adr/*')
	@echo "building the front end"
	@$(NPM) run build
	@touch $@

.PHONY: chromium
chromium:
	@tools/setup/chromium

.PHONY: capture-tools
capture-tools:
	@tools/setup/capture-tools
