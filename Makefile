# SPDX-License-Identifier: MIT
# All tasks on the sources: `make` builds, `make check` runs the checks of CI.

SWIFT  ?= swift
PREFIX ?= /usr/local

.PHONY: build test smoke lint format rooms imports tsan check release install install-files dist uninstall demo clean \
	slow-client exhaustive exhaustive-build simulation failing-disk language documents soak fuzz fairness bridge-chaos bridge-rate

build:
	$(SWIFT) build

test:
	$(SWIFT) test

# A few telling tests: commits, re-binding and the fast path, a seed of the oracle, clients that catch up, restarts, whole
# servers, each transcript of the protocol, and the real daemon. Less than half a minute, once the tests are built.
smoke := TreeCommitTests|TreeNotifyingTests|RebindingTests|FastPathTests/.the fast path does the same|RestartTests
smoke := $(smoke)|the hub agrees with the oracle on random writes.[(]|clients catch up exactly.[(]
smoke := $(smoke)|every invariant holds at each step|DaemonTests/.a signal ends the daemon with status
smoke := $(smoke)|the daemon answers as each transcript shows|README.s first minute
smoke:
	OBSERVED_TEST_SEEDS=1 $(SWIFT) test --filter '$(smoke)'

demo:
	$(SWIFT) run observectl demo

check: lint rooms imports shape test

clean:
	$(SWIFT) package clean

# The tests under ThreadSanitizer, which supports Dispatch. It is slow and needs its own build. It does not see the kernel
# hand over a contended `Mutex` of the toolchain, so state behind one is left out. It can't run tests in which files may
# not grow or /proc is missing.
tsan:
	TSAN_OPTIONS=handle_segv=0:suppressions=$(CURDIR)/.ci/tsan-mutexes $(SWIFT) test --sanitize=thread --scratch-path .build/tsan \
		--skip 'may not grow|without proc, a program'

# The random tests with all their seeds, and whatever else has too many rounds for a debug build. The build is optimised,
# with the checks and the small limits of a debug build. The manifest lists files, so SwiftPM must not keep its result.
exhaustive := -c release -Xswiftc -enable-testing -Xswiftc -DDEBUG --package-path Tests --scratch-path .build/exhaustive \
	--manifest-cache none
exhaustive-build:
	$(SWIFT) build --build-tests $(exhaustive)
exhaustive: exhaustive-build
	$(SWIFT) test --skip-build $(exhaustive)

# A million states of a simulated disk, each after a possible end of the daemon. Then whole servers with simulated sockets,
# clocks and disks, for `SECONDS`. Takes minutes. `SEED=1234` runs that seed alone.
POINTS  ?= 1000000
SECONDS ?= 120
simulation: exhaustive-build
	SWIFT_DETERMINISTIC_HASHING=1 OBSERVED_POINTS=$(POINTS) OBSERVED_SECONDS=$(SECONDS) OBSERVED_SEED=$(SEED) \
		$(SWIFT) test --skip-build $(exhaustive) --filter SimulationTests

# Inputs that libFuzzer makes, guided by the code that they reach, in a build of its own. Runs every target for
# `DURATION` seconds, as many at once as there are processors; `TARGET=json` runs that one alone.
TARGET   ?= all
DURATION ?= 60
fuzz:
	Tests/Fuzzing/fuzz $(TARGET) $(DURATION)

# The daemon on full and on read-only file systems. Needs root and python3.
failing-disk: release
	Tests/FailingDisk/failing-disk $(built)/observed

# How long one client can keep the daemon from answering another. Needs python3.
fairness: release
	Tests/Fairness/fairness $(built)/observed

# One slow client stops reading for a minute, during ten million changes. Takes minutes; needs python3.
slow-client: release
	Tests/SlowClient/slow-client $(built)/observed

# A mixed load with upgrades, for `MINUTES`. Needs python3.
MINUTES ?= 5
soak: release
	Tests/Soak/soak $(built)/observed $(MINUTES)

# Three daemons and their bridges, with faults in all that is between them. Needs python3 and nats-server. `WRITES=1000000
# FAULTS=10000` takes ten minutes.
WRITES ?= 100000
FAULTS ?= 1000
bridge-chaos: release
	Tests/BridgeChaos/bridge-chaos $(built) $(WRITES) $(FAULTS)

# How many changes a second come from one daemon to another, beside a C program's puts. Needs python3, cc and nats-server.
CHANGES ?= 100000
bridge-rate: release
	Tests/BridgeRate/bridge-rate $(built) $(CHANGES)

# The manual page of observectl, from the table of its commands. A test compares it.
.PHONY: manual
manual:
	$(SWIFT) build --product observectl
	$$($(SWIFT) build --show-bin-path)/observectl help --man > docs/observectl.1

# The pictures of docs/scripts.md, and the answer of rpc.discover as a file, from the tools. A test compares them.
.PHONY: pictures
pictures:
	$(SWIFT) build
	Tests/Pictures/pictures "$$($(SWIFT) build --show-bin-path)" docs

# Formatting

formatted := Sources Tests Package.swift
# All that the top level holds.
top := Sources|Tests|config|docs|\.(ci|github)|\.(editorconfig|gitignore|swift-format|spi\.yml)|Makefile|Package\.swift|LICENSE|[A-Z_]+\.md

lint: language documents
	@! git ls-files | cut -d / -f 1 | sort -u | grep -vxE '$(top)'
	$(SWIFT) format lint --strict -r -p $(formatted)

format:
	$(SWIFT) format format --in-place -r -p $(formatted)

# Counts words that the sources and documents avoid, against a maximum for each. Needs python3.
language:
	@Tests/Language/check

# Links of the documents, and the names of files and types in them. Needs python3.
documents:
	@Tests/Documents/check

# Rooms: the library's layers. Each is type-checked with only the rooms that it may use, directly or through others.
# These lines are the dependency diagram. `Observation`, `Models` and `Server` are storeys: the other rooms of a storey are
# folders there. `Observation` and `Basics` are the module ObserveModels, all others are ObserveCore.

uses_Basics      :=
uses_Observation := Basics
uses_Support     := Basics
uses_Values      := Support
uses_KeyPaths    := Values
uses_Store       := KeyPaths
uses_Types       := Store
uses_Components  := Observation Types
uses_Models      := Components
uses_Paths       := Models
uses_Assigning   := Paths
uses_Dependents  := Assigning
uses_Walking     := Dependents
uses_Selections  := Walking
uses_Operators   := Selections
uses_Observing   := Operators
uses_Notifying   := Observing
uses_Commits     := Notifying
uses_Importing   := Commits
uses_Bindings    := Importing
uses_History     := Bindings
uses_Adapting    := History
uses_Trees       := Adapting
uses_Reading     := Trees
uses_Restoring   := Reading
uses_Hosting     := Trees
uses_Explaining  := Hosting Reading
uses_Wire        := Values
uses_Sockets     := Support
uses_Client      := Observation KeyPaths Sockets Wire
uses_Persistence := Sockets Explaining Restoring
uses_Sessions    := Sockets Wire Persistence
uses_Journaling  := Sessions
uses_Requests    := Journaling
uses_Loop        := Requests
uses_Server      := Loop
uses_Publishing  := Client Server

storeys   := Observation Models Server
in_Observation := Basics
in_Models := Paths Assigning Dependents Walking Selections Operators Observing Notifying Commits Importing Bindings \
	History Adapting Trees Reading Restoring Hosting Explaining
in_Server := Sessions Journaling Requests Loop
rooms     := Basics Observation Support Values KeyPaths Store Types Components Models $(in_Models) Persistence Wire Sockets Client \
	Server $(in_Server) Publishing
closure    = $(sort $(1) $(foreach room,$(uses_$(1)),$(call closure,$(room))))
storey     = $(strip $(foreach storey,$(storeys),$(if $(filter $(1),$(in_$(storey))),$(storey)/)))
sources    = $(foreach room,$(1),$(shell find Sources/ObserveCore/$(call storey,$(room))$(room) \
	$(if $(filter $(storeys),$(room)),-maxdepth 1) -name '*.swift'))
strictly := -swift-version 6 -strict-memory-safety -warnings-as-errors \
	-enable-upcoming-feature ExistentialAny \
	-enable-upcoming-feature InternalImportsByDefault \
	-enable-upcoming-feature MemberImportVisibility \
	-I Sources/ObserveCore/Sockets/CLinux

.PHONY: $(addprefix room-,$(rooms))

rooms: $(addprefix room-,$(rooms))
	@strays=$$(ls Sources/ObserveCore $(addprefix Sources/ObserveCore/,$(storeys)) | grep -vxE '$(subst $() ,|,$(rooms))|.*\.(docc|swift)|.*:|'); \
	if [ -n "$$strays" ]; then echo "in no room: $$strays"; exit 1; fi

$(addprefix room-,$(rooms)): room-%:
	@echo "$* uses $(or $(filter-out $*,$(call closure,$*)),nothing)"
	@swiftc -typecheck -enable-batch-mode $(strictly) -module-name ObserveCore -package-name observed \
		$(call sources,$(call closure,$*))

# Shape: how much state a type holds, which files touch whose state, and which files need each other. The limits are at the
# top of the script. Needs python3.
.PHONY: shape
shape:
	@Tests/Shape/shape $(filter-out -warnings-as-errors,$(strictly)) -I Sources/ObserveCore/Support/BuildCommit/include

# Imports: few files import the system, and none but a manifest imports Foundation.

import = ^ *([a-z@]+ )*import (struct |class |enum |func )?

imports:
	@! grep -rnE --include='*.swift' --exclude=Package.swift '$(import)Foundation' Sources Tests
	@! grep -rnE --include='*.swift' '$(import)(Glibc|Musl|Darwin)\b' Sources \
		| grep -vE '^Sources/ObserveCore/Observation/Basics/(ThreadLocal|DeveloperNote)\.swift:'
	@! grep -rnE --include='*.swift' '$(import)CLinux\b' Sources \
		| grep -vE '^Sources/ObserveCore/(Sockets/|Support/GrowingMemory\.swift:)'
	@for file in $$(grep -rlE --include='*.swift' '$(import)Glibc\b' Sources/ObserveCore); do \
		for library in Glibc Musl Darwin; do \
			if ! grep -q "canImport($$library)" $$file; then echo "$$file does not import $$library"; exit 1; fi; done; done
	@! grep -rnE --include='*.swift' '$(import)Dispatch\b' Sources/ObserveCore \
		| grep -vE '^Sources/ObserveCore/(Support/Confined|Sockets/ReadinessSource|(Client|Server|Publishing)/[A-Za-z+/]*)\.swift:'
	@unchecked=$$(grep -rn '@unchecked Sendable' Sources | grep -vE ':[0-9]+: *//'); \
	if [ "$$(echo "$$unchecked" | wc -l)" != 1 ]; then echo "$$unchecked"; exit 1; fi
	@echo "imports are where they belong; one @unchecked Sendable"

# The public API beside that of the last release: names the declarations that break programs. `make api-save` keeps this one.
.PHONY: api api-save
api api-save:
	$(SWIFT) build --target ObserveCore
	Tests/PublicAPI/check "$$($(SWIFT) build --show-bin-path)/Modules" $(if $(filter api-save,$@),--save)

# Installing: both programs, which then need no installed Swift, their manual pages, completions for bash, zsh and fish, units
# for systemd, recipes, a sample configuration, and schemas of the configuration and the protocol. systemd finds the units of a user below ~/.local, /usr/local and /usr, those of the
# system below the last two. `make uninstall` with the same variables removes all of it.

# The manifest names the commit, so SwiftPM must not keep its result.
static := -c release --static-swift-stdlib -Xlinker -s --manifest-cache none

# The two programs, without examples and test support. Without Swift, as root may be, the build that exists.
release:
	@if command -v $(SWIFT) >/dev/null; then \
		for product in observed observectl; do $(SWIFT) build $(static) --product $$product || exit; done; \
	elif [ ! -x $(built)/observed ] || [ ! -x $(built)/observectl ]; then \
		echo "There is no build here, and no program $(SWIFT). Name it: make SWIFT=/opt/swift/usr/bin/swift" >&2; \
		echo "https://www.swift.org/install/linux has Swift 6.3." >&2; \
		exit 1; \
	else echo "There is no program $(SWIFT): this is the build that exists."; fi

built = .build/release
# Some shells leave the ~ of `PREFIX=~/.local` to us.
prefix = $(abspath $(patsubst ~/%,$(HOME)/%,$(PREFIX)))
bin    = $(DESTDIR)$(prefix)/bin
man    = $(DESTDIR)$(prefix)/share/man
doc    = $(DESTDIR)$(prefix)/share/doc/observed

# The folders in which the three shells look for completions, below ~/.local, /usr/local and /usr.
completions = $(DESTDIR)$(prefix)/share/bash-completion/completions $(DESTDIR)$(prefix)/share/zsh/site-functions \
	$(DESTDIR)$(prefix)/share/fish/vendor_completions.d

schemas      = $(DESTDIR)$(prefix)/share/observed
recipes      = $(schemas)/recipes
user_units   = $(DESTDIR)$(prefix)/share/systemd/user
system_units = $(DESTDIR)$(prefix)/lib/systemd/system

install: release
	$(MAKE) --no-print-directory install-files

install-files:
	install -d $(bin) $(man)/man1 $(man)/man5 $(man)/man8 $(doc) $(user_units) $(system_units) $(completions) \
		$(recipes)/publishers
	install -m 755 $(built)/observed $(built)/observectl $(bin)
	for page in docs/*.[158]; do install -m 644 $$page $(man)/man$${page##*.}; done
	install -m 644 config/observed.json $(doc)
	install -m 644 docs/openrpc.json docs/observed.schema.json $(schemas)
	for program in observed observectl; do \
		install -m 644 config/completions/$$program.bash $(word 1,$(completions))/$$program; done
	install -m 644 config/completions/_* $(word 2,$(completions))
	install -m 644 config/completions/*.fish $(word 3,$(completions))
	for recipe in config/recipes/*.* config/recipes/publishers/*; do \
		if [ -x $$recipe ]; then mode=755; else mode=644; fi; \
		install -m $$mode $$recipe $(recipes)/$${recipe#config/recipes/}; done
	install -m 644 config/user/* $(user_units)
	install -m 644 config/system/* $(system_units)
	sed -i 's|^ExecStart=.*/bin/|ExecStart=$(prefix)/bin/|' \
		$(user_units)/observed.service $(user_units)/observed-bridge@.service $(system_units)/observed.service

# Packages in .build/dist, of the release build. docs/packages.md describes them. Needs dpkg-dev, binutils and python3.
dist: release
	config/package/dist $(built) .build/dist

uninstall:
	rm -f $(bin)/observed $(bin)/observectl $(doc)/observed.json $(schemas)/openrpc.json $(schemas)/observed.schema.json
	for program in observed observectl; do \
		rm -f $(word 1,$(completions))/$$program $(word 2,$(completions))/_$$program \
			$(word 3,$(completions))/$$program.fish; done
	for page in docs/*.[158]; do rm -f $(man)/man$${page##*.}/$${page##*/}; done
	for unit in config/user/*; do rm -f $(user_units)/$${unit##*/}; done
	for unit in config/system/*; do rm -f $(system_units)/$${unit##*/}; done
	for recipe in config/recipes/*.*; do rm -f $(recipes)/$${recipe##*/}; done
	for recipe in config/recipes/publishers/*; do rm -f $(recipes)/publishers/$${recipe##*/}; done
	for folder in $(recipes)/publishers $(recipes) $(schemas) $(doc); do \
		if [ -d $$folder ]; then rmdir $$folder; fi; done

