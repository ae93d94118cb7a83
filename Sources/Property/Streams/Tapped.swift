public import HotSignals

extension PropertyProtocol {
    /// Notifies a tap of the value and each change, as long as the result is referenced.
    ///
    /// ```swift
    /// let health = checks.map(summary).tapped(by: healthLog)
    /// ```
    ///
    /// The tap is an observer: it receives the current value first, then each new one, and the completion when the
    /// property ends. So a derived property is computed at each change. Store the result: when it is released, the tap
    /// is notified of an interruption and of the end. A property derived from the result does not retain it.
    ///
    /// - Parameters:
    ///   - tap: Is notified.
    ///   - file: The file that the tap sees.
    ///   - line: The line that the tap sees.
    /// - Returns: The same property, with the tap.
    @_alwaysEmitIntoClient
    public func tapped(by tap: some StreamTap, file: StaticString = #fileID, line: UInt = #line) -> Property<Value> {
        let view = derivable
        return Property(
            view.node, view.signal, capturing: ScopedDisposable(view.observe(tap, CodeLocation(file, line))))
    }
}

extension MutableProperty {
    /// Notifies a tap of the value and each change, until the property ends.
    ///
    /// ```swift
    /// let limit = MutableProperty(100).named("limit").tapped(by: configurationLog)
    /// ```
    ///
    /// The tap is an observer: it receives the current value first, then each new one, and the completion when the
    /// property is released.
    ///
    /// - Parameters:
    ///   - tap: Is notified.
    ///   - file: The file that the tap sees.
    ///   - line: The line that the tap sees.
    /// - Returns: This property.
    @_alwaysEmitIntoClient @discardableResult
    public func tapped(by tap: some StreamTap, file: StaticString = #fileID, line: UInt = #line) -> MutableProperty {
        _ = observe(tap, CodeLocation(file, line))
        return self
    }
}

extension NodeHolding {
    /// Notifies a tap until the property ends or the result is disposed of.
    @_alwaysEmitIntoClient
    func observe<Tap: StreamTap>(_ tap: Tap, _ location: CodeLocation) -> any Disposable {
        let link = TapLink(tap, TappedStream(.property, signal.core, location))
        let observation = producer.start { event in
            link.event(event)
            if event.isTerminating { link.end() }
        }
        return AnyDisposable {
            observation.dispose()
            link.end()
        }
    }
}
