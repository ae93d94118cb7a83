import Dispatch
import ReactiveSignals

/// A timer that reads the tree again and again.
///
/// This is where readings enter the world of signals.
final class Sampler: Sendable {
    /// Ends with `completed` after a recording, with `interrupted` by ``stop()`` and with an error by a bad file.
    let readings: Signal<Reading, VitalsError>

    private let input: Signal<Reading, VitalsError>.Observer
    private let tree: ProcTree
    // Unsafe in name only: a dispatch source may be used from any thread, its protocol just does not say so.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer
    private let nextNumber = Locked(0)

    init(tree: ProcTree, milliseconds: Int, queue: DispatchQueue) {
        self.tree = tree
        // With `.enqueue` a sender never waits: a signal that ends the program leaves its event to the thread that is
        // busy writing a line, instead of standing in line behind it.
        (readings, input) = Signal.pipe(contention: .enqueue)
        timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(milliseconds), leeway: .milliseconds(1))
        timer.setEventHandler { self.read() }
    }

    func start() { timer.activate() }

    /// Ends the readings, and with them all that was made of them.
    ///
    /// Whoever has started the sampler has to stop it: until then, the timer keeps it alive.
    func stop() {
        timer.cancel()
        input.sendInterrupted()
    }

    func fail(_ error: VitalsError) { input.sendError(error) }

    private func read() {
        let number = nextNumber.withLock { next in
            defer { next += 1 }
            return next
        }
        do {
            if let reading = try tree.reading(number) {
                input.sendNext(reading)
            } else {
                input.sendCompleted()
            }
        } catch {
            input.sendError(error)
        }
    }
}
