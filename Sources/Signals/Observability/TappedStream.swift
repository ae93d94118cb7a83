/// What a tap is notified of: a signal, a property, one start of a producer, or one execution of an action.
public struct TappedStream: Sendable, Identifiable {
    /// The kinds of streams.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A hot signal, from the call of `tapped(by:)` until it ends.
        case signal
        /// One start of a producer.
        case start
        /// One start of the producer that an action's `apply` returns, also if it is refused.
        case execution
        /// A property, from the call of `tapped(by:)` until it ends.
        case property
    }

    /// Where the name comes from.
    private enum Named: Sendable {
        case name(StreamName)
        // The core, not the handle: a tap keeps no signal alive.
        case core(SignalCore)
    }

    private static let numbers = ProcessCounter()

    /// A number that no other tapped stream of the process has.
    public let id: UInt64
    /// What the stream is.
    public let kind: Kind
    /// The file in which `tapped(by:)` was called, such as `App/Requests.swift`. `nil` for ``StreamHooks/tap``.
    public var fileID: String? { location?.file }
    /// The line in which `tapped(by:)` was called. 0 for ``StreamHooks/tap``.
    public var line: UInt { location?.line ?? 0 }
    private let location: CodeLocation?
    private let named: Named

    private init(_ kind: Kind, _ named: Named, _ location: CodeLocation?) {
        id = Self.numbers.next()
        self.kind = kind
        self.named = named
        self.location = location
    }

    @usableFromInline
    package init(_ kind: Kind, _ name: StreamName, _ location: CodeLocation?) {
        self.init(kind, .name(name), location)
    }

    @usableFromInline
    package init(_ kind: Kind, _ core: SignalCore, _ location: CodeLocation?) {
        self.init(kind, .core(core), location)
    }

    /// What the stream is and the operators that made it: `[[request] -retry: 3] -timeout: 5.0 seconds`.
    ///
    /// Built on request. The name of a signal or a property is the one that it has at that moment.
    public var name: String {
        switch named {
        case .name(let name): name.description
        case .core(let core): StreamName.description(of: core)
        }
    }
}
