import ReactiveSignals

extension Signal where Value == Double {
    /// Sends the average of the last `count` values; of fewer, as long as there are fewer.
    ///
    /// An operator of one's own is a method that composes others.
    ///
    ///     source                   --1--3--5--7--
    ///     slidingAverage(over: 2)  --1--2--4--6--
    func slidingAverage(over count: Int) -> Signal<Double, Failure> {
        // `slidingWindow` sends only full windows. Until the first one, the window grows.
        take(first: count - 1).scan(into: [Double]()) { $0.append($1) }
            .take(untilReplacement: slidingWindow(count))
            .map { window in window.reduce(0, +) / Double(window.count) }
    }
}
