// See `Renamed.swift` in HotSignals, which states what is left out.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import ReactiveSignals

@available(*, unavailable, renamed: "TestScheduler")
public typealias HistoricalScheduler = TestScheduler
@available(*, unavailable, renamed: "TestObserver")
public typealias TestableObserver<Value: Sendable, Failure: Error> = TestObserver<Value, Failure>

extension TestScheduler {
    @available(*, unavailable, message: "has been replaced by 'init()', whose time begins at zero")
    public convenience init(startDate: some Any) { renamed() }
    @available(*, unavailable, message: "has been replaced by 'TestScheduler()', because time never goes back")
    public func rewind(by interval: Swift.Duration) { renamed() }
    @available(*, unavailable, message: "has been replaced by 'TestScheduler()', because time never goes back")
    public func rewind(to instant: Instant) { renamed() }
    @available(*, unavailable, renamed: "advance(by:)")
    public func advanceByInterval(_ interval: Swift.Duration) { renamed() }
    @available(*, unavailable, renamed: "advance(to:)")
    public func advanceToDate(_ instant: Instant) { renamed() }
    @available(*, unavailable, renamed: "advance(to:)")
    public func advanceTo(_ instant: Instant) { renamed() }
    @available(*, unavailable, renamed: "run()")
    public func start() { renamed() }
}
