import ReactiveSignals
import TestSupport

/// A source of a chain of producers, and its model.
struct Origin: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable (Stage) -> IntProducer
    let model: @Sendable (ModelStage) -> ModelProducer

    private init(
        _ description: String, _ make: @escaping @Sendable (Stage) -> IntProducer,
        model: @escaping @Sendable (ModelStage) -> ModelProducer
    ) {
        self.description = description
        self.make = make
        self.model = model
    }

    /// - Parameter work: Called with the signal of a start when its work begins.
    private init(
        _ description: String, _ make: @escaping @Sendable (Stage) -> IntProducer,
        work: @escaping @Sendable (ModelStage, ModelSignal) -> Void
    ) {
        self.init(description, make) { stage in
            ModelProducer {
                let signal = stage.network.signal(ModelGate())
                return ModelStart(signal) { work(stage, signal) }
            }
        }
    }

    /// Draws a source.
    ///
    /// - Parameters:
    ///   - input: The input that drives it, if any.
    ///   - position: Distinguishes its timers from others: see ``Span``.
    static func random(_ random: inout Choices, _ input: Input, position: Int) -> Origin {
        switch random.number(in: 0...13) {
        case 0...1: values(random.values(upTo: 5))
        case 2: endless(random.number(in: 1...4))
        case 3: ended(&random)
        case 4...8: handler(&random, input)
        case 9: hot(input)
        case 10...11: interval(random.values(upTo: 4), .random(&random, position: position))
        case 12: timer(.random(&random, position: position))
        default: resource(random.values(upTo: 3))
        }
    }

    // MARK: Synchronous

    private static func values(_ values: [Int]) -> Origin {
        Origin("values(\(values))", { IntProducer(Counting(values, $0)) }, work: { $0.send(values, to: $1) })
    }

    /// An endless sequence that an operator ends.
    private static func endless(_ count: Int) -> Origin {
        Origin("values(0...).take(first: \(count))") {
            IntProducer(Counting(0..., $0)).take(first: count)
        } model: { stage in
            ModelProducer {
                let signal = stage.network.signal(ModelGate())
                return ModelStart(signal) {
                    // Requests exactly the elements that are taken, and no further one.
                    for value in 0..<count where signal.isWanted {
                        stage.pull()
                        signal.send(.next(value))
                    }
                    signal.send(.completed)
                }
            }
        }
    }

    private static func ended(_ random: inout Choices) -> Origin {
        switch random.number(in: 0...3) {
        case 0: return Origin("empty", { _ in .empty }, model: { $0.ended(.completed) })
        case 1:
            return Origin(
                "error(E4)", { _ in IntProducer(error: ChainError(code: 4)) },
                model: { $0.ended(.error(ChainError(code: 4))) })
        case 2:
            return Origin(
                "value(8)", { _ in IntProducer(value: 8) },
                work: { _, signal in
                    signal.send(.next(8))
                    signal.send(.completed)
                })
        default:
            return Origin("deferred(empty)", { _ in .deferred { IntProducer.empty } }, model: { $0.ended(.completed) })
        }
    }

    /// A sequence that uses a resource.
    private static func resource(_ values: [Int]) -> Origin {
        Origin("using(values(\(values)))") { stage in
            .using(resource: { stage.acquire() }, release: { stage.release() }) { IntProducer(Counting(values, stage)) }
        } model: { stage in
            ModelProducer {
                let signal = stage.network.signal(ModelGate())
                return stage.counted(signal) { stage.send(values, to: signal) }
            }
        }
    }

    // MARK: Driven

    /// A start handler: sends some events, possibly including some after its end, and keeps its observer for the
    /// script, or not.
    private static func handler(_ random: inout Choices, _ input: Input) -> Origin {
        let isShort = random.once(in: 4)
        let count = random.number(in: 0...2)
        var events: [ChainEvent] = (0..<count).map { _ in .next(random.number(in: -2...9)) }
        if isShort {
            events.append(.terminal(&random))
            // These are sent too late.
            if random.once(in: 2) { events += [.next(99), .terminal(&random)] }
        }
        let keeps = !isShort && !random.once(in: 6)
        return handler(events, keptAs: keeps ? input : nil)
    }

    private static func handler(_ events: [ChainEvent], keptAs input: Input?) -> Origin {
        Origin("handler(\(events), \(input.map { "kept as \($0)" } ?? "dropped"))") { stage in
            IntProducer { observer, lifetime in
                stage.begin(lifetime)
                if let input { stage.keep(observer, as: input) }
                for event in events { observer.send(event) }
            }
        } model: { stage in
            ModelProducer {
                let signal = stage.network.signal(ModelGate())
                return stage.counted(signal) {
                    if let input { stage.keep(signal, as: input) }
                    for event in events { signal.send(event) }
                    if input == nil { signal.send(.interrupted) }
                }
            }
        }
    }

    /// The producer of a signal, which is independent of starts.
    private static func hot(_ input: Input) -> Origin {
        Origin("signal(\(input)).producer") { stage in
            stage.signal(input).producer
        } model: { stage in
            let pipe = stage.pipe(input)
            return ModelProducer {
                let signal = stage.network.signal(pipe.gate)
                let receiver = ModelSignal.Receiver(isWanted: { signal.isWanted }) { signal.deliver($0) }
                return ModelStart(signal) {
                    // What begins inside the terminal event is interrupted at once.
                    if pipe.hasEnded { pipe.observe(receiver) } else { pipe.gate.enter { pipe.observe(receiver) } }
                }
            }
        }
    }

    // MARK: Timed

    private static func interval(_ values: [Int], _ span: Span) -> Origin {
        Origin("interval(\(values), \(span), on: clock)") { stage in
            SignalProducer<Int, Never>.interval(values, span.duration, on: stage.clock).promoteError()
        } work: { stage, signal in
            var rest = values[...]
            let clock = stage.network.clock
            clock.schedule(after: span.nanoseconds, interval: span.nanoseconds, owner: signal) {
                if signal.isWanted { signal.send(rest.popFirst().map { .next($0) } ?? .completed) }
                if !signal.isWanted { clock.cancel(owner: signal) }
            }
        }
    }

    private static func timer(_ span: Span) -> Origin {
        Origin("timer(after: \(span), on: clock).mapReplace(7)") { stage in
            SignalProducer<_, Never>.timer(after: span.duration, on: stage.clock).mapReplace(7).promoteError()
        } work: { stage, signal in
            stage.network.clock.schedule(after: span.nanoseconds, owner: signal) {
                signal.send(.next(7))
                signal.send(.completed)
            }
        }
    }
}

/// A sequence that reports each request for an element to the stage.
private struct Counting<Values: Sequence<Int> & Sendable>: Sequence, Sendable {
    private let values: Values
    private let stage: Stage

    init(_ values: Values, _ stage: Stage) {
        self.values = values
        self.stage = stage
    }

    func makeIterator() -> AnyIterator<Int> {
        var iterator = values.makeIterator()
        return AnyIterator {
            stage.pull()
            return iterator.next()
        }
    }
}

extension ChainEvent {
    static func terminal(_ random: inout Choices) -> ChainEvent {
        random.pick([.completed, .completed, .interrupted, .error(ChainError(code: 2)), .error(ChainError(code: 2))])
    }
}

extension Choices {
    mutating func values(upTo count: Int) -> [Int] {
        (0..<number(in: 0...count)).map { _ in number(in: -2...9) }
    }
}
