"""The steps of .ci/run, and the code that runs them two at a time. See .ci/run for the arguments."""

import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
GATE = ROOT / ".build-gate"
LOGS = GATE / "logs"

# Limits in seconds, of one command and of the whole run. A run on two idle cores takes about half an hour.
COMMAND_LIMIT = 45 * 60
TOTAL_LIMIT = 80 * 60

# Each build runs once, so it needs nothing that makes a second build faster: one compiler per module, which expands
# each macro once instead of three times, and only line tables as debug information.
FLAGS = ("-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 "
         "-Xswiftc -no-emit-module-separately-wmo -Xswiftc -gline-tables-only -Xcc -g0 -Xcxx -g0")
RELEASE_FLAGS = "-Xswiftc -no-emit-module-separately-wmo -Xswiftc -gline-tables-only"
PACKAGES = "--scratch-path .build-gate/packages"
RELEASE_TESTS = "ContractTests"
# The optimized tests of the contract run each race most often, because there threads collide most often. The thread
# sanitizer needs few rounds: it reports a race in any round in which both accesses happen, whether they collide or not.
ROUNDS = "REACTIVE_SIGNALS_ROUNDS=2500"
SOME_ROUNDS = "REACTIVE_SIGNALS_ROUNDS=100"
FEW_ROUNDS = "REACTIVE_SIGNALS_ROUNDS=50"
# Optimizing the tests as well takes the compiler four times as long as optimizing the library.
PLAIN = "REACTIVE_SIGNALS_PLAIN_TESTS=1"

