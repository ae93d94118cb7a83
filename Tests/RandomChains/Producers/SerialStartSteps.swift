import ReactiveSignals
import TestSupport

extension ProducerStep {
    typealias Draw = @Sendable (inout Choices, _ position: Int) -> ProducerStep

    /// The operators that start one producer after another.
    static let successionSteps: [Draw] = [
        { random, position in
            let next = Origin.inner(&random, position)
            return serial("concat(\(next))", { $0.concat(next.make($1.stage)) }) { source, stage in
                concatenation([source, next.model(stage)])
            }
        },
        { random, position in
            let first = Origin.inner(&random, position)
            return serial("prefix(\(first))", { $0.prefix(first.make($1.stage)) }) { source, stage in
                concatenation([first.model(stage), source])
            }
        },
        { random, position in
            let (first, last) = (Origin.inner(&random, position), Origin.inner(&random, position))
            return serial("concat([\(first), source, \(last)])") { source, world in
                IntProducer.concat([first.make(world.stage), source, last.make(world.stage)])
            } model: { source, stage in
                concatenation([first.model(stage), source, last.model(stage)])
            }
        },
        { random, position in
            let next = Origin.inner(&random, position)
            let isLate = random.once(in: 2)
            return serial(isLate ? "then { \(next) }" : "then(\(next))") { source, world in
                let producer = next.make(world.stage)
                return isLate ? source.then { world.see(producer) } : source.then(producer)
            } model: { source, stage in
                let next = next.model(stage)
                return .begin(source, passesValues: false) { end in
                    end.isCompleted ? .begin(next) { .end($0) } : .end(end)
                }
            }
        },
        { random, position in
            let handlers = (0...1).map { _ in Origin.inner(&random, position) }
            return serial("flatMapError { \(handlers)[$0.code % 2] }") { source, world in
                let producers = handlers.map { $0.make(world.stage) }
                return source.flatMapError { world.see(producers[$0.code % 2]) }
            } model: { source, stage in
                let handlers = handlers.map { $0.model(stage) }
                return .begin(source) { end in
                    guard case .error(let error) = end else { return .end(end) }
                    return .begin(handlers[error.code % 2]) { .end($0) }
                }
            }
        },
        { random, _ in
            let count = random.number(in: 0...3)
            if count == 0 {
                return ProducerStep("repeat(0)", { source, _ in source.repeat(0) }) { $1.ended(.completed) }
            }
            return serial("repeat(\(count))", { source, _ in source.repeat(count) }) { source, _ in
                round(1, of: count, source) {
                    $0.isCompleted
                } again: {
                    $0()
                }
            }
        },
        { random, _ in
            let count = random.number(in: 0...3)
            return serial("retry(upTo: \(count))", { source, _ in source.retry(upTo: count) }) { source, _ in
                round(1, of: count + 1, source) {
                    $0.isError
                } again: {
                    $0()
                }
            }
        },
        { random, position in
            let (count, span) = (random.number(in: 0...3), Span.random(&random, position: position))
            return serial("retry(upTo: \(count), interval: \(span), on: clock)") { source, world in
                source.retry(upTo: count, interval: span.duration, on: world.clock)
            } model: { source, _ in
                round(1, of: count + 1, source) {
                    $0.isError
                } again: {
                    .wait(nanoseconds: span.nanoseconds, then: $0)
                }
            }
        },
        { random, position in
            let other = Origin.inner(&random, position)
            return ProducerStep("switchIfEmpty(\(other))", { $0.switchIfEmpty(other.make($1.stage)) }) {
                source, stage in
                let other = other.model(stage)
                return ModelSerialStart.producer(stage) {
                    let isEmpty = Box(true)
                    return .begin(source) {
                        isEmpty.value = false
                    } then: { end in
                        end.isCompleted && isEmpty.value ? .begin(other) { .end($0) } : .end(end)
                    }
                }
            }
        },
        { random, _ in
            let count = random.number(in: 1...3)
            return serial("retry(when: { $0.take(first: \(count)) })") { source, _ in
                source.retry { errors in errors.take(first: count) }
            } model: { source, _ in
                limitedRetry(1, of: count, source)
            }
        },
        { _, _ in
            serial("start(on: clock)", { $0.start(on: $1.clock) }) { source, _ in
                .wait(nanoseconds: 0) { .begin(source) { .end($0) } }
            }
        },
        { _, _ in
            ProducerStep("prefix(value: 3)", { source, _ in source.prefix(value: 3) }) { source, stage in
                ModelProducer {
                    let start = source.prepare()
                    let result = stage.network.signal(start.signal.gate)
                    start.signal.observe(
                        ModelSignal.Receiver(isWanted: { result.isWanted }) {
                            result.deliver($0 == .interrupted ? .completed : $0)
                        })
                    return ModelStart(result) {
                        result.deliver(.next(3))
                        start.begin()
                    }
                }
            }
        },
    ]

    private static func serial(
        _ description: String, _ apply: @escaping @Sendable (IntProducer, World) -> IntProducer,
        model: @escaping @Sendable (ModelProducer, ModelStage) -> ModelSerialStart.Next
    ) -> ProducerStep {
        ProducerStep(description, apply) { source, stage in
            // Created once, like the producers passed to an operator.
            let first = model(source, stage)
            return ModelSerialStart.producer(stage) { first }
        }
    }

    /// Runs the producers one after the other, whether they complete or are interrupted.
    private static func concatenation(_ producers: [ModelProducer]) -> ModelSerialStart.Next {
        guard let first = producers.first else { return .end(.completed) }
        return .begin(first) { end in
            end.isError ? .end(end) : concatenation(Array(producers.dropFirst()))
        }
    }

    /// Runs the producer again after each error, and completes with the last one.
    private static func limitedRetry(
        _ number: Int, of count: Int, _ producer: ModelProducer
    ) -> ModelSerialStart.Next {
        .begin(producer) { end in
            guard end.isError else { return .end(end) }
            return number == count ? .end(.completed) : limitedRetry(number + 1, of: count, producer)
        }
    }

    /// Runs the producer again after each end of that kind, `count` times in all.
    private static func round(
        _ number: Int, of count: Int, _ producer: ModelProducer, after isCause: @escaping (ChainEvent) -> Bool,
        again: @escaping (@escaping () -> ModelSerialStart.Next) -> ModelSerialStart.Next
    ) -> ModelSerialStart.Next {
        .begin(producer) { end in
            guard isCause(end), number < count else { return .end(end) }
            return again { round(number + 1, of: count, producer, after: isCause, again: again) }
        }
    }
}

private final class Box<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}

extension Origin {
    /// A source that an operator starts.
    static func inner(_ random: inout Choices, _ position: Int) -> Origin {
        .random(&random, .inner, position: position)
    }
}

extension Event {
    var isError: Bool {
        if case .error = self { true } else { false }
    }
}
