/// What an observer of a ``RemoteSignal`` receives.
@frozen
public enum Delivery<Value: Sendable>: Sendable {
    /// A value. The values of one origin arrive in the order in which it has sent them, each at most once.
    case value(Value)
    /// So many values of an origin were lost here: on the network, or because this process did not keep up.
    case gap(lost: UInt64, Origin)
    /// An origin has restarted, and what follows is from another incarnation than what came before. It is unknown how many
    /// of the last values of the former one were lost. If one of them arrives late, this event comes before and after it.
    case restarted(Origin)
    /// A value has arrived that this process cannot read.
    indirect case unreadable(UnreadableMessage)

    /// The value, or `nil` for what is not one.
    @inlinable
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

extension Delivery: Equatable where Value: Equatable {}
