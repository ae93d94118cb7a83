import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@testable import ConfigReloadKit

@Suite("Reloading a configuration, in virtual time")
struct ConfigReloadReloaderTests {
    /// A file in memory, its changes, and the reloader's reactions.
    private final class World: Sendable {
        let scheduler = TestScheduler()
        let reloader: Reloader
        let ports = Locked<[Int]>([])
        let rejections = Locked<[Rejection]>([])
        private let file: Locked<Contents>
        private let reads: Locked<Int>
        private let changes = Signal<Void, Never>.pipe()

        var readCount: Int { reads.withLock { $0 } }
        var isLive: Bool { ports.withLock { $0.last } == reloader.configuration.value.port }

        init() throws {
            let file = Locked(Self.contents("8080"))
            let reads = Locked(0)
            (self.file, self.reads) = (file, reads)
            reloader = Reloader(try Accepted(file.withLock { $0 }), on: scheduler) {
                reads.withLock { $0 += 1 }
                return file.withLock { $0 }
            }
            reloader.configuration.producer.skipRepeats { $0 == $1 }.startWithNext { [ports] configuration in
                ports.withLock { $0.append(configuration.port) }
            }
            reloader.outcome.signal.observeNext { [rejections] outcome in
                if case .failure(let rejection) = outcome { rejections.withLock { $0.append(rejection) } }
            }
            _ = reloader.follow(changes.output, on: scheduler)
        }

        static func contents(_ port: String) -> Contents { .bytes(Array("{\"server\": {\"port\": \(port)}}".utf8)) }

        func write(_ contents: Contents) {
            file.withLock { $0 = contents }
            changes.input.sendNext(())
        }

        /// Changes the file without a notification.
        func become(port: String) { file.withLock { $0 = Self.contents(port) } }

        func write(port: String) { write(Self.contents(port)) }
    }

    @Test("reads the file when it has not changed for a while")
    func single() throws {
        let world = try World()
        world.write(port: "1")
        world.scheduler.advance(by: Reloader.quiet - .milliseconds(1))
        expect(world.readCount, is: 0)
        world.scheduler.advance(by: .milliseconds(1))
        expect(world.ports.withLock { $0 }, is: [8080, 1])
        expect(world.readCount, is: 1)
    }

    @Test("makes few reloads for 1,000 edits in a second, and applies the last one")
    func storm() throws {
        let world = try World()
        for port in 1...1000 {
            world.write(port: "\(port)")
            world.scheduler.advance(by: .milliseconds(1))
        }
        world.scheduler.advance(by: .seconds(5))
        expect(world.reloader.configuration.value.port, is: 1000)
        #expect(world.isLive)
        #expect(world.readCount <= 4)
        #expect(world.ports.withLock { $0.count } <= 4)
    }

    @Test("reloads during an endless series of edits")
    func endless() throws {
        let world = try World()
        for port in 1...10_000 {
            world.write(port: "\(port)")
            world.scheduler.advance(by: .milliseconds(1))
        }
        let ports = world.ports.withLock { $0 }
        #expect((8...12).contains(ports.count))
        expect(ports.last.map { $0 > 8000 }, is: true)
    }

    @Test("keeps the last good configuration as a whole, and reports an error once")
    func invalid() throws {
        let world = try World()
        world.write(.bytes(Array(#"{"server": {"port": 1}, "log": {"level": "loud"}}"#.utf8)))
        world.scheduler.advance(by: .seconds(5))
        expect(world.reloader.configuration.value, is: Configuration())
        expect(world.ports.withLock { $0 }, is: [8080])
        expect(world.rejections.withLock { $0.count }, is: 1)
        world.write(port: "2")
        world.scheduler.advance(by: .seconds(5))
        expect(world.ports.withLock { $0 }, is: [8080, 2])
        expect(world.rejections.withLock { $0.count }, is: 1)
    }

    @Test("ignores a file that is temporarily incomplete or missing")
    func halfWritten() throws {
        let world = try World()
        for half in [Contents.bytes(Array("{\"ser".utf8)), .unreadable(reason: "No such file or directory")] {
            world.write(half)
            world.scheduler.advance(by: Reloader.quiet + .milliseconds(10))
            #expect(world.readCount > 0)
            world.write(port: "1")
            world.scheduler.advance(by: .seconds(5))
        }
        #expect(world.rejections.withLock { $0.isEmpty })
        expect(world.reloader.configuration.value.port, is: 1)
    }

    @Test("reports nothing for an unchanged file", arguments: ["8080", "0"])
    func unchanged(_ port: String) throws {
        let world = try World()
        world.write(port: port)
        world.scheduler.advance(by: .seconds(5))
        let (ports, rejections) = (world.ports.withLock { $0 }, world.rejections.withLock { $0 })
        world.write(port: port)
        world.scheduler.advance(by: .seconds(5))
        expect(world.ports.withLock { $0 }, is: ports)
        expect(world.rejections.withLock { $0 }, is: rejections)
    }

    @Test("retries periodically while the file temporarily cannot be read")
    func transient() throws {
        let world = try World()
        world.write(.unreadable(reason: "Too many open files", isTransient: true))
        world.scheduler.advance(by: .seconds(10))
        #expect((20...45).contains(world.readCount))
        expect(world.rejections.withLock { $0.count }, is: 1)
        world.become(port: "1")
        world.scheduler.advance(by: .seconds(2))
        expect(world.reloader.configuration.value.port, is: 1)
        let count = world.readCount
        world.scheduler.advance(by: .seconds(10))
        expect(world.readCount, is: count)
    }

    @Test("reloads again after a change during a reload")
    func during() throws {
        let world = try World()
        // The second check of an error keeps the first reload in progress.
        world.write(port: "0")
        world.scheduler.advance(by: Reloader.quiet)
        #expect(world.reloader.reload.isExecuting.value)
        #expect(world.reloader.reload.isEnabled.value, "one may wait")
        let refusals = Locked(0)
        world.reloader.reload.disabledErrors.observeNext { refusals.withLock { $0 += 1 } }
        world.reloader.reload.apply().start()
        #expect(!world.reloader.reload.isEnabled.value)
        world.reloader.reload.apply().start()
        expect(refusals.withLock { $0 }, is: 1, "another would read the same")
        world.write(port: "6")
        world.scheduler.advance(by: .seconds(5))
        expect(world.reloader.configuration.value.port, is: 6)
        #expect(!world.reloader.reload.isExecuting.value)
    }

    @Test("stops reloading once it is disposed of")
    func disposal() throws {
        let world = try World()
        let (changes, input) = Signal<Void, Never>.pipe()
        let following = world.reloader.follow(changes, on: world.scheduler)
        input.sendNext(())
        following.dispose()
        world.scheduler.advance(by: .seconds(5))
        expect(world.readCount, is: 0)
    }
}
