import ReactiveSignals
import TestSupport

extension ProducerStep {
    /// The operators that share one start among several.
    static let sharingSteps: [Draw] = [
        { random, _ in
            let capacity = random.number(in: 0...2)
            return replay("replayLazily(upTo: \(capacity))", capacity) { $0.replayLazily(upTo: capacity) }
        },
        { random, _ in
            let capacity = random.number(in: 0...2)
            return replay("share(replay: \(capacity), while: .forever)", capacity) {
                $0.share(replay: capacity, while: .forever)
            }
        },
        { random, _ in
            let capacity = random.number(in: 0...2)
            return ProducerStep("share(replay: \(capacity), while: .observed)") { source, _ in
                source.share(replay: capacity, while: .observed)
            } model: { source, stage in
                var shared: ModelReplay?
                return ModelProducer {
                    let result = stage.network.signal(ModelGate())
                    return ModelStart(result) {
                        // A shared start without observers has been released.
                        let current =
                            shared.flatMap { $0.isObserved ? $0 : nil }
                            ?? ModelReplay(source, stage, capacity: capacity, isForever: false)
                        shared = current
                        let start = current.start()
                        start.signal.observe(
                            ModelSignal.Receiver(isWanted: { result.isWanted }) { result.deliver($0) })
                        start.begin()
                    }
                }
            }
        },
    ]

    private static func replay(
        _ description: String, _ capacity: Int, _ apply: @escaping @Sendable (IntProducer) -> IntProducer
    ) -> ProducerStep {
        ProducerStep(description, { source, _ in apply(source) }) { source, stage in
            let shared = ModelReplay(source, stage, capacity: capacity, isForever: true)
            return ModelProducer { shared.start() }
        }
    }
}
