public import ReactiveSignals

/// Sends the mean of the last values, rounded down.
///
///     source                  --2--4--9--|
///     runningMean(of: 2)      --2--3--6--|
public struct RunningMean<Failure: Error>: StreamOperator {
    private let count: Int
    private let measure: @Sendable (Int) -> Int
    private var values: [Int] = []

    /// - Parameters:
    ///   - count: How many values a mean is of, at the most.
    ///   - measure: What is taken of each value.
    public init(of count: Int, measure: @escaping @Sendable (Int) -> Int) {
        self.count = count
        self.measure = measure
    }

    /// Sends the mean of this value and those before it.
    public mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, Failure>) {
        values.append(measure(value))
        if values.count > count { values.removeFirst() }
        output.sendNext(values.reduce(0, &+) / values.count)
    }
}

extension Signal where Value == Int {
    /// Sends the mean of the last `count` values.
    public func runningMean(
        of count: Int, measure: @escaping @Sendable (Int) -> Int = { $0 }
    ) -> Signal<Int, Failure> {
        applying(RunningMean(of: count, measure: measure), named: "runningMean: #", argument: count)
    }
}

extension SignalProducer where Value == Int {
    /// Sends the mean of the last `count` values.
    public func runningMean(
        of count: Int, measure: @escaping @Sendable (Int) -> Int = { $0 }
    ) -> SignalProducer<Int, Failure> {
        applying(RunningMean(of: count, measure: measure), named: "runningMean: #", argument: count)
    }
}
