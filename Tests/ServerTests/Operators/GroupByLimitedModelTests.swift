import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias IntEvent = Event<Int, TestError>

/// What the observers of the result and of the groups receive.
private enum GroupStep: Equatable, Sendable {
    case opened(key: Int)
    case ended(IntEvent)
    /// Observers are numbered in the order in which they start.
    case received(observer: Int, IntEvent)
}

/// What grouping with limits must do.
private struct GroupsModel {
    struct Group {
        let key: Int
        var buffer: [Int] = []
        var hasBeenStarted = false
        var observers: [Int] = []
        var latest = 0
        var end: IntEvent?
    }

    let bufferLimit: Int
    let maxKeys: Int
    let idle: Int
    let overflow: Overflow
    var now = 0
    private(set) var groups: [Group] = []
    /// The open groups, those whose latest value came first at the front.
    private var open: [Int] = []
    private var observers = 0
    private(set) var hasEnded = false
    /// Whether the result has been disposed of. Open groups go on.
    private(set) var isDisposed = false
    var steps: [GroupStep] = []

    init(bufferLimit: Int, maxKeys: Int, idle: Int, overflow: Overflow) {
        self.bufferLimit = bufferLimit
        self.maxKeys = maxKeys
        self.idle = idle
        self.overflow = overflow
    }

    /// - Parameter startsNew: Whether a new group is started as soon as it is received.
    mutating func send(_ value: Int, key: Int, startsNew: (Int) -> Bool) {
        guard !hasEnded else { return }
        if !open.contains(where: { groups[$0].key == key }) {
            if isDisposed { return }
            if open.count >= maxKeys {
                switch overflow {
                case .dropOldest: end(open[0], .completed)
                case .fail: return end(.error(.second))
                default: return
                }
            }
            steps.append(.opened(key: key))
            open.append(groups.count)
            groups.append(Group(key: key))
            if startsNew(groups.count - 1) { start(groups.count - 1) }
        }
        guard let position = open.firstIndex(where: { groups[$0].key == key }) else { return }
        let index = open.remove(at: position)
        open.append(index)
        groups[index].latest = now
        if groups[index].hasBeenStarted {
            for observer in groups[index].observers { steps.append(.received(observer: observer, .next(value))) }
            return
        }
        if groups[index].buffer.count >= bufferLimit {
            switch overflow {
            case .dropOldest: groups[index].buffer.removeFirst()
            case .fail: return end(.error(.second))
            default: return
            }
        }
        groups[index].buffer.append(value)
    }

    mutating func start(_ index: Int) {
        let observer = observers
        observers += 1
        for value in groups[index].buffer { steps.append(.received(observer: observer, .next(value))) }
        groups[index].buffer = []
        groups[index].hasBeenStarted = true
        if let end = groups[index].end {
            steps.append(.received(observer: observer, end))
        } else {
            groups[index].observers.append(observer)
        }
    }

    mutating func dispose(observer: Int) {
        for index in groups.indices where groups[index].observers.contains(observer) {
            groups[index].observers.removeAll { $0 == observer }
            steps.append(.received(observer: observer, .interrupted))
        }
    }

    private mutating func end(_ index: Int, _ event: IntEvent) {
        open.removeAll { $0 == index }
        groups[index].end = event
        for observer in groups[index].observers { steps.append(.received(observer: observer, event)) }
        groups[index].observers = []
    }

    mutating func advance(by seconds: Int) {
        now += seconds
        while let first = open.first, groups[first].latest + idle <= now { end(first, .completed) }
    }

    /// - Parameter isObserved: Whether the observer of the result receives the interruption.
    mutating func dispose(isObserved: Bool) {
        if hasEnded || isDisposed { return }
        isDisposed = true
        if isObserved { steps.append(.ended(.interrupted)) }
    }

    mutating func end(_ event: IntEvent) {
        guard !hasEnded else { return }
        hasEnded = true
        if !isDisposed { steps.append(.ended(event)) }
        for index in open.sorted() { end(index, event) }
    }
}

