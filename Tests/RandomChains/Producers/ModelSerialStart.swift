import ReactiveSignals

/// The model of sequential work, one step at a time.
final class ModelSerialStart {
    enum Next {
        case begin(
            ModelProducer, passesValues: Bool = true, onValue: () -> Void = {}, then: (ChainEvent) -> Next)
        case wait(nanoseconds: Int, then: () -> Next)
        case end(ChainEvent)
    }

    let result: ModelSignal
    private let stage: ModelStage
    private var isBusy = false
    private var pending: Next?

    private init(_ stage: ModelStage) {
        self.stage = stage
        result = stage.network.signal(ModelGate())
    }

    static func producer(_ stage: ModelStage, _ first: @escaping () -> Next) -> ModelProducer {
        ModelProducer {
            let serial = ModelSerialStart(stage)
            return ModelStart(serial.result) { serial.proceed(first()) }
        }
    }

    /// If work ends before it has finished starting, its end takes effect after that.
    private func proceed(_ next: Next) {
        pending = next
        guard !isBusy else { return }
        isBusy = true
        while let step = pending.take() { take(step) }
        isBusy = false
    }

    private func take(_ step: Next) {
        guard result.isWanted else { return }
        switch step {
        case .end(let event): result.deliver(event)
        case .wait(let delay, let then):
            stage.network.clock.schedule(after: delay, owner: self) { self.proceed(then()) }
        case .begin(let producer, let passesValues, let onValue, let then):
            let start = producer.prepare()
            var hasEnded = false
            start.signal.observe(
                ModelSignal.Receiver(isWanted: { [result] in !hasEnded && result.isWanted }) { event in
                    if !event.isTerminating {
                        onValue()
                        if passesValues { self.result.deliver(event) }
                    } else {
                        let next = then(event)
                        if case .end = next {
                            // The last producer is cleaned up after the receivers have received the end.
                            self.proceed(next)
                            hasEnded = true
                        } else {
                            hasEnded = true
                            self.proceed(next)
                        }
                    }
                })
            start.begin()
        }
    }
}
