import ReactiveSignals
import TestSupport

/// One operator in a chain of producers, and the model of the resulting producer.
struct ProducerStep: Sendable, CustomStringConvertible {
    let description: String
    let apply: @Sendable (IntProducer, World) -> IntProducer
    let model: @Sendable (ModelProducer, ModelStage) -> ModelProducer

    init(
        _ description: String, _ apply: @escaping @Sendable (IntProducer, World) -> IntProducer,
        model: @escaping @Sendable (ModelProducer, ModelStage) -> ModelProducer
    ) {
        self.description = description
        self.apply = apply
        self.model = model
    }

    /// A step that signals also have.
    init(_ step: Step) {
        self.init(step.description) { source, world in
            guard case .producer(let result) = step.apply(.producer(source), world) else {
                fatalError("a step on producers gives a producer")
            }
            return result
        } model: { source, stage in
            stage.apply(step, to: source)
        }
    }

    /// Draws a step.
    ///
    /// - Parameter position: Its position in the chain.
    static func random(_ random: inout Choices, position: Int) -> ProducerStep {
        switch random.number(in: 0...5) {
        case 0...1: return ProducerStep(.random(&random, position: position))
        case 2: return random.pick(successionSteps)(&random, position)
        case 3...4: return random.pick(flatteningSteps)(&random, position)
        default: return random.pick(sharingSteps)(&random, position)
        }
    }
}
