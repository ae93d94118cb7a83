import HotSignals
import TestSupport
import Testing

private actor Room {
    nonisolated let executor: ManualExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    var visits = 0

    init(_ executor: ManualExecutor) { self.executor = executor }

    func enter() { visits += 1 }
}

@Suite("LibraryTask on an actor", .watched)
struct LibraryTaskActorTests {
    @Test("enqueues a task on the actor's executor before start returns, and runs it there as one job")
    func straightAway() {
        let executor = ManualExecutor()
        let room = Room(executor)
        let log = Log<Bool>()
        LibraryTask.start(on: room, priority: .low) { isolation in
            log.append(isolation === room && executor.isHeldByCaller)
            await room.enter()
        }
        expect(executor.waiting, is: 1)
        #expect(log.all.isEmpty)
        expect(executor.runAll(), is: 1)
        expect(log.all, is: [true])
        expect(executor.hold { room.assumeIsolated { $0.visits } }, is: 1)
    }

    @Test(
        "is tallied from before start returns until its body has ended, while tasks that its body starts are not",
        arguments: [false, true])
    func counter(isOnActor: Bool) async {
        let counter = TaskCounter()
        let executor = ManualExecutor()
        let room = isOnActor ? Room(executor) : nil
        let log = Log<Bool>()
        let goOn = Locked<CheckedContinuation<Void, Never>?>(nil)
        LibraryTask.start(on: room, priority: .medium, in: TaskContext(counter: counter)) { _ in
            log.append(LibraryTask.context?.counter == nil)
            await withCheckedContinuation { continuation in goOn.withLock { $0 = continuation } }
        }
        #expect(!counter.isEmpty)
        executor.runAll()
        #expect(await eventually { goOn.withLock { $0 != nil } })
        #expect(!counter.isEmpty)
        goOn.withLock { $0.take() }?.resume()
        #expect(
            await eventually {
                executor.runAll()
                return counter.isEmpty
            })
        expect(log.all, is: [true])
    }

    @Test("uses its given task context, not that of its sender, for the tasks that it starts")
    func ownContext() {
        let (room, sender) = (Room(ManualExecutor()), ManualTaskExecutor())
        let (counter, log) = (TaskCounter(), Log<Bool>())
        sender.around {
            LibraryTask.start(on: room, priority: .medium, in: TaskContext(counter: counter)) { _ in
                log.append(LibraryTask.context?.executor == nil)
            }
        }
        room.executor.runAll()
        expect(log.all, is: [true])
        #expect(counter.isEmpty)
    }

    @Test("runs on the executor of its task context if the actor has no executor of its own")
    func preferredExecutor() {
        let executor = ManualTaskExecutor()
        let log = Log<String>()
        executor.around {
            LibraryTask.start(on: nil, priority: .medium) { isolation in
                log.append("\(isolation == nil) \(executor.isHeldByCaller)")
            }
            LibraryTask.start(on: Plain(), priority: .medium) { isolation in
                log.append("\(isolation is Plain) \(executor.isHeldByCaller)")
            }
        }
        #expect(log.all.isEmpty)
        executor.runAll()
        expect(log.all, is: ["true true", "true true"])
    }
}

private actor Plain {}
