/// An operator that runs inner streams, and tells them apart by their numbers.
@usableFromInline
protocol InnerOwner<InnerValue, InnerFailure>: AnyObject, Sendable {
    associatedtype InnerValue: Sendable
    associatedtype InnerFailure: Error
    associatedtype ResultCore: SignalCore

    var core: ResultCore { get }
    /// The task context of the start. Inner streams that start later, on any thread, run within it.
    var taskContext: TaskContext? { get }

    /// - Parameter start: `nil` if the stream has none.
    func send(_ value: InnerValue, from number: UInt, _ start: Start?)

    /// - Parameter start: To be cleaned up after the observer has received the terminal event, and before the next
    ///   inner stream starts. `nil` if the stream has none.
    func end(_ termination: Termination<InnerFailure>, of number: UInt, _ start: Start?)
}

extension InnerOwner {
    /// Creates the start of an inner stream. It is counted separately in the caller's counter, because it is cleaned up
    /// after the observer has received the terminal event.
    @_alwaysEmitIntoClient @inline(__always)
    func makeStart(suspendedBy senders: SenderQueue? = nil) -> Start {
        let start = Start(within: taskContext, of: core)
        start.senders = senders
        return start
    }

    /// Begins the work of an inner stream, which sends into this operator.
    @_alwaysEmitIntoClient @inline(__always)
    func begin(_ inner: SignalProducer<InnerValue, InnerFailure>, _ number: UInt, of start: Start) {
        core.join(inner.contention)
        let sink = ProducerSink<InnerValue, InnerFailure>(start) { [self] event in
            if case .next(let value) = event.pointee {
                if !start.isOver { send(value, from: number, start) }
            } else if let termination = Termination(event.pointee), start.raiseEnd() {
                end(termination, of: number, start)
            }
        }
        LibraryTask.with(taskContext) { inner.beginWork(of: start, into: sink) }
    }
}
