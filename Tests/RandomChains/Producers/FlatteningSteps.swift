import ReactiveSignals
import TestSupport

extension ProducerStep {
    /// The operators that flatten.
    static let flatteningSteps: [Draw] = [
        { random, position in flatMap(&random, position) },
        { random, position in flatMap(&random, position) },
        { random, position in
            let strategy = ModelStrategy.random(&random)
            let inner = Origin.inner(&random, position)
            return flattening("map { _ in \(inner) }.flatten(\(strategy))", strategy) { source, world in
                let producer = inner.make(world.stage)
                return source.map { _ in world.see(producer) }.flatten(strategy.real)
            } inner: { stage in
                let model = inner.model(stage)
                return { _ in model }
            }
        },
        { random, _ in
            let (strategy, modulus) = (ModelStrategy.random(&random), random.number(in: 1...3))
            return ProducerStep("groupBy { rest($0, \(modulus)) }.flatten(\(strategy))") { source, world in
                source.groupBy { world.see(rest($0, modulus)) }.flatten(strategy.real)
            } model: { source, stage in
                ModelProducer { grouped(source, stage, strategy, modulus) }
            }
        },
        { random, position in
            let others = (0...1).map { _ in Origin.inner(&random, position) }
            let isRace = random.once(in: 2)
            return ProducerStep("\(isRace ? "race" : "merge")(source, \(others))") { source, world in
                let producers = [source] + others.map { $0.make(world.stage) }
                return isRace ? .race(producers) : .merge(producers)
            } model: { source, stage in
                let producers = [source] + others.map { $0.model(stage) }
                return ModelProducer {
                    let flattening = ModelFlattening(isRace ? .race : .concurrent(limit: .max), stage)
                    return ModelStart(flattening.result) {
                        for producer in producers { flattening.add(producer) }
                        flattening.endOuter(.completed)
                    }
                }
            }
        },
    ]

    private static func flatMap(_ random: inout Choices, _ position: Int) -> ProducerStep {
        let strategy = ModelStrategy.random(&random)
        let inners = (0..<random.number(in: 1...3)).map { _ in Origin.inner(&random, position) }
        let shifts = random.once(in: 2)
        let choice = "\(inners)[rest($0, \(inners.count))]"
        return flattening(
            "flatMap(\(strategy)) { \(choice)\(shifts ? ".map { value in rest(value + $0, 1009) }" : "") }", strategy
        ) { source, world in
            let producers = inners.map { $0.make(world.stage) }
            return source.flatMap(strategy.real) { value in
                let producer = world.see(producers[rest(value, producers.count)])
                return shifts ? producer.map { rest($0 &+ value, 1_009) } : producer
            }
        } inner: { stage in
            let producers = inners.map { $0.model(stage) }
            return { value in
                let producer = producers[rest(value, producers.count)]
                return shifts ? stage.apply(.shift(by: value), to: producer) : producer
            }
        }
    }

    /// - Parameter inner: Called once. Its result is called with each value.
    private static func flattening(
        _ description: String, _ strategy: ModelStrategy,
        _ apply: @escaping @Sendable (IntProducer, World) -> IntProducer,
        inner: @escaping @Sendable (ModelStage) -> (Int) -> ModelProducer
    ) -> ProducerStep {
        ProducerStep(description, apply) { source, stage in
            let inner = inner(stage)
            return ModelProducer {
                let outer = stage.lifted(source.prepare())
                let flattening = ModelFlattening(strategy, stage)
                outer.signal.observe(
                    ModelSignal.Receiver(isWanted: { flattening.result.isWanted }) { event in
                        if let value = event.value { flattening.add(inner(value)) } else { flattening.endOuter(event) }
                    })
                return ModelStart(flattening.result) { outer.begin() }
            }
        }
    }

    /// Groups are sent before their first values, and end after the outer stream.
    private static func grouped(
        _ source: ModelProducer, _ stage: ModelStage, _ strategy: ModelStrategy, _ modulus: Int
    ) -> ModelStart {
        let start = source.prepare()
        let flattening = ModelFlattening(strategy, stage)
        let outer = ModelGate()
        var groups: [ModelHub] = []
        var byKey: [Int: ModelHub] = [:]
        // The source is cleaned up when the outer stream has ended, before the groups end.
        var isOver = false
        start.signal.observe(
            ModelSignal.Receiver(isWanted: { !isOver && flattening.result.isWanted }) { event in
                guard let value = event.value else {
                    outer.enter {
                        flattening.endOuter(event)
                        isOver = true
                    }
                    for group in groups { group.send(event) }
                    return
                }
                let key = rest(value, modulus)
                if byKey[key] == nil {
                    let group = ModelHub(stage, capacity: .max, forgetsAtFirstJoin: true)
                    byKey[key] = group
                    groups.append(group)
                    outer.enter { flattening.add(ModelProducer { group.start() }) }
                }
                byKey[key]?.send(event)
            })
        return ModelStart(flattening.result) { start.begin() }
    }
}

extension Step {
    fileprivate static func shift(by addend: Int) -> Step {
        Step("shift", { source, _ in source.map { rest($0 &+ addend, 1_009) } }, state: ()) { _, value in
            [.next(rest(value &+ addend, 1_009))]
        }
    }
}
