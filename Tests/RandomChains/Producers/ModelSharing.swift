import ReactiveSignals

/// The model of a buffer that starts can join.
final class ModelHub {
    private let core: ModelSignal
    private let stage: ModelStage
    private var capacity: Int
    private let forgetsAtFirstJoin: Bool
    private var memory: [Int] = []
    private var end: ChainEvent?

    init(_ stage: ModelStage, capacity: Int, forgetsAtFirstJoin: Bool = false) {
        self.stage = stage
        self.capacity = capacity
        self.forgetsAtFirstJoin = forgetsAtFirstJoin
        core = stage.network.signal(ModelGate())
    }

    func send(_ event: ChainEvent) {
        core.gate.enter { [self] in
            guard end == nil else { return }
            if let value = event.value { memory = (memory + [value]).suffix(capacity) } else { end = event }
            core.deliver(event)
        }
    }

    /// A start that joins when it begins: it receives the buffered values, then new ones.
    func start() -> ModelStart {
        let signal = stage.network.signal(core.gate)
        return ModelStart(signal) { [self] in
            // What has ended is replayed at once.
            if end != nil, !forgetsAtFirstJoin { join(signal) } else { core.gate.enter { self.join(signal) } }
        }
    }

    private func join(_ signal: ModelSignal) {
        for value in memory where signal.isWanted { signal.deliver(.next(value)) }
        if forgetsAtFirstJoin { (memory, capacity) = ([], 0) }
        if let end { return signal.deliver(end) }
        core.observe(ModelSignal.Receiver(isWanted: { signal.isWanted }) { signal.deliver($0) })
    }
}

/// The model of a start that is shared by several.
final class ModelReplay {
    private let upstream: ModelProducer
    private let hub: ModelHub
    private var hasBegun = false
    private var starts: [ModelSignal] = []
    /// Whether it continues without receivers.
    private let isForever: Bool

    init(_ upstream: ModelProducer, _ stage: ModelStage, capacity: Int, isForever: Bool) {
        self.upstream = upstream
        self.isForever = isForever
        hub = ModelHub(stage, capacity: capacity)
    }

    var isObserved: Bool { starts.contains { $0.isWanted } }

    func start() -> ModelStart {
        let start = hub.start()
        return ModelStart(start.signal) { [self] in
            starts.append(start.signal)
            start.begin()
            if start.signal.isWanted { begin() }
        }
    }

    private func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        let start = upstream.prepare()
        start.signal.observe(
            ModelSignal.Receiver(isWanted: { [self] in isForever || isObserved }) { [hub] in hub.send($0) })
        start.begin()
    }
}
