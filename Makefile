# The commands a person types; the build itself is CMake's (see CMakeLists.txt).
#
#   make            the program at build/segue          make install  PREFIX=/usr/local
#   make demo       a first look, about a minute        make dist     one binary that travels
#   make test       the tests                           make format   clang-format, in place
#   make test-long  those that take long                make lint     clang-tidy
#   make test-asan  the tests under the sanitizers      make fuzz     SECONDS=60 for each target
#   make bench      speed, as JSON lines                make clean    removes what was built
#   make gallery    docs/gallery, by the program        make film     the picture of README.md
#   make wheel      the package for Python (docs/python.md)
#   make bench-peers  that of other libraries beside ours    make lint-changed  of what changed lately
MAKEFLAGS += --no-print-directory
BUILD ?= build
PREFIX ?= /usr/local
SECONDS ?= 60
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

C_FILES = $(shell git ls-files 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' 'bench/*.[ch]' \
	'fuzz/*.[ch]' 'examples/*.[ch]' 'python/*.[ch]')

.PHONY: all
all: $(BUILD)/Makefile
	@cmake --build $(BUILD) -j $(JOBS)

# The Makefile is what a configuration writes last: a cache alone is left by one that failed.
$(BUILD)/Makefile:
	@command -v cmake >/dev/null || { echo "no cmake; run tools/setup demo"; exit 1; }
	@cmake -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release

.PHONY: demo
demo:
	@tools/setup demo
	@$(MAKE) --no-print-directory $(BUILD)/Makefile
	@cmake --build $(BUILD) -j $(JOBS) --target segue
	@tools/demo $(BUILD)

.PHONY: test test-long test-asan
test:
	@tools/setup test
	@$(MAKE) --no-print-directory all BUILD=$(BUILD)
	@cd $(BUILD) && ctest -j $(JOBS) -LE long --output-on-failure --no-tests=error

test-long:
	@tools/setup test
	@$(MAKE) --no-print-directory all BUILD=$(BUILD)
	@cd $(BUILD) && ctest -j $(JOBS) -L long --output-on-failure
	@cmake --preset debug >/dev/null
	@cmake --build build-debug -j $(JOBS)
	@cd build-debug && ctest -j $(JOBS) -L long -R formats --output-on-failure

# Models as FMUs: every version and kind that fits, by FMPy and by an importer of our own.
.PHONY: fmu-check
fmu-check:
	@$(MAKE) --no-print-directory all BUILD=$(BUILD)
	@cd $(BUILD) && mkdir -p fmu-check && /usr/bin/python3 ../tests/fmi/check.py --segue ./segue \
	  --tools ../../shared/tools/fmi --importer ./fmu_importer --scratch fmu-check --table fmu-check/table.txt --page fmu-check/fmi_check.md \
	  ../tests/fmi/models.txt

test-asan:
	@tools/setup test
	@cmake --preset debug >/dev/null
	@cmake --build build-debug -j $(JOBS)
	@cd build-debug && ctest -j $(JOBS) -LE 'long|no_asan' --output-on-failure --no-tests=error

.PHONY: bench bench-peers
bench:
	@tools/setup bench
	@$(MAKE) --no-print-directory all BUILD=$(BUILD)
	@cmake --build $(BUILD) -j $(JOBS) --target bench_programs
	@bench/run $(BUILD)

bench-peers:
	@tools/setup bench
	@cmake -S . -B $(BUILD) -DSG_PEERS=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target peers
	@bench/peers/run $(BUILD)

.PHONY: fuzz
fuzz:
	@tools/setup test
	@cmake --preset fuzz >/dev/null
	@cmake --build build-fuzz -j $(JOBS) --target fuzz_targets
	@fuzz/run build-fuzz $(SECONDS)

.PHONY: format format-check lint lint-changed
format:
	@clang-format -i $(C_FILES)

format-check:
	@clang-format --dry-run --Werror $(C_FILES)

lint: $(BUILD)/Makefile
	@clang-tidy --quiet -p $$(tools/lint_database $(BUILD)) $(filter-out %_test.c,$(filter src/%.c,$(C_FILES)))

lint-changed: $(BUILD)/Makefile
	@tools/lint_changed $(BUILD)

.PHONY: reference
reference: all
	tools/reference $(BUILD)/segue docs/reference

.PHONY: guide
guide: all
	tools/guide $(BUILD)/segue docs/guide

.PHONY: gallery film
gallery: all
	@tools/gallery $(BUILD)

film: all
	@$(BUILD)/segue run -q -o $(BUILD)/film --html $(BUILD)/film/arm.html examples/robots/servo_arm.jl
	@node tools/film.mjs $(BUILD)/film/arm.html docs/img/robot_arm.gif 0 2.72 560x340 there-and-back

.PHONY: install dist
install: all
	@cmake --build $(BUILD) -j $(JOBS) --target bundle
	@cmake --install $(BUILD) --prefix $(PREFIX)

dist:
	@tools/setup demo
	@cmake -S . -B build-dist -DCMAKE_BUILD_TYPE=Release -DSG_TESTS=OFF >/dev/null
	@cmake --build build-dist -j $(JOBS)
	@tools/dist build-dist

# The headers of Python may have come after the last configuration.
.PHONY: wheel
wheel:
	@tools/setup wheel
	@cmake -S . -B $(BUILD) $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DCMAKE_BUILD_TYPE=Release) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target wheel
	@ls -l $(BUILD)/python/*.whl

.PHONY: clean
clean:
	@rm -rf build build-debug build-fuzz build-dist build-clang build-coverage
