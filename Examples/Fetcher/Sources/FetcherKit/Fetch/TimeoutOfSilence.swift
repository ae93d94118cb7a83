import ReactiveSignals

extension SignalProducer {
    /// Fails if the source sends nothing for `interval`, after the start or after a value has been delivered.
    ///
    ///     source                                  --1----2--------3--
    ///     timeout(ofSilence: 6, raising: X)       --1----2-----X
    ///
    /// It does not limit how long a source that keeps sending can take.
    func timeout(
        ofSilence interval: Duration, raising error: Failure, on scheduler: any DelayScheduler
    ) -> SignalProducer {
        SignalProducer { observer, lifetime in
            let deadline = SerialDisposable()
            lifetime += deadline
            @Sendable func restart() {
                deadline.inner = scheduler.schedule(after: interval) { observer.sendError(error) }
            }
            startWithSignal { signal, start in
                lifetime += start
                lifetime += signal.observe { event in
                    // The time that observers need for the value does not count.
                    deadline.inner = nil
                    observer.send(event)
                    if case .next = event { restart() }
                }
                restart()
            }
        }
    }
}
