extension Signal where Value == Bool {
    /// Sends each value negated.
    ///
    /// ```marbles
    /// source             --t-----f-----|
    /// source.negate()    --f-----t-----|
    /// ```
    @_alwaysEmitIntoClient
    public func negate() -> Signal {
        derive("negate") { MapSink(transform: { !$0 }, downstream: $0) }
    }

    /// Sends whether the latest values of both signals are true.
    ///
    /// Like ``combineLatest(with:)`` followed by `&&`: sends when both signals have sent a value, and then whenever one
    /// of them does.
    ///
    /// ```marbles
    /// source               --t-----------f--|
    /// other                -----f-----t--------|
    /// source.and(other)    -----f-----t--f-----|
    /// ```
    @_alwaysEmitIntoClient
    public func and(_ other: Signal) -> Signal {
        Self.combineLatest(self, other, "+and:") { $0 && $1 }
    }

    /// Sends whether at least one of the latest values of both signals is true.
    ///
    /// Like ``combineLatest(with:)`` followed by `||`: sends when both signals have sent a value, and then whenever one
    /// of them does.
    ///
    /// ```marbles
    /// source              --t-----------f--|
    /// other               -----f-----t--------|
    /// source.or(other)    -----t-----t--t-----|
    /// ```
    @_alwaysEmitIntoClient
    public func or(_ other: Signal) -> Signal {
        Self.combineLatest(self, other, "+or:") { $0 || $1 }
    }

    /// Sends whether the latest values of all signals are true.
    ///
    /// Like ``combineLatest(_:)-5zz17`` of the signals: sends when every signal has sent a value, and then whenever one
    /// of them does.
    ///
    /// ```marbles
    /// a                     --t--------f--|
    /// b                     -----t--f-----|
    /// Signal.all([a, b])    -----t--f--f--|
    /// ```
    ///
    /// Completes when all signals have completed. If a signal fails or is interrupted, the result does so immediately
    /// and releases the others. To send only changes, use ``skipRepeats()``.
    ///
    /// - Parameter signals: Without signals, the result has already completed, and sends nothing.
    @_alwaysEmitIntoClient
    public static func all(_ signals: some Collection<Signal>) -> Signal {
        combineLatest(signals, "+all:") { $0.allSatisfy { $0 } }
    }

    /// Sends whether the latest values of all signals are true: `Signal.all(isConnected, isIdle)`.
    @_alwaysEmitIntoClient
    public static func all(_ first: Signal, _ others: Signal...) -> Signal { all([first] + others) }

    /// Sends whether at least one of the latest values of all signals is true.
    ///
    /// Like ``combineLatest(_:)-5zz17`` of the signals: sends when every signal has sent a value, and then whenever one
    /// of them does.
    ///
    /// ```marbles
    /// a                     --t--------f--|
    /// b                     -----t--f-----|
    /// Signal.any([a, b])    -----t--t--f--|
    /// ```
    ///
    /// Completes when all signals have completed. If a signal fails or is interrupted, the result does so immediately
    /// and releases the others. To send only changes, use ``skipRepeats()``.
    ///
    /// - Parameter signals: Without signals, the result has already completed, and sends nothing.
    @_alwaysEmitIntoClient
    public static func any(_ signals: some Collection<Signal>) -> Signal {
        combineLatest(signals, "+any:") { $0.contains(true) }
    }

    /// Sends whether at least one of the latest values is true: `Signal.any(isConnected, isIdle)`.
    @_alwaysEmitIntoClient
    public static func any(_ first: Signal, _ others: Signal...) -> Signal { any([first] + others) }

    @_alwaysEmitIntoClient
    static func combineLatest(
        _ first: Signal, _ second: Signal, _ name: StaticString, _ combine: @escaping @Sendable (Bool, Bool) -> Bool
    ) -> Signal {
        combining(
            name, [first.latest, second.latest], layout: (Bool, Bool).self,
            read: { combine($0.pointee.0, $0.pointee.1) })
    }
}
