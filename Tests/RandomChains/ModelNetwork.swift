import ReactiveSignals

/// The model of a gate: runs one piece of work at a time, and queues work that arrives meanwhile.
final class ModelGate {
    private(set) var isTaken = false
    private var queue: [() -> Void] = []

    func enter(_ work: @escaping () -> Void) {
        guard !isTaken else { return queue.append(work) }
        isTaken = true
        work()
        while !queue.isEmpty { queue.removeFirst()() }
        isTaken = false
    }
}

/// The model of a signal: a gate, receivers and an end.
final class ModelSignal {
    struct Receiver {
        /// Whether the receiver's result is still needed.
        let isWanted: () -> Bool
        let receive: (ChainEvent) -> Void
    }

    let gate: ModelGate
    private(set) var hasEnded = false
    /// Whether all receivers have received the end. Until then, upstream keeps working, because the observer comes
    /// first: what upstream sends when an operator turns the end into values can still arrive.
    private var isOver = false
    /// Whether the user retains the signal.
    var isHeld = true
    private var receivers: [Receiver] = []
    /// Whether a receiver that was present when a delivery started had been released when its turn came.
    private(set) var hasLostReceivers = false
    /// The number of events that waited for the gate until nobody wanted them any more.
    private(set) var lostEvents = 0

    init(gate: ModelGate) { self.gate = gate }

    /// Whether something upstream had to stop while the end was being delivered, because nobody wants it any more. It
    /// may go on until the observer has returned.
    private(set) var mayWorkLate = false

    /// A signal lives while it is retained or observed, until every receiver has received its end.
    var isWanted: Bool {
        if isOver { return false }
        if isHeld || receivers.contains(where: { $0.isWanted() }) { return true }
        if hasEnded { mayWorkLate = true }
        return false
    }

    func observe(_ receiver: Receiver) {
        if hasEnded { return receiver.receive(.interrupted) }
        receivers.append(receiver)
    }

    /// Must be called by the owner of the gate.
    func deliver(_ event: ChainEvent) {
        if hasEnded { return }
        hasEnded = event.isTerminating
        let wasWanted = receivers.map { $0.isWanted() }
        for (receiver, wasWanted) in zip(receivers, wasWanted) {
            if receiver.isWanted() { receiver.receive(event) } else if wasWanted { hasLostReceivers = true }
        }
        isOver = hasEnded
    }

    func send(_ event: ChainEvent) {
        let waits = gate.isTaken && !hasEnded && event != .interrupted
        gate.enter { [self] in
            if waits, !hasEnded, !receivers.isEmpty, !receivers.contains(where: { $0.isWanted() }) { lostEvents += 1 }
            deliver(event)
        }
    }

    /// Releases the receivers: a model is a graph of closures that retain each other.
    func dismantle() { receivers = [] }
}

/// The model of a chain: the models of the operators, and the order in which they receive events.
final class ModelNetwork {
    let clock = VirtualClock()
    let source = ModelSignal(gate: ModelGate())
    let other = ModelSignal(gate: ModelGate())
    let ticks = ModelSignal(gate: ModelGate())
    /// The events that the steps noted.
    private(set) var notes: [ChainEvent] = []
    /// Whether further notes are ignored.
    var isDeaf = false
    private var signals: [ModelSignal] = []
    private let holdsSignals: Bool

    /// - Parameter holdsSignals: Whether the user retains the result of each step.
    init(holdsSignals: Bool) { self.holdsSignals = holdsSignals }

    /// Releases the parts of the network.
    func dismantle() {
        for signal in signals + [source, other, ticks] { signal.dismantle() }
        clock.dismantle()
    }

    /// See ``ModelSignal/mayWorkLate``.
    var mayWorkLate: Bool { signals.contains { $0.mayWorkLate } }

    /// See ``ModelSignal/lostEvents``.
    var lateEvents: Int { signals.reduce(0) { $0 + $1.lostEvents } }

