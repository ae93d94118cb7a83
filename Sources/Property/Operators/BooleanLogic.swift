extension PropertyProtocol where Value == Bool {
    /// A property that is `true` while this one is `false`.
    @_alwaysEmitIntoClient
    public func negate() -> Property<Bool> { pull("negate") { !$0 } }

    /// A property that is `true` while both properties are `true`.
    @_alwaysEmitIntoClient
    public func and(_ other: some PropertyProtocol<Bool>) -> Property<Bool> {
        combineLatest(with: other).map { $0.0 && $0.1 }
    }

    /// A property that is `true` while at least one of the two properties is `true`.
    @_alwaysEmitIntoClient
    public func or(_ other: some PropertyProtocol<Bool>) -> Property<Bool> {
        combineLatest(with: other).map { $0.0 || $0.1 }
    }
}

extension Property where Value == Bool {
    /// A property that is `true` while all of the properties are `true`. Always `true` if there are none.
    @_alwaysEmitIntoClient
    public static func all(_ properties: some Collection<some PropertyProtocol<Bool>>) -> Property<Bool> {
        combineLatest(properties).map { $0.allSatisfy { $0 } }
    }

    /// A property that is `true` while all of the properties are `true`: `Property.all(isConnected, isIdle)`.
    public static func all(
        _ first: any PropertyProtocol<Bool>, _ others: any PropertyProtocol<Bool>...
    ) -> Property<Bool> {
        all(views(of: [first] + others))
    }

    /// A property that is `true` while at least one of the properties is `true`: `Property.any(isFull, isClosed)`.
    public static func any(
        _ first: any PropertyProtocol<Bool>, _ others: any PropertyProtocol<Bool>...
    ) -> Property<Bool> {
        any(views(of: [first] + others))
    }

    private static func views(of properties: [any PropertyProtocol<Bool>]) -> [Property<Bool>] {
        properties.map { Property($0) }
    }

    /// A property that is `true` while at least one of the properties is `true`. Always `false` if there are none.
    @_alwaysEmitIntoClient
    public static func any(_ properties: some Collection<some PropertyProtocol<Bool>>) -> Property<Bool> {
        combineLatest(properties).map { $0.contains(true) }
    }
}
