import ReactiveSignals

extension Signal where Value == Double {
    /// Sends the average of the last `count` values; of fewer, as long as there are fewer.
    ///
    /// An operator of one's own is a method that composes others: here the window is the state of a `scan`.
    ///
    ///     source                   --1--3--5--7--
    ///     slidingAverage(over: 2)  --1--2--4--6--
    func slidingAverage(over count: Int) -> Signal<Double, Failure> {
        precondition(count > 0, "slidingAverage(over:) needs a count above zero, not \(count)")
        return scan(into: [Double]()) { window, value in
            if window.count == count { window.removeFirst() }
            window.append(value)
        }
        .map { window in window.reduce(0, +) / Double(window.count) }
    }
}
