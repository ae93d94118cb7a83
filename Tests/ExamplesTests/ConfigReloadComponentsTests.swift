import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@testable import ConfigReloadKit

@Suite("The components of a configuration")
struct ConfigReloadComponentsTests {
    @Test("print a line at the start, and one for each change of their part")
    func lines() {
        let configuration = MutableProperty(Configuration())
        let lines = Locked<[String]>([])
        Components.lines(Property(configuration)).startWithNext { line in lines.withLock { $0.append(line) } }
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
        expect(
            take(),
            is: [
                "listener: port 8080", "logger: level info", "uploads: up to 1048576 bytes", "workers: 2 to 8",
                "limiter: 62 requests/s per worker",
            ])
        configuration.value = Configuration()
        expect(take(), is: [])
        configuration.value.port = 1
        expect(take(), is: ["listener: port 1 (was: port 8080)"])
        configuration.value.logLevel = .error
        expect(take(), is: ["logger: level error (was: level info)"])
        configuration.value.limits.bodyBytes = 0
        expect(take(), is: ["uploads: up to 0 bytes (was: up to 1048576 bytes)"])
        configuration.value.workers = 1...8
        expect(take(), is: ["workers: 1 to 8 (was: 2 to 8)"])
    }

    @Test("print one line for two values that change together, and none if their derived value stays the same")
    func derived() {
        let configuration = MutableProperty(Configuration())
        let lines = Locked<[String]>([])
        Components.lines(Property(configuration)).filter { $0.hasPrefix("limiter") }
            .startWithNext { line in lines.withLock { $0.append(line) } }
        configuration.modify {
            $0.workers = 2...10
            $0.limits.requestsPerSecond = 1000
        }
        configuration.modify {
            $0.workers = 2...5
            $0.limits.requestsPerSecond = 500
        }
        let expected = [
            "limiter: 62 requests/s per worker", "limiter: 100 requests/s per worker (was: 62 requests/s per worker)",
        ]
        expect(lines.withLock { $0 }, is: expected)
    }
}
