import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias IntEvent = Event<Int, TestError>

/// What the observers of the result and of the windows receive.
private enum WindowStep: Equatable, Sendable {
    case opened
    case ended(IntEvent)
    /// Observers are numbered in the order in which they start.
    case received(observer: Int, IntEvent)
}

/// What windows with a limit must do.
private struct WindowsModel {
    struct Window {
        var buffer: [Int] = []
        var hasBeenStarted = false
        var observers: [Int] = []
        var end: IntEvent?
    }

    let limit: Int
    let overflow: Overflow
    private var windows: [Window] = []
    private var isOpen = false
    private var observers = 0
    private(set) var hasEnded = false
    /// Whether the result has been disposed of. The open window goes on.
    private var isDisposed = false
    var steps: [WindowStep] = []

    init(limit: Int, overflow: Overflow) {
        self.limit = limit
        self.overflow = overflow
    }

    private mutating func open(_ startsNew: (Int) -> Bool) {
        if isOpen || isDisposed { return }
        isOpen = true
        windows.append(Window())
        steps.append(.opened)
        if startsNew(windows.count - 1) { start(windows.count - 1) }
    }

    /// - Parameter startsNew: Whether a new window is started as soon as it is received.
    mutating func send(_ value: Int, startsNew: (Int) -> Bool) {
        if hasEnded { return }
        open(startsNew)
        guard isOpen else { return }
        let index = windows.count - 1
        if windows[index].hasBeenStarted {
            for observer in windows[index].observers { steps.append(.received(observer: observer, .next(value))) }
            return
        }
        if windows[index].buffer.count == limit {
            switch overflow {
            case .dropOldest: windows[index].buffer.removeFirst()
            case .fail: return end(.error(.second))
            default: return
            }
        }
        windows[index].buffer.append(value)
    }

    mutating func trigger(startsNew: (Int) -> Bool) {
        if hasEnded { return }
        open(startsNew)
        close(.completed)
    }

    mutating func start(_ index: Int) {
        let observer = observers
        observers += 1
        for value in windows[index].buffer { steps.append(.received(observer: observer, .next(value))) }
        windows[index].buffer = []
        windows[index].hasBeenStarted = true
        if let end = windows[index].end {
            steps.append(.received(observer: observer, end))
        } else {
            windows[index].observers.append(observer)
        }
    }

    mutating func dispose(observer: Int) {
        for index in windows.indices where windows[index].observers.contains(observer) {
            windows[index].observers.removeAll { $0 == observer }
            steps.append(.received(observer: observer, .interrupted))
        }
    }

    private mutating func close(_ event: IntEvent) {
        guard isOpen else { return }
        isOpen = false
        let index = windows.count - 1
        windows[index].end = event
        for observer in windows[index].observers { steps.append(.received(observer: observer, event)) }
        windows[index].observers = []
    }

    mutating func end(_ event: IntEvent) {
        if hasEnded { return }
        hasEnded = true
        close(event)
        if !isDisposed { steps.append(.ended(event)) }
    }

    /// - Parameter isObserved: Whether the observer of the result receives the interruption.
    mutating func dispose(isObserved: Bool) {
        if hasEnded || isDisposed { return }
        isDisposed = true
        if isObserved { steps.append(.ended(.interrupted)) }
    }
}

@Suite("random scripts of windows with a limit", .watched)
struct WindowUntilModelTests {
    /// Runs random steps against the model, and returns how many, or `nil` if something differs.
    private func run(seed: UInt64) -> Int? {
        var random = SplitMix64(seed: seed)
        let limit = random.number(in: 1...5)
        let overflow = random.pick([Overflow.dropOldest, .dropOldest, .dropNewest, .dropNewest, .fail])
        var model = WindowsModel(limit: limit, overflow: overflow)
        let isSignal = random.once(in: 2)
        // Otherwise the windows end with each millisecond.
        let hasTrigger = random.once(in: 2)
        let clock = TestScheduler()
        let interval = Duration.milliseconds(1)
        let log = Log<WindowStep>()
        let windows = Log<Numbers>()
        let disposables = Log<any Disposable>()
        let (source, input) = Signal<Int, TestError>.pipe()
        let (trigger, triggerInput) = Signal<Int, Never>.pipe()
        let salt = random.number(in: 0...2)
        let startsNew: @Sendable (Int) -> Bool = { ($0 + salt) % 3 == 0 }
        @Sendable func start(_ window: Numbers) {
            let observer = disposables.count
            disposables.append(window.start { log.append(.received(observer: observer, $0)) })
        }
        let receive: @Sendable (Event<Numbers, TestError>) -> Void = { event in
            switch event {
            case .next(let window):
                log.append(.opened)
                windows.append(window)
                if startsNew(windows.count - 1) { start(window) }
            case .error(let error): log.append(.ended(.error(error)))
            case .completed: log.append(.ended(.completed))
            case .interrupted: log.append(.ended(.interrupted))
            }
        }
        let producer = SignalProducer(source)
        let disposable: (any Disposable)? =
            switch (hasTrigger, isSignal) {
            case (true, true):
                source.window(until: trigger, bufferLimit: limit, whenFull: overflow, raising: .second).observe(receive)
            case (true, false):
                producer.window(until: trigger, bufferLimit: limit, whenFull: overflow, raising: .second).start(receive)
            case (false, true):
                source.window(every: interval, on: clock, bufferLimit: limit, whenFull: overflow, raising: .second)
                    .observe(receive)
            case (false, false):
                producer.window(every: interval, on: clock, bufferLimit: limit, whenFull: overflow, raising: .second)
                    .start(receive)
            }
        var triggerHasEnded = false
        var (steps, remaining) = (0, 200)
        while remaining > 0 {
            steps += 1
            remaining -= 1
            switch random.number(in: 0...199) {
            case 0..<110:
                input.sendNext(steps)
                model.send(steps, startsNew: startsNew)
            case 110..<150:
                if hasTrigger { triggerInput.sendNext(steps) } else { clock.advance(by: interval) }
                if !triggerHasEnded { model.trigger(startsNew: startsNew) }
            case 150..<185:
                // Also one that has ended, or has been started before.
                guard windows.count > 0 else { break }
                let index = random.number(in: max(0, windows.count - 4)...windows.count - 1)
                start(windows.all[index])
                model.start(index)
            case 185..<195:
                guard disposables.count > 0 else { break }
                let observer = random.number(in: max(0, disposables.count - 4)...disposables.count - 1)
                disposables.all[observer].dispose()
                model.dispose(observer: observer)
            case 195 where random.once(in: 2):
                disposable?.dispose()
                model.dispose(isObserved: !isSignal)
            case 196 where random.once(in: 2):
                let event = random.pick([IntEvent.completed, .error(.first), .interrupted])
                input.send(event)
                model.end(event)
            case 197 where hasTrigger && random.once(in: 4):
                triggerHasEnded = true
                if random.once(in: 2) { triggerInput.sendCompleted() } else { triggerInput.sendInterrupted() }
            default: break
            }
            let all = log.all
            guard all == model.steps else {
                expect(
                    all, is: model.steps,
                    "seed \(seed), step \(steps), bufferLimit: \(limit), \(overflow), trigger: \(hasTrigger)")
                return nil
            }
            if !all.isEmpty {
                log.removeAll()
                model.steps = []
            }
            if model.hasEnded { remaining = min(remaining, 10) }
        }
        disposable?.dispose()
        input.sendInterrupted()
        triggerInput.sendInterrupted()
        return steps
    }

    @Test("agree with the model about which windows open and end, and what each observer receives")
    func model() { runScripts(run) }
}
