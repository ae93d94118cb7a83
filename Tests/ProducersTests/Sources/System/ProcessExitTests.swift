import Foundation
import Glibc
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import TestSupport
import Testing

@Suite("processExit", .watched)
struct ProcessExitTests {
    private typealias Exit = SignalProducer<ProcessExit, SystemError>

    /// Starts a child that runs a script.
    private static func spawn(_ script: String) -> pid_t {
        var pid: pid_t = 0
        let arguments = ["/bin/sh", "-c", script].map { (text: String) in strdup(text) }
        defer { for argument in arguments { free(argument) } }
        precondition(posix_spawn(&pid, "/bin/sh", nil, nil, arguments + [nil], environ) == 0)
        return pid
    }

    /// Collects the status as the parent does, after which nobody else can.
    private static func wait(_ pid: pid_t) -> Int32 {
        var status: Int32 = 0
        return waitpid(pid, &status, 0) == pid ? status : -1
    }

    /// Returns when the child has ended, without collecting its status.
    private static func waitUntilEnded(_ pid: pid_t) {
        var information = siginfo_t()
        waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT)
    }

    @Test("sends the exit code, completes, and leaves the status for the parent to collect", arguments: [0, 7])
    func code(code: Int32) {
        let pid = Self.spawn("exit \(code)")
        let (inbox, disposable) = Exit.processExit(pid: pid).startWaitably()
        expect(inbox.next(), is: "exited(code: \(code))")
        expect(inbox.next(), is: "completed")
        #expect(disposable.isDisposed)
        expect(Self.wait(pid), is: code << 8)
    }

    @Test("sends the signal that terminated the process")
    func signal() {
        let pid = Self.spawn("exec sleep 1000")
        let (inbox, _) = Exit.processExit(pid: pid).startWaitably()
        #expect(inbox.rest.isEmpty)
        kill(pid, SIGKILL)
        expect(inbox.next(), is: "signaled(9)")
        expect(inbox.next(), is: "completed")
        expect(Self.wait(pid), is: SIGKILL)
    }

    @Test("sends the signal of a process that dumped core, if the system allows core dumps")
    func dumped() {
        let directory = NSTemporaryDirectory() + "dumped-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let pid = Self.spawn("cd '\(directory)'; ulimit -c unlimited; kill -SEGV $$")
        let (inbox, _) = Exit.processExit(pid: pid).startWaitably()
        expect(inbox.next(), is: "signaled(11)")
        expect(inbox.next(), is: "completed")
        expect(Self.wait(pid) & 0x7f, is: SIGSEGV)
    }

    @Test("leaves no descriptor open after the end or disposal", arguments: [true, false])
    func closes(isDisposed: Bool) {
        let pid = Self.spawn("exec sleep 1000")
        let watches = { descriptors { _, information in information.contains("Pid:\t\(pid)\n") }.count }
        let (inbox, disposable) = Exit.processExit(pid: pid).startWaitably()
        expect(watches(), is: 1)
        if isDisposed { disposable.dispose() }
        kill(pid, SIGKILL)
        if !isDisposed { while inbox.next() != "completed" {} }
        // The source's queue closes it a moment later.
        #expect(becomesTrue { watches() == 0 })
        _ = Self.wait(pid)
    }

    @Test("notifies several starts, even after the process has ended, until the parent collects the status")
    func several() {
        let pid = Self.spawn("exit 3")
        let producer = Exit.processExit(pid: pid)
        let starts = (0..<3).map { _ in producer.startWaitably() }
        Self.waitUntilEnded(pid)
        for start in starts + [producer.startWaitably()] {
            expect(start.inbox.next(), is: "exited(code: 3)")
            expect(start.inbox.next(), is: "completed")
        }
        expect(Self.wait(pid), is: 3 << 8)
        let late = producer.startWaitably()
        expect(late.inbox.next(), is: "error pidfd_open: No such process")
    }

    @Test("sends no status for a process that is not a child")
    func stranger() throws {
        let output = Pipe()
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "sleep 1000 >/dev/null 2>&1 & echo $!"]
        shell.standardOutput = output
        try shell.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let pid = try #require(Int32(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        let (inbox, _) = Exit.processExit(pid: pid).startWaitably()
        kill(pid, SIGKILL)
        expect(inbox.next(), is: "unknown")
        expect(inbox.next(), is: "completed")
        shell.waitUntilExit()
    }

    @Test("fails if there is no such process")
    func failure() {
        expect(Exit.processExit(pid: 0).logged().all, is: ["error pidfd_open: Invalid argument"])
        expect(Exit.processExit(pid: .max).logged().all, is: ["error pidfd_open: No such process"])
    }

    @Test("on disposal leaves the process running, and releases the observer")
    func disposal() {
        let pid = Self.spawn("exec sleep 1000")
        let released = Latch("the observer is held")
        let inbox = Inbox<String>()
        let disposable: any Disposable
        do {
            let member = Population().member { released.open() }
            disposable = Exit.processExit(pid: pid).start { event in
                member.touch()
                inbox.append(event.text)
            }
        }
        disposable.dispose()
        expect(inbox.next(), is: "interrupted")
        released.wait()
        expect(kill(pid, 0), is: 0)
        kill(pid, SIGKILL)
        expect(Self.wait(pid), is: SIGKILL)
        #expect(inbox.rest.isEmpty)
    }

    @Test("ends once, with no value after it, when the end of the process races with disposal")
    func race() {
        let pid = Self.spawn("exit 5")
        Self.waitUntilEnded(pid)
        let wrong = Counter()
        onThreads(2, "processExit") { index in
            for round in 0..<raceRounds {
                let log = Log<String>()
                let ended = Latch("no end")
                let disposable = Exit.processExit(pid: pid).start { event in
                    log.append(event.text)
                    if event.isTerminating { ended.open() }
                }
                if (round + index) % 2 == 0 { disposable.dispose() }
                ended.wait()
                let isRight =
                    [["exited(code: 5)", "completed"], ["interrupted"], ["exited(code: 5)", "interrupted"]]
                    .contains(log.all)
                if !isRight { wrong.increment() }
            }
        }
        expect(wrong.value, is: 0)
        expect(Self.wait(pid), is: 5 << 8)
    }
}
