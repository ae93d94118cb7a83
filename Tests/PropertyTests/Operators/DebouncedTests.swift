import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("debounced(_:on:) and throttled(_:on:) of properties")
struct DebouncedTests {
    private let scheduler = TestScheduler()
    private let owner = Owner(1)

    private func advance(_ seconds: Int) { scheduler.advance(by: .seconds(seconds)) }

    private func expectEmpty() {
        let now = scheduler.now
        scheduler.run()
        #expect(scheduler.now == now, "no timer is left")
    }

    @Test("debounced begins with the current value, and takes on a new one after a pause")
    func debounced() {
        let debounced = owner.property.debounced(.seconds(3), on: scheduler)
        let log = debounced.logged()
        expect(debounced.value, is: 1)
        expectEmpty()
        owner.property.value = 2
        advance(2)
        owner.property.value = 3
        advance(2)
        expect(debounced.value, is: 1)
        advance(1)
        expect(debounced.value, is: 3)
        owner.property.value = 4
        owner.release()
        expect(log.all, is: ["1", "3"])
        advance(3)
        expect(log.all, is: ["1", "3", "4", "completed"])
        expect(debounced.value, is: 4)
    }

    @Test("throttled begins with the current value, and takes on one value per interval")
    func throttled() {
        let throttled = owner.property.throttled(.seconds(3), on: scheduler)
        let log = throttled.logged()
        expect(throttled.value, is: 1)
        expectEmpty()
        owner.property.value = 2
        advance(0)
        expect(throttled.value, is: 2)
        owner.property.set(3, 4)
        advance(2)
        expect(throttled.value, is: 2)
        advance(1)
        expect(throttled.value, is: 4)
        owner.property.value = 5
        owner.release()
        expect(log.all, is: ["1", "2", "4"])
        advance(3)
        expect(log.all, is: ["1", "2", "4", "5", "completed"])
        expect(throttled.value, is: 5)
    }

    @Test("a change is seen that comes while they are made")
    func during() {
        let gauge = Gauge(1)
        let debounced = gauge.debounced(.seconds(3), on: scheduler)
        gauge.set(2)
        advance(3)
        expect(debounced.value, is: 2)
        gauge.end()
        advance(0)
        expect(debounced.logged().all, is: ["2", "completed"])
    }

    @Test("stop their timers when they are released")
    func released() {
        for make in [
            { $0.debounced(.seconds(3), on: $1) }, { $0.throttled(.seconds(3), on: $1) },
        ] as [(MutableProperty<Int>, TestScheduler) -> Property<Int>] {
            let source = MutableProperty(1)
            var derived: Property<Int>? = make(source, scheduler)
            source.set(2)
            advance(0)
            source.set(3)
            expect(derived?.value == 3, is: false)
            derived = nil
            expectEmpty()
        }
    }

    @Test("keep a property derived from them up to date, and are kept by it")
    func derived() {
        do {
            let doubled = owner.property.debounced(.seconds(3), on: scheduler).map { $0 * 2 }
            owner.property.value = 5
            advance(3)
            expect(doubled.value, is: 10)
        }
        runInterruptions()
    }

    /// Runs what the scheduler retains of properties that have been released.
    private func runInterruptions() { scheduler.run() }

    @Test("of a property whose event is being delivered send nothing without a change", arguments: [false, true])
    func duringDelivery(isInBody: Bool) {
        do {
            // In a body a start never waits.
            let source = MutableProperty(1, contention: isInBody ? .wait : .enqueue)
            let (isInside, canGoOn) = (Latch("no event is delivered"), Latch("the observer may not go on"))
            let observation = source.signal.observeNext {
                if $0 != 2 { return }
                isInside.open()
                canGoOn.wait()
            }
            let setter = TestThread("sets") { source.value = 2 }
            isInside.wait()
            let make = {
                [source.debounced(.seconds(3), on: scheduler), source.throttled(.seconds(3), on: scheduler)]
            }
            let derived = isInBody ? MutableProperty(0).withValue { _ in make() } : make()
            let logs = derived.map { $0.signal.logged() }
            expect(derived.map(\.value), is: [2, 2])
            canGoOn.open()
            setter.join()
            waitUntilDrained()
            advance(3)
            expect(logs.map(\.all), is: [[], []])
            source.value = 3
            advance(3)
            expect(logs.map(\.all), is: [["3"], ["3"]])
            observation?.dispose()
        }
        runInterruptions()
    }

    @Test("of a property whose event is being delivered take on what is set meanwhile")
    func setDuringDelivery() {
        do {
            let source = MutableProperty(1, contention: .enqueue)
            let (isInside, canGoOn) = (Latch("no event is delivered"), Latch("the observer may not go on"))
            let observation = source.signal.observeNext {
                if $0 != 2 { return }
                isInside.open()
                canGoOn.wait()
            }
            let setter = TestThread("sets") { source.value = 2 }
            isInside.wait()
            let derived = [
                source.debounced(.seconds(3), on: scheduler), source.throttled(.seconds(3), on: scheduler),
            ]
            source.value = 3
            canGoOn.open()
            setter.join()
            waitUntilDrained()
            advance(3)
            expect(derived.map(\.value), is: [3, 3])
            observation?.dispose()
        }
        runInterruptions()
    }

    @Test("are called by their interval")
    func name() {
        expect(
            owner.property.debounced(.seconds(3), on: scheduler).signal.name, is: "[property] -debounced: 3.0 seconds")
        expect(
            owner.property.throttled(.seconds(3), on: scheduler).signal.name, is: "[property] -throttled: 3.0 seconds")
        runInterruptions()
    }

    @Test("trap if the interval is negative")
    func negative() async throws {
        let debounced = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableProperty(1).debounced(.seconds(-1), on: TestScheduler())
        }
        debounced.expectTrap("debounced(-1.0 seconds): the interval must not be negative")
        let throttled = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableProperty(1).throttled(.seconds(-1), on: TestScheduler())
        }
        throttled.expectTrap("throttled(-1.0 seconds): the interval must not be negative")
    }
}
