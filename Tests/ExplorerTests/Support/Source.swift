#if Explore
import InterleavingExplorer
import ReactiveSignals

/// A producer whose starts receive the events that the threads of a scenario send. Counts the starts and their
/// cleanups.
final class Source<Failure: Error>: @unchecked Sendable {
    typealias Observer = Signal<Int, Failure>.Observer

    private var observers: [Observer?] = []
    /// Publishes the writes of the starting threads to the sending ones, as a user's lock would.
    private let published = ExploredWord(0)
    private let state = Trial.State()
    private var cleanups = 0
    private let trial: Trial
    private let contention: Contention
    private let isExclusive: Bool
    private let work: @Sendable (_ observer: Observer, _ number: Int) -> Void

    /// - Parameters:
    ///   - isExclusive: Whether each start must have been cleaned up before the next one begins.
    ///   - work: Called by each start before it returns, with the number of the start.
    init(
        _ trial: Trial, contention: Contention = .wait, isExclusive: Bool = false,
        work: @escaping @Sendable (_ observer: Observer, _ number: Int) -> Void = { _, _ in }
    ) {
        self.trial = trial
        self.contention = contention
        self.isExclusive = isExclusive
        self.work = work
    }

    var producer: SignalProducer<Int, Failure> {
        SignalProducer(contention: contention) { [self] observer, lifetime in
            published.modify(.acquiringAndReleasing) { $0 + 1 }
            state.touch()
            let number = observers.count
            if isExclusive {
                trial.expect(cleanups == number, "start \(number) begins, and \(cleanups) are cleaned up")
            }
            observers.append(observer)
            let token = trial.token()
            lifetime.observeEnded { [self] in
                token.touch()
                cleanups += 1
            }
            work(observer, number)
        }
    }

    /// The observer of the latest start, unless it has been released.
    var latest: Observer? { observer(starts - 1) }

    func send(_ value: Int) { latest?.sendNext(value) }

    func complete() { latest?.sendCompleted() }

    func fail(_ error: Failure) { latest?.sendError(error) }

    /// Sends into one start if it has begun.
    func send(_ value: Int, at number: Int) { observer(number)?.sendNext(value) }

    func complete(at number: Int) { observer(number)?.sendCompleted() }

    func fail(_ error: Failure, at number: Int) { observer(number)?.sendError(error) }

    private func observer(_ number: Int) -> Observer? {
        _ = published.load(.acquiring)
        state.touch()
        return observers.indices.contains(number) ? observers[number] : nil
    }

    func release() {
        state.touch()
        for index in observers.indices { observers[index] = nil }
    }

    /// Releases the observer of one start if it has begun.
    func release(at number: Int) {
        state.touch()
        let released = observers.indices.contains(number) ? observers[number].take() : nil
        withExtendedLifetime(released) {}
    }

    var starts: Int { observers.count }

    /// Expects that each start has been cleaned up once.
    func expectCleanups() {
        trial.expect(cleanups == starts, "of \(starts) starts, \(cleanups) cleanups have run")
    }
}
#endif
