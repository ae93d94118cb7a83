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
    /// ``/ReactiveDiagnostics/StreamGraph`` shows them while they are in progress.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    @_alwaysEmitIntoClient
    public func named(_ name: String, file: StaticString = #fileID, line: UInt = #line) -> SignalProducer {
        let label = Label(name, CodeLocation(file, line))
        let name = StreamName("", parent: label)
        switch work {
        case .value, .ended:
            // Has no work to surround. Operators begin these faster.
            if !StreamHooks.areSet.isOn {
                return SignalProducer(name, work, of: self)
            }
        case .handler, .chain: break
        }
        return tapped(name) {
            StreamHooks.areSet.isOn ? $0.beNamed(label) : nil
        } of: {
            TappedStream(.start, name, nil)
        }
    }
}

extension Start {
    /// Shows the name of a start that begins in `StreamGraph`. Returns the tap of all starts that have a name.
    @usableFromInline
    func beNamed(_ label: Label) -> ErasedTap? {
        beRecorded(as: label)
        return StreamHooks.tap.map { ErasedTap($0) }
    }
}
