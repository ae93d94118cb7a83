extension PropertyProtocol where Value == Bool {
    /// True while this one is false.
    @inlinable
    public func negate() -> Property<Bool> { derive("negate", initial: { !$0 }) { value, _ in !value } }

    /// True while both are.
    @inlinable
    public func and(_ other: some PropertyProtocol<Bool>) -> Property<Bool> {
        combineLatest(with: other).map { $0.0 && $0.1 }
    }

    /// True while at least one of them is.
    @inlinable
    public func or(_ other: some PropertyProtocol<Bool>) -> Property<Bool> {
        combineLatest(with: other).map { $0.0 || $0.1 }
    }
}

extension Property where Value == Bool {
    /// True while all of them are; always, if there is none.
    @inlinable
    public static func all(_ properties: some Collection<some PropertyProtocol<Bool>>) -> Property<Bool> {
        combineLatest(properties).map { $0.allSatisfy { $0 } }
    }

    /// True while at least one of them is; never, if there is none.
    @inlinable
    public static func any(_ properties: some Collection<some PropertyProtocol<Bool>>) -> Property<Bool> {
        combineLatest(properties).map { $0.contains(true) }
    }
}