    func signal(_ gate: ModelGate) -> ModelSignal {
        let signal = ModelSignal(gate: gate)
        signal.isHeld = holdsSignals
        signals.append(signal)
        return signal
    }

    func apply(_ step: Step, to upstream: ModelSignal) -> ModelSignal {
        apply(step, to: upstream, with: step.partner.map { partner(step.hasTrigger, $0) })
    }

    func apply(_ step: Step, to upstream: ModelSignal, with leg: ModelSignal?) -> ModelSignal {
        let result = signal(step.gate == .own ? ModelGate() : upstream.gate)
        let node = ModelNode(step.makeModel(), result, ownsGate: step.gate == .own, clock)
        node.perform(node.model.begin())
        if result.hasEnded { return result }
        let fromUpstream = ModelSignal.Receiver(isWanted: { result.isWanted && node.model.needsSource }) { event in
            if step.isNoted, !self.isDeaf { self.notes.append(event) }
            node.receive(.event(event))
        }
        let fromPartner = ModelSignal.Receiver(isWanted: { result.isWanted && node.model.needsPartner }) {
            node.receive(.partner($0))
        }
        if step.observesPartnerFirst { leg?.observe(fromPartner) }
        upstream.observe(fromUpstream)
        if !step.observesPartnerFirst { leg?.observe(fromPartner) }
        return result
    }

    private func partner(_ isTrigger: Bool, _ partner: Partner) -> ModelSignal {
        switch partner {
        case .other: return isTrigger ? ticks : other
        case .source: return isTrigger ? withoutError(source) : source
        case .multiples(let modulus):
            let multiples = multiples(of: modulus, in: source)
            return isTrigger ? withoutError(multiples) : multiples
        }
    }

    /// Replaces an error with a value and a completion.
    func withoutError(_ signal: ModelSignal) -> ModelSignal {
        derive(signal) { event in
            guard case .error = event else { return [event] }
            return [.next(digest(event)), .completed]
        }
    }

    func multiples(of modulus: Int, in signal: ModelSignal) -> ModelSignal {
        derive(signal) { event in event.value.map { isMultiple($0, modulus) } == false ? [] : [event] }
    }

    /// A signal that the user does not retain.
    private func derive(_ signal: ModelSignal, _ events: @escaping (ChainEvent) -> [ChainEvent]) -> ModelSignal {
        let result = self.signal(signal.gate)
        signal.observe(
            ModelSignal.Receiver(isWanted: { result.isWanted }) { event in
                for event in events(event) { result.deliver(event) }
            })
        return result
    }
}

/// An operator's model within the network.
private final class ModelNode {
    var model: any Model
    private let result: ModelSignal
    private let ownsGate: Bool
    private let clock: VirtualClock

    init(_ model: any Model, _ result: ModelSignal, ownsGate: Bool, _ clock: VirtualClock) {
        self.model = model
        self.result = result
        self.ownsGate = ownsGate
        self.clock = clock
    }

    /// If the gate is shared, the source has already entered it.
    func receive(_ input: ModelInput) {
        guard ownsGate else { return handle(input) }
        var isLate = false
        result.gate.enter { self.handle(input, isLate: isLate) }
        isLate = true
    }

    /// - Parameter isLate: Whether the effects follow from an event that was queued.
    func perform(_ effects: [ModelEffect], isLate: Bool = false) {
        for effect in effects {
            switch effect {
            case .send(let event): result.deliver(event)
            case .schedule(let delay):
                clock.schedule(after: delay, isLate: isLate, owner: self) { self.goOff() }
            case .repeatEvery(let interval):
                clock.schedule(after: interval, interval: interval, owner: self) { self.goOff() }
            case .cancel: clock.cancel(owner: self)
            case .goOn: goOff()
            }
        }
    }

    private func goOff() { result.gate.enter { self.handle(.timer) } }

    private func handle(_ input: ModelInput, isLate: Bool = false) {
        if !result.hasEnded { perform(model.receive(input, at: clock.now), isLate: isLate) }
    }
}
