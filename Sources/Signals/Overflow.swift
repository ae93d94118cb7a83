/// What happens to a value, or an inner stream, that arrives when a buffer with a limit is full.
///
/// ```swift
/// let ids = SignalProducer([1, 2, 3])
/// let pages = ids.flatMap(.concat(waiting: 100, whenFull: .dropOldest)) { SignalProducer(value: "page \($0)") }
/// ```
///
/// A limit without a loss is only possible if the source can be slowed down, which a plain signal cannot: see
/// ``Overflow/Suspending``.
@frozen
public struct Overflow: Equatable, Sendable, CustomStringConvertible {
    @frozen @usableFromInline
    package enum Kind: UInt8, Sendable {
        case dropOldest, dropNewest, fail
    }

    @usableFromInline package let kind: Kind

    @inlinable
    package init(_ kind: Kind) { self.kind = kind }

    /// Drops what has waited longest, to make room for what arrives.
    ///
    /// For values that later ones supersede, such as readings and states.
    @_alwaysEmitIntoClient public static var dropOldest: Overflow { Overflow(.dropOldest) }

    /// Drops what arrives.
    ///
    /// For requests: those that have been accepted are served, and new ones are refused.
    @_alwaysEmitIntoClient public static var dropNewest: Overflow { Overflow(.dropNewest) }

    /// Fails with the error that the operator's parameter `raising` names, and drops what the operator buffers. A
    /// window or group that has been sent still delivers what it has buffered, and then that error.
    ///
    /// For values of which none may be lost without notice. An operator traps if `raising` is missing.
    @_alwaysEmitIntoClient public static var fail: Overflow { Overflow(.fail) }

    /// The overflow as written in code, such as `.dropOldest`.
    public var description: String {
        switch kind {
        case .dropOldest: ".dropOldest"
        case .dropNewest: ".dropNewest"
        case .fail: ".fail"
        }
    }
}

extension Overflow {
    /// What happens when a buffer with a limit is full, if its source can be slowed down.
    ///
    /// Only producers have operators that accept it, because a plain signal cannot slow down its senders.
    @frozen
    public struct Suspending: Equatable, Sendable {
        @_alwaysEmitIntoClient
        init() {}

        /// Suspends the source until half of what the buffer holds has been taken. Nothing is dropped.
        @_alwaysEmitIntoClient public static var suspend: Suspending { Suspending() }
    }
}

extension Overflow {
    /// Traps unless the limit of an operator's buffer is positive, and `.fail` has an error.
    ///
    /// - Parameters:
    ///   - operation: The name of the operator.
    ///   - limit: The limit, and the label of its parameter.
    @usableFromInline
    package func require(for operation: String, _ limit: (label: String, value: Int), hasError: Bool) {
        HotSignals.require(limit.value > 0, "\(operation)(\(limit.label): \(limit.value)): the limit must be positive")
        HotSignals.require(
            hasError || self != .fail, "\(operation)(whenFull: .fail): the overflow .fail needs the parameter raising")
    }
}
