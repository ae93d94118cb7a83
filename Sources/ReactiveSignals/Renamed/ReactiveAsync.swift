// Names of other libraries, declared unavailable as in `HotSignals.swift`.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import ColdProducers
public import HotSignals
public import ReactiveAsync

extension Signal {
    @available(*, unavailable, message: "has been replaced by 'values(buffering:)'")
    public var values: AsyncValues<Value, Failure> { renamed() }
}

extension SignalProducer {
    @available(*, unavailable, message: "has been replaced by 'values(buffering:)'")
    public var values: AsyncValues<Value, Failure> { renamed() }
}

extension BufferingPolicy {
    @available(*, unavailable, renamed: "newest(_:)")
    public static func latest(_ limit: Int) -> BufferingPolicy { renamed() }
    @available(*, unavailable, renamed: "newest(_:)")
    public static func bufferingNewest(_ limit: Int) -> BufferingPolicy { renamed() }
    @available(*, unavailable, renamed: "oldest(_:)")
    public static func bufferingOldest(_ limit: Int) -> BufferingPolicy { renamed() }
}
