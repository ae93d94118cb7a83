import ReactiveSignals

extension SignalProducer {
    /// Fails if the source sends nothing for too long: at the start, or after a value has been dealt with.
    ///
    ///     source                                  --1----2--------3--
    ///     timeout(ofSilence: 6, raising: X)       --1----2-----X
    ///
    /// A source that keeps sending may take as long as it likes.
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
                    // What those take who receive the value is not the source's silence.
                    deadline.inner = nil
                    observer.send(event)
                    if case .next = event { restart() }
                }
                restart()
            }
        }
    }
}
