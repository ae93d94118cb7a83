public import Metrics
public import ReactiveSignals

extension PropertyProtocol where Value: BinaryInteger {
    /// Shows the value of the property as a gauge of swift-metrics.
    ///
    /// ```swift
    /// let connections = MutableProperty(0)
    /// connections.record(asGauge: "pool.connections", dimensions: [("pool", "orders")])
    /// ```
    ///
    /// The gauge is a `Meter`. It has the current value at once, and each new one before the call that sets the property
    /// returns. To show something else, derive a property: `queue.map(\.count).record(asGauge: "queue.length")`.
    ///
    /// **End**: the gauge is destroyed when the property ends, which a `MutableProperty` does when it is released, and
    /// when the returned disposable is disposed of. So nobody sees the last value of a pool that is gone. The property
    /// is not retained, and the disposable need not be. Two gauges at the same time need different dimensions: backends
    /// store one value for both.
    ///
    /// **Cost** of a set: an observer, and one call of the backend.
    ///
    /// - Parameters:
    ///   - label: The label of the metric.
    ///   - dimensions: Its dimensions.
    ///   - factory: Makes the metric. By default, that of `MetricsSystem`.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    /// - Returns: Ends the gauge.
    @discardableResult
    public func record(
        asGauge label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        show(self, Meter(label, dimensions, factory), file, line) { $0.set($1) }
    }
}

extension PropertyProtocol where Value: BinaryFloatingPoint {
    /// Shows the value of the property as a gauge: see ``record(asGauge:dimensions:factory:file:line:)`` of integers.
    @discardableResult
    public func record(
        asGauge label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        show(self, Meter(label, dimensions, factory), file, line) { $0.set($1) }
    }
}

extension PropertyProtocol<Bool> {
    /// Shows the value of the property as a gauge, which is 1 for true and 0 for false.
    ///
    /// ```swift
    /// upload.isExecuting.record(asGauge: "upload.executing")
    /// ```
    ///
    /// See ``record(asGauge:dimensions:factory:file:line:)`` of integers.
    @discardableResult
    public func record(
        asGauge label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        show(self, Meter(label, dimensions, factory), file, line) { $0.set($1 ? 1 : 0) }
    }
}

extension Signal {
    /// Counts the values of the signal with a counter of swift-metrics.
    ///
    /// ```swift
    /// upload.disabledErrors.record(asCounter: "upload.refusals")
    /// chunks.record(asCounter: "upload.bytes") { chunk in chunk.count }
    /// ```
    ///
    /// The counter has counted a value before the call that sends it returns. To count something else, derive a signal.
    /// The outcome of starts is what ``StreamMetrics`` counts.
    ///
    /// **End**: with the signal, or when the returned disposable is disposed of. The counter keeps its sum then, and
    /// another signal with the same label and dimensions adds to it.
    ///
    /// **Cost** of a value: an observer, and one call of the backend.
    ///
    /// - Parameters:
    ///   - label: The label of the metric.
    ///   - dimensions: Its dimensions.
    ///   - factory: Makes the metric. By default, that of `MetricsSystem`.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    ///   - amount: What a value adds. It must not be negative.
    /// - Returns: Ends the counting. `nil` if the signal has ended.
    @discardableResult
    public func record(
        asCounter label: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil,
        file: StaticString = #fileID, line: UInt = #line, by amount: @escaping @Sendable (Value) -> Int = { _ in 1 }
    ) -> (any Disposable)? {
        let counter = Counter(label: label, dimensions: dimensions, factory: factory ?? MetricsSystem.factory)
        return observe(file: file, line: line) { event in
            if case .next(let value) = event { counter.increment(by: amount(value)) }
        }
    }
}

/// Shows the values of a property until it ends.
private func show<Source: PropertyProtocol>(
    _ property: Source, _ meter: Meter, _ file: StaticString, _ line: UInt,
    _ set: @escaping @Sendable (Meter, Source.Value) -> Void
) -> any Disposable {
    property.producer.start(file: file, line: line) { event in
        if case .next(let value) = event { set(meter, value) } else { meter.destroy() }
    }
}

extension Meter {
    fileprivate convenience init(
        _ label: String, _ dimensions: [(String, String)], _ factory: (any MetricsFactory)?
    ) {
        self.init(label: label, dimensions: dimensions, factory: factory ?? MetricsSystem.factory)
    }
}
