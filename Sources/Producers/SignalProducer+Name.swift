import HotSignals

extension SignalProducer: CustomStringConvertible {
    /// What the producer is and the operators that made it: `[[[request] -retry: 3] -timeout: 5.0 seconds] -filter:`.
    ///
    /// Built on request: a name costs nothing per event.
    public var name: String { streamName.description }

    /// The same as ``name``.
    public var description: String { name }

    /// The same producer under another name.
    ///
    /// ``/HotSignals/StreamHooks/tap`` is notified of the starts of producers with a name, and
    /// ``/HotSignals/StreamGraph`` shows them while they are in progress.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    public func named(_ name: String, file: StaticString = #fileID, line: UInt = #line) -> SignalProducer {
        let label = Label(name, CodeLocation(file, line))
        let name = StreamName("", parent: label)
        switch work {
        case .value, .ended:
            // Has no work to surround. Operators begin these faster.
            if !StreamHooks.areSet.isOn {
                return SignalProducer(name, work, contention: contention, isSuspendable: isSuspendable)
            }
        case .handler, .chain: break
        }
        return SignalProducer(name, contention: contention, isSuspendable: isSuspendable) { run, sink in
            guard StreamHooks.areSet.isOn, !run.isOver else { return begin(run, sink) }
            run.beRecorded(as: label)
            guard let tap = StreamHooks.tap else { return begin(run, sink) }
            sink.tapped(by: tap, TappedStream(.start, name, nil)) { begin(run, $0) }
        }
    }
}
