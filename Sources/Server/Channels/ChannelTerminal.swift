import ColdProducers
import HotSignals

extension SignalChannel.Terminal: BindingSource where Failure == Never {}

extension MutableProperty {
    /// A terminal through which a channel reads and sets the property.
    ///
    /// ```swift
    /// let volume = MutableProperty(3)
    /// let channel = SignalChannel<Int, Never>()
    /// let terminal = volume.channelTerminal
    /// channel.leading <~ terminal
    /// terminal <~ channel.leading
    /// channel.following.producer.startWithNext { print("display shows", $0) }  // prints display shows 3
    /// channel.following.sendNext(4)                                           // sets the volume, shows nothing
    /// volume.value = 5                                                        // prints display shows 5
    /// ```
    ///
    /// Its producer sends the current value, and then each change, except those that were made through this terminal:
    /// so nothing is echoed. Each call returns another terminal, and the changes of one are no echo for another.
    ///
    /// A value that is sent to the terminal sets the property. An end that is sent to it ends the terminal: its
    /// producer completes, and later values are ignored. The property continues. The terminal does not retain the
    /// property, and its producer completes when that is released.
    ///
    /// While the terminal is retained, each change of the property also finds out which terminal has made it.
    public var channelTerminal: SignalChannel<Value, Never>.Terminal {
        let token = Lifetime.Token()
        let lifetime = Lifetime(token)
        let changes = keep("channelTerminal", initial: { TerminalChange(value: $0, isEcho: false, write: nil) }) {
            value, former in
            // What this is computed from has been published.
            former.write?.isPublished.raise()
            let write = TerminalWrite.current
            // An observer that the write has called may set the property in turn, and that is no echo.
            if let write, write.lifetime === lifetime, !write.isPublished.isRaised {
                return TerminalChange(value: value, isEcho: true, write: write)
            }
            return TerminalChange(value: value, isEcho: false, write: former.write)
        }
        // The current value is always sent. The producer, too, keeps the lifetime from ending.
        let producer = changes.producer.scanMap(into: true) { [token] isFirst, change -> Value? in
            defer { isFirst = false }
            return withExtendedLifetime(token) { isFirst || !change.isEcho } ? change.value : nil
        }
        return SignalChannel<Value, Never>.Terminal(producer.skipNil().take(during: lifetime)) { [weak self] event in
            switch event {
            case .next(let value):
                guard let self, !lifetime.hasEnded else { return }
                TerminalWrite.$current.withValue(TerminalWrite(lifetime)) { self.value = value }
            case .completed, .interrupted: token.dispose()
            }
        }
    }
}

/// A change of a property, as one of its terminals sees it.
private struct TerminalChange<Value: Sendable>: Sendable {
    let value: Value
    /// Whether the terminal has made the change.
    let isEcho: Bool
    /// The last change that the terminal has made.
    let write: TerminalWrite?
}

/// One change that a terminal makes.
///
/// A task-local: a property computes what depends on it on the thread that sets it. If it has to compute the same
/// change again, that is in the same context.
private final class TerminalWrite: Sendable {
    @TaskLocal static var current: TerminalWrite?

    /// Identifies the terminal.
    let lifetime: Lifetime
    let isPublished = AtomicFlag()

    init(_ lifetime: Lifetime) { self.lifetime = lifetime }
}
