import Foundation
import Glibc
import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import TestSupport
import Testing

/// The tests run concurrently in one process, so each has its own signals. They are of the kind that the kernel
/// queues, so that none is lost.
@Suite("unixSignal", .watched)
struct UnixSignalTests {
    private typealias Signals = SignalProducer<Int32, Never>

    private static func ownSignal(_ number: Int32) -> Int32 { __libc_current_sigrtmin() + number }

    private static func send(_ signal: Int32) { kill(getpid(), signal) }

    /// Runs a body on a separate thread to which these signals can be delivered. The threads of the pool block all
    /// signals.
    private static func onOpenThread(_ signals: Int32..., body: @escaping @Sendable () -> Void) {
        TestThread("which takes signals") {
            var set = sigset_t()
            sigemptyset(&set)
            for signal in signals { sigaddset(&set, signal) }
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
            body()
        }.join()
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        address(of: signal) == unsafeBitCast(SIG_IGN, to: UInt.self)
    }
    private static func isDefault(_ signal: Int32) -> Bool {
        address(of: signal) == unsafeBitCast(SIG_DFL, to: UInt.self)
    }

    /// Whether the action becomes the default. The thread that delivers while a start is disposed of restores it.
    private static func becomesDefault(_ signal: Int32) -> Bool {
        becomesTrue { isDefault(signal) }
    }

    /// Like ``becomesDefault(_:)``.
    private static func becomesIgnored(_ signal: Int32) -> Bool {
        becomesTrue { isIgnored(signal) }
    }

    private static func address(of signal: Int32) -> UInt {
        var action = sigaction()
        sigaction(signal, nil, &action)
        return withUnsafeBytes(of: action) { $0.load(as: UInt.self) }
    }

    @Test("sends each delivery from the start until disposal, and restores the previous action")
    func deliveries() {
        let signal = Self.ownSignal(0)
        let producer = Signals.unixSignal(signal)
        #expect(Self.isDefault(signal))
        let (inbox, disposable) = producer.startWaitably()
        #expect(!Self.isDefault(signal))
        for _ in 0..<3 { Self.send(signal) }
        for _ in 0..<3 { expect(inbox.next(), is: "\(signal)") }
        disposable.dispose()
        expect(inbox.next(), is: "interrupted")
        #expect(Self.becomesDefault(signal))
        Glibc.signal(signal, SIG_IGN)
        let again = producer.startWaitably()
        Self.send(signal)
        expect(again.inbox.next(), is: "\(signal)")
        again.disposable.dispose()
        #expect(Self.becomesIgnored(signal))
        Self.send(signal)
        #expect(inbox.rest.isEmpty)
        expect(again.inbox.rest, is: ["interrupted"])
    }

    @Test("sends every start its signals, one or several, and keeps its action until the last disposal")
    func several() {
        let (first, second) = (Self.ownSignal(1), Self.ownSignal(2))
        let one = Signals.unixSignal(first).startWaitably()
        let same = Signals.unixSignal([first, first]).startWaitably()
        let both = Signals.unixSignal(first, second).startWaitably()
        Self.send(first)
        expect(one.inbox.next(), is: "\(first)")
        expect(same.inbox.next(), is: "\(first)")
        expect(both.inbox.next(), is: "\(first)")
        Self.send(second)
        expect(both.inbox.next(), is: "\(second)")
        one.disposable.dispose()
        same.disposable.dispose()
        #expect(!Self.isDefault(first))
        Self.send(first)
        expect(both.inbox.next(), is: "\(first)")
        both.disposable.dispose()
        #expect(Self.becomesDefault(first) && Self.becomesDefault(second))
        expect(one.inbox.rest, is: ["interrupted"])
        expect(same.inbox.rest, is: ["interrupted"])
    }

    @Test("sends signals in the order of their deliveries, also to a slow observer")
    func order() {
        let (first, second) = (Self.ownSignal(3), Self.ownSignal(4))
        let inbox = Inbox<Int32>()
        let mayGoOn = Latch("nobody lets the observer go on")
        let disposable = Signals.unixSignal(first, second).startWithNext { signal in
            mayGoOn.wait()
            inbox.append(signal)
        }
        let quick = Signals.unixSignal(first, second).startWaitably()
        var sent: [Int32] = []
        for signal in [first, second, second, first, second] {
            Self.send(signal)
            // The kernel delivers signals that are pending at the same time in the order of their numbers. The slow
            // start, which waits in its observer, does not delay the others.
            expect(quick.inbox.next(), is: "\(signal)")
            sent.append(signal)
        }
        mayGoOn.open()
        expect(sent.map { _ in inbox.next() }, is: sent)
        disposable.dispose()
        quick.disposable.dispose()
    }

