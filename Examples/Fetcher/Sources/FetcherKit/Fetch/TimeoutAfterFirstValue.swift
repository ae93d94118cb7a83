import ReactiveSignals

extension SignalProducer {
    /// Fails if the source has not terminated within `interval` after its first value.
    ///
    ///     source                                     -----1--2--3--4--...
    ///     timeout(afterFirstValue: 6, raising: X)    -----1--2--X
    func timeout(
        afterFirstValue interval: Duration, raising error: Failure, on scheduler: any DelayScheduler
    ) -> SignalProducer {
        SignalProducer { observer, lifetime in
            startWithSignal { signal, start in
                lifetime += start
                lifetime += signal.take(first: 1).observe { event in
                    guard case .next = event else { return }
                    lifetime += scheduler.schedule(after: interval) { observer.sendError(error) }
                }
                lifetime += signal.observe(observer)
            }
        }
    }
}
