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
    func tally(isOnActor: Bool) async {
        let tally = TaskTally()
        let executor = ManualExecutor()
        let room = isOnActor ? Room(executor) : nil
        let log = Log<Bool>()
        let goOn = Locked<CheckedContinuation<Void, Never>?>(nil)
        LibraryTask.start(on: room, priority: .medium, in: TaskSurroundings(tally: tally)) { _ in
            log.append(LibraryTask.surroundings?.tally == nil)
            await withCheckedContinuation { continuation in goOn.withLock { $0 = continuation } }
        }
        #expect(!tally.isEmpty)
        executor.runAll()
        #expect(await eventually { goOn.withLock { $0 != nil } })
        #expect(!tally.isEmpty)
        goOn.withLock { $0.take() }?.resume()
        #expect(
            await eventually {
                executor.runAll()
                return tally.isEmpty
            })
        expect(log.all, is: [true])
    }

    @Test("uses its given surroundings, not those of its sender, for the tasks that it starts")
    func ownSurroundings() {
        let (room, sender) = (Room(ManualExecutor()), ManualTaskExecutor())
        let (tally, log) = (TaskTally(), Log<Bool>())
        sender.around {
            LibraryTask.start(on: room, priority: .medium, in: TaskSurroundings(tally: tally)) { _ in
                log.append(LibraryTask.surroundings?.executor == nil)
            }
        }
        room.executor.runAll()
        expect(log.all, is: [true])
        #expect(tally.isEmpty)
    }

    @Test("runs on the executor of its surroundings if the actor has no executor of its own")
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