    @Test("leaves an action that other code has set unchanged")
    func replaced() {
        let signal = Self.ownSignal(5)
        let disposable = Signals.unixSignal(signal).start()
        Glibc.signal(signal, SIG_IGN)
        disposable.dispose()
        #expect(Self.becomesIgnored(signal))
    }

    @Test("does not abort system calls that it interrupts")
    func restarts() {
        let signal = Self.ownSignal(6)
        let ends = Pipe()
        let (inbox, disposable) = Signals.unixSignal(signal).startWaitably()
        let threads = Inbox<pthread_t>()
        let result = Inbox<Int>()
        let reader = TestThread("reader") {
            // It inherits the mask of the thread that created it, which belongs to the process's pool.
            var mask = sigset_t()
            sigemptyset(&mask)
            sigaddset(&mask, signal)
            pthread_sigmask(SIG_UNBLOCK, &mask, nil)
            threads.append(pthread_self())
            var byte: UInt8 = 0
            result.append(read(ends.fileHandleForReading.fileDescriptor, &byte, 1))
        }
        let thread = threads.next()
        reader.waitUntilAsleep()
        pthread_kill(thread, signal)
        expect(inbox.next(), is: "\(signal)")
        var byte: UInt8 = 1
        expect(write(ends.fileHandleForWriting.fileDescriptor, &byte, 1), is: 1)
        expect(result.next(), is: 1)
        reader.join()
        disposable.dispose()
    }

    @Test("installs its handler with SA_ONSTACK and SA_RESTART")
    func handler() {
        let signal = Self.ownSignal(13)
        let (_, disposable) = Signals.unixSignal(signal).startWaitably()
        var action = sigaction()
        sigaction(signal, nil, &action)
        #expect(action.sa_flags & SA_ONSTACK != 0)
        #expect(action.sa_flags & SA_RESTART != 0)
        disposable.dispose()
        #expect(Self.becomesDefault(signal))
    }

