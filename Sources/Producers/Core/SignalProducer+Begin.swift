// The three ways in which work begins. They differ in whose subscription it is, and in what the sink is.

extension SignalProducer {
    /// Begins the work of a start, which sends into the sink downstream. Called once per subscription.
    ///
    /// For an operator whose result has no gate of its own: the source and the result share the subscription.
    @_alwaysEmitIntoClient
    package func beginWork(of subscription: Subscription, into sink: ProducerSink<Value, Failure>) {
        switch work {
        case .value(let value):
            if !subscription.isOver { sink.next(value) }
            sink.end(.completed)
        case .ended(let termination): sink.end(termination)
        case .handler(let handler):
            if let core = Core.head(of: sink, contention: contention) {
                handler(Signal<Value, Failure>.Observer(core: core), subscription)
            }
        case .chain(let chain): chain(subscription, sink)
        }
    }

    /// Begins the work with a subscription of its own, which ends with the work, and not with the result.
    ///
    /// For an operator with several sources. If the subscription is already over, no work begins, and `sink` receives
    /// `interrupted` unless the subscription has already been ended.
    @_alwaysEmitIntoClient @inline(__always)
    func beginSeparately(_ subscription: Subscription, into sink: some Sink<Value, Failure>) {
        let end = ChainEnd(subscription, sink)
        if subscription.isOver { end.end(.interrupted) } else { beginWork(of: subscription, into: end.erased) }
    }

    /// Begins the work with a subscription of its own, and makes `core` the head of the result's subscription.
    ///
    /// For an operator that others than this producer act on: a scheduler, inner streams, tasks.
    ///
    /// - Parameters:
    ///   - result: The subscription of the result.
    ///   - senders: What suspends the source, unless the sink has a limit of its own.
    @_alwaysEmitIntoClient @inline(__always)
    func beginUpstream<S: WorkingSink>(
        of result: Subscription, into sink: S, headedBy core: SignalCore, suspendedBy senders: SenderQueue? = nil
    ) where S.Value == Value, S.Failure == Failure {
        let source = Subscription(sourceOf: result)
        if let senders = sink.senders ?? senders { source.senders = senders }
        result.attach(core, stop: sink.stopWork, users: sink.users)
        beginSeparately(source, into: sink)
    }
}
