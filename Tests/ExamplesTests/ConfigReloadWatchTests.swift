import Dispatch
import Foundation
import Glibc
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@testable import ConfigReloadKit

@Suite("Watching a file", .watched)
struct ConfigReloadWatchTests {
    private func steps(_ path: String) -> [PathWalk.Step] {
        var steps: [PathWalk.Step] = []
        PathWalk.follow(path) { steps.append($0) }
        return steps
    }

    /// The last steps of the walk, each with the last component of its directory.
    private func tail(_ path: String, in directory: TemporaryDirectory) -> [String] {
        steps(path).drop { $0.directory != directory.path.replacing("//", with: "/") }
            .map { "\($0.directory.split(separator: "/").last ?? "") \($0.name)\($0.isLast ? "!" : "")" }
            .map { $0.replacing(directory.path.split(separator: "/").last ?? "", with: "DIR") }
    }

    @Test("walks all directories from the root")
    func plain() {
        let expected = [
            PathWalk.Step(directory: "/", name: "proc", isLast: false),
            PathWalk.Step(directory: "/proc", name: "none", isLast: false),
        ]
        expect(steps("/proc/./none//x/y"), is: expected)
        expect(steps("/"), is: [])
        expect(steps("none.json").last?.name, is: "none.json")
        expect(steps("none.json").last?.directory, is: FileManager.default.currentDirectoryPath)
    }

    @Test("follows symbolic links, including those of Kubernetes")
    func links() throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("..1")
        try directory.makeDirectory("other")
        try directory.write("{}", to: "..1/c.json")
        try directory.link("..data", to: "..1")
        try directory.link("c.json", to: "..data/c.json")
        try directory.link("other/absolute", to: "\(directory.path)/c.json")
        try directory.link("loop", to: "loop")
        expect(
            tail("\(directory.path)/c.json", in: directory),
            is: ["DIR c.json!", "DIR ..data", "DIR ..1", "..1 c.json!"])
        expect(tail("\(directory.path)/other/../none", in: directory), is: ["DIR other", "DIR none!"])
        expect(tail("\(directory.path)/..data/../none", in: directory), is: ["DIR ..data", "DIR ..1", "DIR none!"])
        expect(steps("\(directory.path)/other/absolute").last?.directory.hasSuffix("/..1"), is: true)
        #expect(steps("\(directory.path)/loop").count < 100)
    }

    @Test("sends immediately, and closes its descriptors on disposal")
    func disposal() throws {
        let directory = try TemporaryDirectory()
        let queue = DispatchQueue(label: "test.watch")
        func watcherCount() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return target == "anon_inode:inotify"
            }
        }
        let before = try watcherCount()
        let changes = Locked(0)
        let watches = (0..<10).map { _ in
            FileWatch.changes(of: "\(directory.path)/c.json", on: queue).start { event in
                if event.value == .changed { changes.withLock { $0 += 1 } }
            }
        }
        queue.sync {}
        #expect(try watcherCount() == before + 10)
        expect(changes.withLock { $0 }, is: 10)
        for watch in watches { watch.dispose() }
        // There is no notification when Dispatch has closed the descriptors.
        while try watcherCount() > before { sched_yield() }
    }

    @Test("reports the directory that it cannot watch", .enabled(if: geteuid() != 0, "root may read everything"))
    func hidden() throws {
        let directory = try TemporaryDirectory()
        try directory.write("{}", to: "c.json")
        chmod(directory.path, 0o300)
        defer { chmod(directory.path, 0o700) }
        let queue = DispatchQueue(label: "test.watch")
        let warnings = Locked<[String]>([])
        let watch = FileWatch.changes(of: "\(directory.path)/c.json", on: queue).start { event in
            if let warning = event.value?.warning { warnings.withLock { $0.append(warning) } }
        }
        queue.sync {}
        watch.dispose()
        expect(warnings.withLock { $0.count }, is: 1)
        expect(warnings.withLock { $0.first?.hasSuffix(": Permission denied") }, is: true)
    }
}