    @Test("preserves the errno of the code that it interrupts")
    func errorNumber() async {
        // In a separate process, whose pipe the test closes so that the handler's write fails.
        await #expect(processExitsWith: .success) {
            Signals.unixSignal(SIGUSR1).start()
            let pipes = descriptors { target, _ in target.hasPrefix("pipe:") }.filter { $0 > 2 }
            for ends in Dictionary(grouping: pipes, by: { link(of: $0) }).values where ends.count == 2 {
                for end in ends { close(end) }
            }
            Self.onOpenThread(SIGUSR1) {
                errno = ENOTTY
                raise(SIGUSR1)
                if errno != ENOTTY { fatalError("errno has become \(errno)") }
            }
            exit(0)
        }
    }

    @Test("does not send a start deliveries from before it")
    func before() {
        let (former, later) = (Self.ownSignal(14), Self.ownSignal(15))
        let (others, first) = Signals.unixSignal(former).startWaitably()
        Self.onOpenThread(former, later) {
            for _ in 0..<500 {
                raise(former)
                let (inbox, second) = Signals.unixSignal(former, later).startWaitably()
                raise(later)
                expect(inbox.next(), is: "\(later)")
                second.dispose()
                expect(others.next(), is: "\(former)")
            }
        }
        first.dispose()
        #expect(Self.becomesDefault(former))
        #expect(Self.becomesDefault(later))
    }

    @Test("opens its pipe with close-on-exec")
    func inheritance() {
        let (_, disposable) = Signals.unixSignal(Self.ownSignal(16)).startWaitably()
        // The non-blocking pipes are the library's, or belong to the tests of readable and writable.
        let pipes = descriptors { target, _ in target.hasPrefix("pipe:") }
        let bothEnds = Dictionary(grouping: pipes) { link(of: $0) }.values.filter { ends in
            ends.count == 2
                && ends.allSatisfy { fcntl($0, F_GETFL) & O_NONBLOCK != 0 && fcntl($0, F_GETFD) & FD_CLOEXEC != 0 }
        }
        #expect(!bothEnds.isEmpty)
        disposable.dispose()
    }

    @Test("does nothing for a start that is already disposed of")
    func notBegun() {
        let signal = Self.ownSignal(7)
        let log = Signals.unixSignal(signal).startWithSignal { signal, disposable in
            disposable.dispose()
            return signal.logged()
        }
        expect(log.all, is: ["interrupted"])
        #expect(Self.becomesDefault(signal))
    }

    @Test("can be disposed of during a delivery, and releases the observer")
    func inside() {
        let signal = Self.ownSignal(8)
        let population = Population()
        let inbox = Inbox<String>()
        let released = Latch("the observer is held")
        do {
            let member = population.member { released.open() }
            Signals.unixSignal(signal).take(first: 1).start { event in
                member.touch()
                inbox.append(event.text)
            }
        }
        expect(population.alive, is: 1)
        Self.send(signal)
        expect(inbox.next(), is: "\(signal)")
        expect(inbox.next(), is: "completed")
        released.wait()
        #expect(Self.becomesDefault(signal))
    }

    @Test("neither loses nor invents a delivery while other starts begin and end")
    func race() {
        let signal = Self.ownSignal(9)
        let permanent = Counter()
        let rounds = raceRounds
        let all = Latch("deliveries are lost")
        let disposable = Signals.unixSignal(signal).startWithNext { _ in
            if permanent.increment() == rounds { all.open() }
        }
        let strangers = Counter()
        onThreads(3, "unixSignal") { index in
            for _ in 0..<rounds {
                if index == 0 {
                    Self.send(signal)
                } else {
                    let start = Signals.unixSignal(signal).start { event in
                        if let value = event.value, value != signal { strangers.increment() }
                    }
                    start.dispose()
                }
            }
        }
        all.wait()
        disposable.dispose()
        expect(permanent.value, is: rounds)
        expect(strangers.value, is: 0)
        #expect(Self.becomesDefault(signal))
    }

    @Test("restores the previous action when starts, disposals and deliveries race")
    func restoringRace() {
        let signal = Self.ownSignal(10)
        // A signal that arrives in between must not terminate the process.
        Glibc.signal(signal, SIG_IGN)
        let late = Counter()
        onThreads(3, "unixSignal") { index in
            for _ in 0..<raceRounds {
                if index == 0 { Self.send(signal) }
                let isOver = AtomicBox()
                let start = Signals.unixSignal(signal).start { event in
                    if event.isTerminating { isOver.flag.raise() } else if isOver.flag.isRaised { late.increment() }
                }
                start.dispose()
            }
        }
        expect(late.value, is: 0)
        #expect(Self.becomesIgnored(signal))
        let (inbox, disposable) = Signals.unixSignal(signal).startWaitably()
        Self.send(signal)
        expect(inbox.next(), is: "\(signal)")
        disposable.dispose()
    }

    private final class AtomicBox: Sendable {
        let flag = AtomicFlag()
    }

    @Test("keeps the signal from terminating the process until it is disposed of")
    func ends() async {
        await #expect(processExitsWith: .exitCode(3)) {
            let inbox = Inbox<Int32>()
            let disposable = Signals.unixSignal(SIGTERM).startWithNext { inbox.append($0) }
            kill(getpid(), SIGTERM)
            _ = inbox.next()
            withExtendedLifetime(disposable) {}
            exit(3)
        }
        await #expect(processExitsWith: .signal(SIGTERM)) {
            Signals.unixSignal(SIGTERM).start().dispose()
            // Not `raise`: the threads of the process's pool block all signals. Another thread receives it
            // eventually.
            kill(getpid(), SIGTERM)
            Latch("the process is not ended").wait()
        }
    }

    @Test("traps for invalid signals and signals that cannot be handled")
    func mistakes() async throws {
        let none = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signals.unixSignal()
        }
        none.expectTrap("unixSignal(): there must be")
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signals.unixSignal(0)
        }
        zero.expectTrap("unixSignal(0)")
        let unknown = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signals.unixSignal(SIGTERM, 999)
        }
        unknown.expectTrap("unixSignal(999)")
        let kill = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signals.unixSignal(SIGKILL)
        }
        kill.expectTrap("unixSignal(\(SIGKILL))")
        let stop = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signals.unixSignal([SIGSTOP])
        }
        stop.expectTrap("unixSignal(\(SIGSTOP))")
        let fault = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signals.unixSignal(SIGSEGV)
        }
        fault.expectTrap("unixSignal(\(SIGSEGV))")
    }

    @Test("is named after its signal")
    func name() {
        #expect("\(Signals.unixSignal(SIGTERM))".contains("unixSignal: 15"))
    }
}