@Suite("random scripts of groups with limits", .watched)
struct GroupByLimitedModelTests {
    /// Runs random steps against the model, and returns how many, or `nil` if something differs.
    private func run(seed: UInt64) -> Int? {
        typealias Groups = Group<Int, Int, TestError>
        var random = SplitMix64(seed: seed)
        let overflow = random.pick([Overflow.dropOldest, .dropOldest, .dropNewest, .dropNewest, .fail])
        var model = GroupsModel(
            bufferLimit: random.number(in: 1...4), maxKeys: random.number(in: 1...4), idle: random.number(in: 1...4),
            overflow: overflow)
        let isSignal = random.once(in: 2)
        let scheduler = TestScheduler()
        let log = Log<GroupStep>()
        let groups = Log<Groups>()
        let disposables = Log<any Disposable>()
        let (source, input) = Signal<Int, TestError>.pipe()
        let salt = random.number(in: 0...2)
        let startsNew: @Sendable (Int) -> Bool = { ($0 + salt) % 3 == 0 }
        @Sendable func start(_ group: Groups) {
            let observer = disposables.count
            disposables.append(group.producer.start { log.append(.received(observer: observer, $0)) })
        }
        let receive: @Sendable (Event<Groups, TestError>) -> Void = { event in
            switch event {
            case .next(let group):
                log.append(.opened(key: group.key))
                groups.append(group)
                if startsNew(groups.count - 1) { start(group) }
            case .error(let error): log.append(.ended(.error(error)))
            case .completed: log.append(.ended(.completed))
            case .interrupted: log.append(.ended(.interrupted))
            }
        }
        let disposable: (any Disposable)?
        if isSignal {
            disposable = source.groupBy(
                { $0 % 10 }, bufferLimit: model.bufferLimit, idle: .seconds(model.idle), maxKeys: model.maxKeys,
                whenFull: overflow, raising: .second, on: scheduler
            ).observe(receive)
        } else {
            disposable = SignalProducer(source).groupBy(
                { $0 % 10 }, bufferLimit: model.bufferLimit, idle: .seconds(model.idle), maxKeys: model.maxKeys,
                whenFull: overflow, raising: .second, on: scheduler
            ).start(receive)
        }
        var remaining = 200
        var steps = 0
        while remaining > 0 {
            steps += 1
            remaining -= 1
            switch random.number(in: 0...199) {
            case 0..<120:
                let value = steps * 10 + random.number(in: 0...5)
                input.sendNext(value)
                model.send(value, key: value % 10, startsNew: startsNew)
            case 120..<155:
                // Also one that has ended, or has been started before.
                guard groups.count > 0 else { break }
                let index = random.number(in: max(0, groups.count - 6)...groups.count - 1)
                start(groups.all[index])
                model.start(index)
            case 155..<165:
                guard disposables.count > 0 else { break }
                let observer = random.number(in: max(0, disposables.count - 6)...disposables.count - 1)
                disposables.all[observer].dispose()
                model.dispose(observer: observer)
            case 165..<195:
                let seconds = random.number(in: 1...2)
                scheduler.advance(by: .seconds(seconds))
                model.advance(by: seconds)
            case 195 where random.once(in: 2):
                disposable?.dispose()
                model.dispose(isObserved: !isSignal)
            case 196 where random.once(in: 2):
                let event = random.pick([IntEvent.completed, .error(.first), .interrupted])
                input.send(event)
                model.end(event)
            default: break
            }
            let all = log.all
            guard all == model.steps else {
                expect(all, is: model.steps, "seed \(seed), step \(steps), \(overflow)")
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
        let now = scheduler.now
        scheduler.run()
        expect(scheduler.now == now, is: true, "seed \(seed): no timer is left")
        return steps
    }

    @Test("agree with the model about which groups open and end, and what each observer receives")
    func model() { runScripts(run) }
}
