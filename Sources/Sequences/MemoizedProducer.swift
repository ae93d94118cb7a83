public import HotSignals

extension MemoizedSequence {
    /// A producer of the elements, each of which is evaluated and sent in its own action.
    ///
    /// Other actions of the scheduler can run between two elements. A start that is disposed of evaluates no further
    /// element. The sequence stores evaluated elements, and later starts share them.
    ///
    /// - Parameter scheduler: Where elements are evaluated and sent.
    @inlinable
    public func producer(on scheduler: some Scheduler) -> SignalProducer<Element, Never> {
        SignalProducer(StreamName("sequence")) { _, sink in
            SerialStart.run(into: sink, nextElement(of: self, on: scheduler, sink))
        }
    }

    @inlinable
    func nextElement(
        of rest: MemoizedSequence, on scheduler: some Scheduler, _ sink: ProducerSink<Element, Never>
    ) -> SerialStart<Element, Never>.Step {
        .wait(
            { scheduler.schedule($0) },
            then: {
                guard let head = rest.head else { return .end(.completed) }
                sink.next(head)
                return nextElement(of: rest.tail, on: scheduler, sink)
            })
    }
}
