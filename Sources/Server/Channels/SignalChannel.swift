public import ColdProducers
public import HotSignals

/// Two terminals that are connected crosswise: what is sent to one comes out of the other.
///
/// Use it to connect two parts that both change something and both follow it, such as a model and a form:
///
/// ```swift
/// let channel = SignalChannel<Int, Never>()
/// channel.leading.sendNext(20)
/// channel.following.producer.startWithNext { print("form shows", $0) }  // prints form shows 20
/// channel.leading.producer.startWithNext { print("model gets", $0) }
/// channel.following.sendNext(21)                                        // prints model gets 21
/// ```
///
/// The leading side has the state: the producer of the following terminal begins with the last value that was sent to
/// the leading one. In the other direction nothing is stored. Two properties that must always be equal need no channel:
/// bind them with `<~>`.
///
/// **End**: a terminal event that is sent to either terminal reaches the observers of both, and also those that come
/// later. When nothing retains the channel, its terminals or their producers any more, both sides are interrupted.
///
/// **Threads**: any thread can use either terminal. The values of one direction are serialized: a thread that sends
/// while another one is delivering waits for it, as with ``/HotSignals/Signal/pipe(contention:disposable:file:line:)``.
///
/// **Memory**: one value.
public struct SignalChannel<Value: Sendable, Failure: Error>: Sendable {
    /// The terminal of the side that has the state.
    public let leading: Terminal
    /// The terminal whose producer begins with the last value that was sent to ``leading``.
    public let following: Terminal

    /// Creates a channel.
    public init() {
        let line = Line()
        leading = Terminal(line, from: line.toLeading) { event in line.send(event, to: line.toFollowing) }
        following = Terminal(line, from: line.toFollowing) { event in line.send(event, to: line.toLeading) }
    }

    init(leading: Terminal, following: Terminal) {
        self.leading = leading
        self.following = following
    }

    /// The same channel for values of another type.
    ///
    /// ```swift
    /// let celsius = SignalChannel<Int, Never>()
    /// let text = celsius.map(forward: { "\($0) °C" }, backward: { Int($0.dropLast(3)) ?? 0 })
    /// text.following.producer.startWithNext { print($0) }
    /// celsius.leading.sendNext(20)  // prints 20 °C
    /// ```
    ///
    /// Both channels are views of the same two terminals, so an end of one is an end of the other.
    ///
    /// - Parameters:
    ///   - forward: Called for each value that a terminal of the result sends.
    ///   - backward: Called for each value that is sent to a terminal of the result.
    public func map<NewValue>(
        forward: @escaping @Sendable (Value) -> NewValue, backward: @escaping @Sendable (NewValue) -> Value
    ) -> SignalChannel<NewValue, Failure> {
        SignalChannel<NewValue, Failure>(
            leading: leading.map(forward: forward, backward: backward),
            following: following.map(forward: forward, backward: backward))
    }

    /// The two directions of a channel.
    fileprivate final class Line: Sendable {
        let toLeading = ReplayHub<Value, Failure>(StreamName("channel"), capacity: 0)
        let toFollowing = ReplayHub<Value, Failure>(StreamName("channel"), capacity: 1)

        /// Raised by the event that ends both directions.
        private let hasEnded = AtomicFlag()

        func send(_ event: Event<Value, Failure>, to hub: ReplayHub<Value, Failure>) {
            guard event.isTerminating else { return hub.send(event) }
            // Of two ends that are sent at the same time, both sides receive the same one.
            guard hasEnded.raise() else { return }
            hub.send(event)
            (hub === toLeading ? toFollowing : toLeading).send(event)
        }

        deinit {
            // Does not wait for an event that another thread is sending.
            toLeading.core.handOverEnd(.interrupted)
            toFollowing.core.handOverEnd(.interrupted)
        }
    }

    /// One side of a channel: receives what the other side sends, and sends to the other side.
    ///
    /// It can be on either side of `<~`: as a target it accepts values, and as a source, if it cannot fail, it sends
    /// those of the other side.
    public struct Terminal: SignalProducerConvertible, BindingTargetProvider {
        /// Sends what is sent to the other terminal.
        public let producer: SignalProducer<Value, Failure>
        private let sendEvent: @Sendable (Event<Value, Failure>) -> Void

        init(_ producer: SignalProducer<Value, Failure>, send: @escaping @Sendable (Event<Value, Failure>) -> Void) {
            self.producer = producer
            sendEvent = send
        }

        fileprivate init(
            _ line: Line, from hub: ReplayHub<Value, Failure>, send: @escaping @Sendable (Event<Value, Failure>) -> Void
        ) {
            // The producer retains both directions, but a start retains neither: it is interrupted once
            // nothing can send.
            let producer = SignalProducer<Value, Failure>(StreamName("channel", parent: hub.core)) { _, sink in
                withExtendedLifetime(line) { hub.join(sink) }
            }
            self.init(producer, send: send)
        }

        /// Sends an event to the other side.
        public func send(_ event: Event<Value, Failure>) { sendEvent(event) }

        /// Sends a value to the other side.
        public func sendNext(_ value: Value) { sendEvent(.next(value)) }

        /// Ends both sides with an error.
        public func sendError(_ error: Failure) { sendEvent(.error(error)) }

        /// Completes both sides.
        public func sendCompleted() { sendEvent(.completed) }

        /// Interrupts both sides.
        public func sendInterrupted() { sendEvent(.interrupted) }

        /// A target that sends each value to the other side. It retains the channel.
        public var bindingTarget: BindingTarget<Value> {
            let hasEnded = producer.materialize().filter { $0.isTerminating }.map { _ in }
            return BindingTarget(action: { [sendEvent] value in sendEvent(.next(value)) }) { [sendEvent] source in
                source.take(until: hasEnded).startWithNext { sendEvent(.next($0)) }
            }
        }

        /// The same terminal for values of another type: see ``SignalChannel/map(forward:backward:)``.
        public func map<NewValue>(
            forward: @escaping @Sendable (Value) -> NewValue, backward: @escaping @Sendable (NewValue) -> Value
        ) -> SignalChannel<NewValue, Failure>.Terminal {
            SignalChannel<NewValue, Failure>.Terminal(producer.map(forward)) { [sendEvent] event in
                sendEvent(event.map(backward))
            }
        }
    }
}
