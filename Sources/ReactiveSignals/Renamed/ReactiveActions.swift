// The names that other libraries use. `Renamed.swift` of HotSignals explains what is left out.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import ReactiveActions
public import ReactiveProperties

extension Action {
    @available(*, unavailable, renamed: "isExecuting")
    public var executing: Property<Bool> { renamed() }
    @available(*, unavailable, renamed: "isEnabled")
    public var enabled: Property<Bool> { renamed() }
}