# Swift Testing begins all tests at once. What continues in one of them then waits in Swift's pool behind the first part
# of all others. With a limit it does not, and the tests take less memory. What waits for a state looks at it again and
# again, so that under the thread sanitizer some suites take two and a half times the processor time with 16 at once.
os.environ.setdefault("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "4")

Step = collections.namedtuple("Step", "name sees build run needs scratch", defaults=((), ()))


def package(path):
    """The commands that build and test a separate package. All of them share a folder, and build common code once."""
    return (f"Scripts/no-warnings swift build --build-tests --package-path {path} {PACKAGES} {FLAGS}",
            f"swift test --skip-build --package-path {path} {PACKAGES}")


# In the order in which they begin: long steps first, and among them those that others need. A step has commands that
# build and commands that run. `needs` lists the steps whose builds it uses. Of the steps with the same `scratch`, one
# runs at a time.
STEPS = [
    Step("dependencies", "dependencies of the root package, which must have none", [], ["Scripts/check-dependencies"]),
    Step("history", "messages of new commits that break the rules", [], ["Scripts/check-history"]),
    Step("format", "deviations from .swift-format", [], ["Scripts/check-format"]),
    Step("sources", "imports of Foundation outside its module, and of Dispatch or C outside the listed files; tests "
         "that a busy machine fails", [], ["Scripts/check-imports --sources-only", "Scripts/check-waits"]),
    Step("figures", "a chart or a table that does not show the committed results of the benchmarks", [],
         ["Scripts/check-figures"]),
    Step("mistakes", "seeded mistakes whose text is no longer in the code", [], ["Scripts/check-explorer --texts"]),
    Step("model", "deadlocks and lost events in a model of the gate; code that the model no longer matches", [],
         ["Scripts/check-gate-model"]),
    Step("debug", "failing tests in debug, warnings, broken snippets, coverage of the core",
         [f"env BUILD_FLAGS='{FLAGS}' Scripts/coverage --build-only"], [f"env {SOME_ROUNDS} Scripts/coverage --skip-build"]),
    Step("outside", "failures in a package that uses the library, under both test frameworks",
         [package("Tests/OutsidePackage")[0]], [package("Tests/OutsidePackage")[1]], scratch="packages"),
    Step("fetcher", "failing tests of Fetcher", [package("Examples/Fetcher")[0]], [package("Examples/Fetcher")[1]],
         scratch="packages"),
    Step("liveboard", "failing tests of LiveBoard, and of its page in two browsers",
         [package("Examples/LiveBoard")[0]],
         [package("Examples/LiveBoard")[1],
          "Examples/LiveBoard/Scripts/check --browser-only --server .build-gate/packages/debug/LiveBoard"],
         scratch="packages"),
    Step("ingest", "failing tests of Ingest, and measurements that it loses under load",
         [package("Examples/Ingest")[0]], [package("Examples/Ingest")[1]], scratch="packages"),
    Step("cookbook", "failing recipes, and code in their page that is not in their sources",
         [package("Examples/Cookbook")[0]], [package("Examples/Cookbook")[1]], scratch="packages"),
    Step("together", "products that the package of all examples names and that do not exist", [],
         [f"swift package --package-path Examples {PACKAGES} show-dependencies --format flatlist"], scratch="packages"),
    Step("integrations", "failing tests of Integrations, and code in its README that is not in its tests",
         [package("Integrations")[0]], [package("Integrations")[1]], scratch="packages"),
    Step("cluster", "failing tests of Cluster, on simulated networks and on servers of NATS that it starts",
         ["Integrations/Cluster/Scripts/install --server", package("Integrations/Cluster")[0]],
         [package("Integrations/Cluster")[1]], scratch="packages"),
    Step("benchmarks", "benchmarks that do not build; too much work for the type checker",
         [f"Scripts/no-warnings swift build --package-path Benchmarks {PACKAGES} {FLAGS}"],
         ["Scripts/compile-cost --counts --built .build-gate/packages/debug"], scratch="packages"),
    Step("explorer", "schedules of threads that break the core, and faults that the explorer does not find",
         # Optimized, it runs six times as many schedules in a second.
         [f"env REACTIVE_SIGNALS_TESTS=ExplorerTests {PLAIN} Scripts/no-warnings swift build -c release --build-tests "
          f"--traits Explore --disable-xctest --scratch-path .build-gate/explorer {RELEASE_FLAGS}",
          f"Scripts/no-warnings swift build --build-tests --traits Explore --package-path Tests/OutsidePackage "
          f"--scratch-path .build-gate/explorer-outside {FLAGS}"],
         [f"env REACTIVE_SIGNALS_TESTS=ExplorerTests {PLAIN} swift test -c release --skip-build --traits Explore "
          "--disable-xctest --scratch-path .build-gate/explorer",
          "swift test --skip-build --traits Explore --package-path Tests/OutsidePackage "
          "--scratch-path .build-gate/explorer-outside --filter ExplorationTests"]),
    Step("thread", "data races, in a debug build",
         [f"env BUILD_FLAGS='{FLAGS}' Scripts/sanitize thread --build-only"],
         [f"env {FEW_ROUNDS} Scripts/sanitize thread --skip-build"]),
    Step("address", "leaks, use after free, and failing tests with the library optimized",
         [f"env {PLAIN} BUILD_FLAGS='{RELEASE_FLAGS}' Scripts/sanitize address --build-only"],
         [f"env {PLAIN} {SOME_ROUNDS} Scripts/sanitize address --skip-build"]),
    Step("documentation", "warnings of DocC, undocumented or ungrouped public names", [],
         ["env BUILT=.build-gate/debug/debug Scripts/docs"], needs=("debug",)),
    Step("examples", "unexpected output of the example programs", [],
         ["env BUILT=.build-gate/debug/debug Scripts/check-examples"], needs=("debug",)),
    Step("release", "violations of the contract with everything optimized, 2,500 rounds of each race",
         [f"env REACTIVE_SIGNALS_TESTS={RELEASE_TESTS} Scripts/no-warnings swift build -c release --build-tests "
          f"--disable-xctest --scratch-path .build-gate/release {RELEASE_FLAGS}"],
         [f"env {ROUNDS} REACTIVE_SIGNALS_TESTS={RELEASE_TESTS} swift test -c release --skip-build --disable-xctest "
          "--scratch-path .build-gate/release"]),
    Step("imports", "libraries that the core must not link, key paths that it makes while it runs", [],
         ["env BUILT=.build-gate/release/release Scripts/check-imports"], needs=("release",)),
    Step("crossmodule", "a module of the core that does not compile with cross-module optimization", [],
         ["env BUILT=.build-gate/release/release Scripts/check-cross-module"], needs=("release",)),
    Step("requests", "starts that take more instructions or heap blocks than the committed counts", [],
         ["env BUILT=.build-gate/release/release Scripts/check-requests"], needs=("release",)),
    Step("split", "packages that a user who installs the library by URL cannot build",
         [f"env BUILD_FLAGS='{FLAGS}' Scripts/check-split"], []),
    Step("evolution", "a core that does not build with library evolution",
         [f"env BUILD_FLAGS='{FLAGS}' Scripts/check-evolution"], []),
    Step("api", "incompatibilities with the interface of the last version", [], ["Scripts/check-api"]),
]

# The lines of a failed step that say what is wrong, and the beginning of a sanitizer's report.
TROUBLE = re.compile(r"^✘|^[^◇✔↳]*\b(error|warning): |Fatal error|(Precondition|Assertion) failed|Simultaneous accesses|"
                     r"non-zero retain count|(WARNING|ERROR|SUMMARY): .*Sanitizer|^FAILED|crashed")
REPORT = re.compile(r"(WARNING|ERROR): .*Sanitizer")
DIED = re.compile(r"error: .*exited with unexpected signal code")
BEGUN = re.compile(r"^◇ Test (.+) started\.$")
ENDED = re.compile(r'^[✔✘➜] Test (".*"|\S+) (?:with \d+ test cases? )?(?:passed|failed|skipped)\b')

started = time.monotonic()
lock = threading.Condition()
running = {}  # The names of steps, by process.


def say(text):
    seconds = int(time.monotonic() - started)
    print(f"[{seconds // 60:2}:{seconds % 60:02}] {text}", flush=True)


def stop(process, kind):
    try:
        os.killpg(process.pid, kind)
    except ProcessLookupError:
        pass


def unended(lines):
    """Returns the last tests of a log that have begun and not ended. All but the first few that run wait for their turn."""
    names = dict.fromkeys(match[1] for line in lines if (match := BEGUN.match(line)) and not match[1].startswith("case "))
    for line in lines:
        if match := ENDED.match(line):
            names.pop(match[1], None)
    return [name for name in names if name != "run"][:16]


class Outcome:
    """The outcome of a step, with the elapsed time and the processor time of its build and its run, in seconds."""

    def __init__(self, step):
        self.step = step
        self.clock = {"build": 0.0, "run": 0.0}
        self.processor = {"build": 0.0, "run": 0.0}
        self.failure = None
        self.isOver = False

    @property
    def log(self):
        return LOGS / f"{self.step.name}.log"

    def perform(self):
        with open(self.log, "wb") as log:
            for phase in ("build", "run"):
                for command in getattr(self.step, phase):
                    if self.failure is None:
                        self.execute(phase, command, log)

    def execute(self, phase, command, log):
        begun = time.monotonic()
        limit = min(COMMAND_LIMIT, TOTAL_LIMIT - (begun - started))
        if limit <= 0:
            self.failure = "out of time"
            return
        say(f"{self.step.name}: {phase}")
        log.write(f"$ {command}\n".encode())
        log.flush()
        # In its own process group, so that a limit also ends the tests: first with an interrupt, then with a kill.
        process = subprocess.Popen(["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        with lock:
            running[process] = self.step.name
        timers = [threading.Timer(limit, stop, (process, signal.SIGINT)),
                  threading.Timer(limit + 30, stop, (process, signal.SIGKILL))]
        for timer in timers:
            timer.daemon = True
            timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        for timer in timers:
            timer.cancel()
        with lock:
            running.pop(process)
        # End the processes it left behind, such as a program that a test started.
        stop(process, signal.SIGKILL)
        elapsed = time.monotonic() - begun
        self.clock[phase] += elapsed
        self.processor[phase] += usage.ru_utime + usage.ru_stime
        if elapsed >= limit:
            self.failure = "out of time"
        elif code != 0:
            self.failure = f"exit code {code}"

    def explain(self):
        """Prints the first lines that say what went wrong. Where only the end of this output is kept, every step that has
        failed still says what it was."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        print(f"\nFAILED: {self.step.name} ({self.failure}); the whole output is in {self.log.relative_to(ROOT)}")
        trouble = [number for number, line in enumerate(lines) if TROUBLE.search(line)]
        for number in trouble[:6]:
            print(lines[number][:200])
            # A failed test explains itself in the lines after it.
            following = lines[number + 1:number + 4]
            for line in following[:next((place for place, line in enumerate(following) if line[:1] != "↳"), 3)]:
                print("  " + line[:200])
        if report := next((number for number, line in enumerate(lines) if REPORT.search(line)), None):
            print("\n".join(line[:110] for line in lines[report:report + 12]))
        if died := next((number for number, line in enumerate(lines) if DIED.search(line)), None):
            # The runtime explains a crash above its frames, which may themselves be cut by the line of `swift test`.
            print("\n".join(line[:110] for line in lines[max(died - 12, 0):died]))
            print("\n".join(f"had not ended: {name}"[:110] for name in unended(lines)))
        if not trouble:
            print("\n".join(line[:200] for line in lines[-6:]))


def chosen(arguments):
    """Returns the steps that the arguments select, and those they need."""
    names = [step.name for step in STEPS]
    wanted, left_out = [], []
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument == "--list":
            for step in STEPS:
                print(f"{step.name:14} {step.sees}")
            sys.exit(0)
        target = left_out if argument == "--except" else wanted
        name = rest.pop(0) if argument == "--except" and rest else argument
        if name not in names:
            sys.exit(f".ci/run: unknown step {name}; the steps are: {', '.join(names)}")
        target.append(name)
    selection = set(wanted or names) - set(left_out)
    for step in reversed(STEPS):
        if step.name in selection:
            selection.update(step.needs)
    return [step for step in STEPS if step.name in selection]


def work(outcomes):
    """Runs one step after another, until none is left."""
    while True:
        with lock:
            while True:
                waiting = [outcome for outcome in outcomes.values() if not outcome.isOver and outcome not in taken]
                if not waiting:
                    return
                ready = next((outcome for outcome in waiting if isReady(outcome, outcomes)), None)
                if ready:
                    break
                lock.wait()
            taken.append(ready)
        unbuilt = [name for name in ready.step.needs if not hasBuilt(outcomes[name])]
        if unbuilt:
            ready.failure = f"not run, because {', '.join(unbuilt)} was not built"
            ready.log.write_text(ready.failure + "\n")
        else:
            try:
                ready.perform()
            except Exception as error:  # The table must show it, and the other steps must continue.
                ready.failure = f"{type(error).__name__}: {error}"
        total = sum(ready.clock.values())
        say(f"{ready.step.name}: {'FAILED, ' + ready.failure if ready.failure else 'ok'} after {total:.0f} s")
        with lock:
            ready.isOver = True
            lock.notify_all()


taken = []


def isReady(outcome, outcomes):
    step = outcome.step
    if any(not outcomes[name].isOver for name in step.needs):
        return False
    busy = {other.step.scratch for other in taken if not other.isOver} - {()}
    return step.scratch not in busy


def hasBuilt(outcome):
    return outcome.failure is None or outcome.clock["run"] > 0


def report(outcomes):
    print("\n=== Summary: elapsed seconds, and processor seconds in parentheses")
    print(f"{'':16}{'build':>14}{'run':>14}")
    sums = {"build": 0.0, "run": 0.0}
    for outcome in outcomes:
        cells = ""
        for phase in ("build", "run"):
            sums[phase] += outcome.processor[phase]
            used = getattr(outcome.step, phase)
            cells += f"{outcome.clock[phase]:5.0f} ({outcome.processor[phase]:5.0f})".rjust(14) if used else " " * 14
        print(f"{outcome.step.name:16}{cells}   {'FAILED, ' + outcome.failure if outcome.failure else 'ok'}")
    print(f"{'processors':16}{sums['build']:12.0f} s{sums['run']:12.0f} s")


def main():
    steps = chosen(sys.argv[1:])
    if not os.environ.get("KEEP_BUILDS"):
        shutil.rmtree(GATE, ignore_errors=True)
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    outcomes = {step.name: Outcome(step) for step in steps}

    def interrupted(number, _):
        with lock:
            processes = list(running)
        for process in processes:
            stop(process, signal.SIGINT)
        time.sleep(2)
        for process in processes:
            stop(process, signal.SIGKILL)
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)

    workers = [threading.Thread(target=work, args=(outcomes,), daemon=True)
               for _ in range(max(1, int(os.environ.get("GATE_JOBS", "2"))))]
    for worker in workers:
        worker.start()
    heard = time.monotonic()
    while any(worker.is_alive() for worker in workers):
        workers[0].join(0.5) if workers[0].is_alive() else time.sleep(0.5)
        if time.monotonic() - heard >= 60:
            heard = time.monotonic()
            with lock:
                names = sorted(set(running.values()))
            say("still running: " + ", ".join(names))

    report(outcomes.values())
    if kept := os.environ.get("REACTIVE_SIGNALS_TESTS"):
        print(f"REACTIVE_SIGNALS_TESTS is set, so only these test targets of the root package ran: {kept}.")
    failed = [outcome for outcome in outcomes.values() if outcome.failure or not outcome.isOver]
    for outcome in failed:
        outcome.explain()
    minutes = (time.monotonic() - started) / 60
    if failed:
        print(f"\nFAILED after {minutes:.1f} minutes: {', '.join(outcome.step.name for outcome in failed)}")
        sys.exit(1)
    print(f"\nEverything passed in {minutes:.1f} minutes." if len(outcomes) == len(STEPS)
          else f"\n{len(outcomes)} of {len(STEPS)} steps passed in {minutes:.1f} minutes.")


main()
