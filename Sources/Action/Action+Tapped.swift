package import ColdProducers
public import HotSignals

extension Action {
    /// Notifies a tap of each execution: its beginning, its waiting in the queue, its events and its end.
    ///
    /// ```swift
    /// let save = Action<Draft, Receipt, SaveError>(policy: .queue(waiting: 10)) { draft in store(draft) }
    /// save.tapped(by: requestLog, name: "save")
    /// ```
    ///
    /// Concerns the executions that start from now on, and does not create another action. `StreamTap.begin(_:)` is
    /// called when an execution is started, `StreamTap.run(_:in:)` with its admission and, unless it has to wait, its
    /// work. Task-locals that the tap sets are those of the work in either case. `StreamTap.end(_:)` is called when the
    /// resources of the work have been released. An execution that is refused fails with ``ActionError/disabled``.
    ///
    /// - Parameters:
    ///   - tap: Is notified. Retained by the action.
    ///   - name: The name of the executions.
    ///   - file: The file that the tap sees.
    ///   - line: The line that the tap sees.
    /// - Returns: This action.
    @discardableResult
    public func tapped<Tap: StreamTap>(
        by tap: Tap, name: String = "action", file: StaticString = #fileID, line: UInt = #line
    ) -> Action {
        let (name, location) = (StreamName(label: name), CodeLocation(file, line))
        taps.add { sink, begin in
            let link = TapLink(tap, TappedStream(.execution, name, location))
            sink.tapped(by: link) { begin($0, link) }
        }
        isTapped.set(true)
        return self
    }

    /// Starts an execution inside the taps.
    @usableFromInline
    func startTapped(
        _ input: Input, _ sink: ProducerSink<Output, ActionError<Failure>>, whenOver: (@Sendable () -> Void)? = nil
    ) {
        taps.tap(sink) { sink, taps in
            let execution = Execution(self, input, sink, whenOver: whenOver)
            execution.waitingNote = WaitingNote(taps.filter { $0.enter() })
            execution.start()
        }
    }
}
