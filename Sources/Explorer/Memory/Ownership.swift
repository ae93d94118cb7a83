#if Explore
/// Fields that only one thread at a time may access, as a lock or a protocol ensures.
///
/// An access that is not ordered after the others by what the threads have acquired is a data race, even though only
/// one thread runs at a time here. The thread sanitizer would not detect it, because the baton orders everything.
package final class Ownership: @unchecked Sendable {
    // Sendable: for the same reason as `ExploredWord`.
    private var lastWrite: (thread: Int, step: UInt32)?
    private var reads: [Int: UInt32] = [:]
    private var adopter = 0
    private var footprint = Footprint()
    private let what: StaticString

    package init(of what: StaticString) { self.what = what }

    package func read() {
        guard let (thread, execution) = prepare() else { return }
        execution.access(&footprint, thread, isWrite: false)
        check(lastWrite, thread, execution, "reads", "written")
        thread.tick()
        reads[thread.number] = thread.knowledge.clock[thread.number]
    }

    package func write() {
        guard let (thread, execution) = prepare() else { return }
        execution.access(&footprint, thread, isWrite: true)
        check(lastWrite, thread, execution, "writes", "written")
        for (reader, step) in reads { check((reader, step), thread, execution, "writes", "read") }
        thread.tick()
        lastWrite = (thread.number, thread.knowledge.clock[thread.number])
        reads = [:]
    }

    private func prepare() -> (ExploredThread, Execution)? {
        guard let (thread, execution) = ExploredThread.active else { return nil }
        if adopter != execution.number {
            adopter = execution.number
            lastWrite = nil
            reads = [:]
            footprint.clear()
        }
        return (thread, execution)
    }

    private func check(
        _ access: (thread: Int, step: UInt32)?, _ thread: ExploredThread, _ execution: Execution, _ does: String,
        _ done: String
    ) {
        guard let access, access.thread != thread.number, thread.knowledge.clock[access.thread] < access.step else {
            return
        }
        execution.fail("data race: thread \(thread.number) \(does) \(what), which thread \(access.thread) has \(done)")
    }
}
#endif
