# authscan: the everyday commands. `make run` and `make test` install what is missing first (Debian: apt-get).

SWIFT ?= swift
PREFIX ?= /usr/local
SAMPLE ?= samples/ntlm-handshake-split.pcap
SECONDS_PER_TARGET ?= 60
# One static file: it starts in a few milliseconds, and runs where no Swift is installed.
RELEASE := -c release --static-swift-stdlib --product authscan
BINARY := .build/release/authscan
# So is the C++ library of Swift's runtime where there is an archive of it: to look up its symbols takes a fifth of the start. The
# linker takes the archive for lack of anything else in the first folder that it looks into.
STATIC := $(CURDIR)/.build/static
ARCHIVE := $(wildcard $(shell clang -print-file-name=libstdc++.a 2>/dev/null))
ifneq ($(ARCHIVE),)
RELEASE += -Xswiftc -L$(STATIC)
endif
# A crash must end a test at once, not start the interactive backtracer.
export SWIFT_BACKTRACE := enable=no

.PHONY: run build test lint format golden documentation bench fuzz torture install dependencies clean

run: build
	@$(BINARY) --fail-on never $(SAMPLE)

build: dependencies
ifneq ($(ARCHIVE),)
	@mkdir -p $(STATIC) && ln -sf $(ARCHIVE) $(STATIC)/libstdc++.a
endif
	@$(SWIFT) build $(RELEASE)

# What tests leave behind goes with their folder; some of it other users must be able to read.
test: dependencies
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	scratch=$$(mktemp -d) && chmod 755 "$$scratch" && trap 'rm -rf "$$scratch"' EXIT && TMPDIR="$$scratch" $(SWIFT) test --skip-build

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

# Writes the golden reports of samples/expected and the articles of the rules anew; read the diff before you commit it.
golden: dependencies
	AUTHSCAN_UPDATE_GOLDEN=1 $(SWIFT) test --filter 'GoldenReportTests|RuleArticlesTests'

# The articles as pages, in .build/documentation; a link that leads nowhere stops it.
documentation:
	@mkdir -p .build
	docc convert Sources/AuthScanKit/AuthScanKit.docc --fallback-display-name AuthScanKit \
		--fallback-bundle-identifier authscan.AuthScanKit --warnings-as-errors --output-path .build/documentation

# Side by side with cat and with whatever of tcpdump, tcpflow, dsniff and tshark is installed: ratios, not times alone.
bench: build
	Tests/Benchmarks/bench $(BINARY)

# Every fuzz target for SECONDS_PER_TARGET seconds.
fuzz: dependencies
	Tests/Fuzz/fuzz $(SECONDS_PER_TARGET)

# Every file of a folder has to give a report or a clear refusal: make torture DIR=captures
torture: build
	Tests/Scripts/torture $(BINARY) $(DIR)

install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/authscan

dependencies:
	@Tests/Scripts/install-dependencies

clean:
	rm -rf .build Tests/Fuzz/.build