# `make bench` runs both of these, the second even if the first fails.
#
# `make timings` runs a package of its own. It prints the cost of each room beside an earlier run, and of typed observing
# beside the toolchain's. It fails if a ratio of the latter is missed. `make bench-save` saves this run for later comparisons.
#
# `make instructions` counts the instructions and system calls of the release build for a request, under ten loads, and the
# memory of a connection, a key and a subscription. It fails if a figure exceeds its baseline. It needs valgrind and python3.
benchmarks := -c release -Xswiftc -enable-testing --package-path Tests --scratch-path .build/benchmarks
.PHONY: bench bench-build bench-save timings instructions
bench:
	$(MAKE) --keep-going timings instructions
bench-build:
	$(SWIFT) build $(benchmarks)
timings bench-save: bench-build
	$(SWIFT) run --skip-build $(benchmarks) Benchmarks Tests/Benchmarks/baseline.txt $(if $(filter bench-save,$@),--save)
instructions: release
	Tests/Instructions/instructions $(built)/observed


# The library's documentation, from its comments and articles. Every link must lead somewhere.
.PHONY: docs
docs:
	$(SWIFT) build --target ObserveCore
	mkdir -p .build/symbols
	$(SWIFT) symbolgraph-extract -module-name ObserveCore -I $$($(SWIFT) build --show-bin-path)/Modules \
		-I Sources/ObserveCore/Sockets/CLinux -target $$(uname -m)-unknown-linux-gnu \
		-experimental-allowed-reexported-modules=ObserveModels \
		-minimum-access-level public -output-dir .build/symbols
	docc convert Sources/ObserveCore/ObserveCore.docc --additional-symbol-graph-dir .build/symbols \
		--fallback-display-name ObserveCore --fallback-bundle-identifier ObserveCore \
		--output-path .build/ObserveCore.doccarchive --warnings-as-errors
