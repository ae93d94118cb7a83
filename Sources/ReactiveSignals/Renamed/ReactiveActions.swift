// The names that other libraries use. `Renamed.swift` of HotSignals explains what is left out.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import ColdProducers
public import ReactiveActions
public import ReactiveProperties

extension Action {
    @available(*, unavailable, renamed: "isExecuting")
    public var executing: Property<Bool> { renamed() }
    @available(*, unavailable, renamed: "isEnabled")
    public var enabled: Property<Bool> { renamed() }
}

extension Action {
    @available(*, unavailable, renamed: "init(_:)")
    public convenience init(execute: @escaping @Sendable (Input) -> SignalProducer<Output, Failure>) { renamed() }
    @available(*, unavailable, renamed: "init(enabledIf:_:)")
    public convenience init(
        enabledIf isEnabled: some PropertyProtocol<Bool>,
        execute: @escaping @Sendable (Input) -> SignalProducer<Output, Failure>
    ) { renamed() }
}

extension ActionError {
    @available(*, unavailable, renamed: "producerError(_:)")
    public static func producerFailed(_ error: Failure) -> ActionError { renamed() }
}
