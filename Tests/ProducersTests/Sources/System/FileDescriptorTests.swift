import Foundation
import Glibc
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// Two connected descriptors, which the test closes.
private struct Ends {
    let reading: Int32
    let writing: Int32

    private init(_ ends: [Int32]) {
        (reading, writing) = (ends[0], ends[1])
        signal(SIGPIPE, SIG_IGN)
    }

    static func pipe() -> Ends {
        var ends: [Int32] = [0, 0]
        precondition(Glibc.pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return Ends(ends)
    }

    static func sockets(_ kind: __socket_type = SOCK_STREAM) -> Ends {
        var ends: [Int32] = [0, 0]
        let flags = SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        precondition(socketpair(AF_UNIX, Int32(kind.rawValue | flags), 0, &ends) == 0)
        return Ends(ends)
    }

    func send(_ text: String) { expect(write(writing, text, text.utf8.count), is: text.utf8.count) }

    func closeWriting() { close(writing) }
    func closeReading() { close(reading) }

    /// Writes until nothing more fits.
    func fill() {
        let bytes = [UInt8](repeating: 0, count: 4096)
        while write(writing, bytes, bytes.count) > 0 {}
        while write(writing, bytes, 1) > 0 {}
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while read(reading, &bytes, bytes.count) > 0 {}
    }
}

/// The result of a call to `read`: the text, "end" or "nothing".
private func takeText(_ descriptor: Int32, upTo limit: Int = 4096) -> String {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = read(descriptor, &bytes, limit)
    if count < 0 { return errno == EAGAIN ? "nothing" : "error \(errno)" }
    return count == 0 ? "end" : String(decoding: bytes[..<count], as: UTF8.self)
}

private typealias Readable = SignalProducer<Int, SystemError>
private typealias Writable = SignalProducer<Void, SystemError>

extension SignalProducer where Value == Int, Failure == SystemError {
    /// Reads at most `limit` bytes at a time, and sends how many were available and the text.
    fileprivate func reading(_ descriptor: Int32, upTo limit: Int = 4096) -> SignalProducer<String, SystemError> {
        map { "\($0): \(takeText(descriptor, upTo: limit))" }
    }
}

@Suite("readable and writable", .watched)
struct FileDescriptorTests {
    @Test(
        "sends the number of readable bytes, once if all are read, and completes at the end", arguments: [true, false])
    func reading(isPipe: Bool) {
        let ends = isPipe ? Ends.pipe() : Ends.sockets()
        let (inbox, disposable) = Readable.readable(fileDescriptor: ends.reading).reading(ends.reading).startWaitably()
        for text in ["a", "bc", "def"] {
            ends.send(text)
            expect(inbox.next(), is: "\(text.count): \(text)")
        }
        ends.send("last")
        ends.closeWriting()
        expect(inbox.next(), is: "4: last")
        expect(inbox.next(), is: "0: end")
        expect(inbox.next(), is: "completed")
        #expect(disposable.isDisposed)
        #expect(inbox.rest.isEmpty)
        ends.closeReading()
    }

    @Test("sends again while bytes are left, even after the other end has been closed", arguments: [true, false])
    func levels(isPipe: Bool) {
        let ends = isPipe ? Ends.pipe() : Ends.sockets()
        ends.send("abcde")
        let producer = Readable.readable(fileDescriptor: ends.reading).reading(ends.reading, upTo: 2)
        let inbox = Inbox<String>()
        let mayGoOn = Latch("nobody lets the observer go on")
        producer.start { event in
            inbox.append(event.text)
            mayGoOn.wait()
        }
        expect(inbox.next(), is: "5: ab")
        ends.closeWriting()
        mayGoOn.open()
        expect(inbox.next(), is: "3: cd")
        expect(inbox.next(), is: "1: e")
        expect(inbox.next(), is: "0: end")
        expect(inbox.next(), is: "completed")
        ends.closeReading()
    }

    @Test("completes for a socket that is shut down in one direction, and remains writable in the other")
    func halfClosed() {
        let ends = Ends.sockets()
        let (inbox, _) = Readable.readable(fileDescriptor: ends.reading).reading(ends.reading).startWaitably()
        ends.send("ab")
        expect(inbox.next(), is: "2: ab")
        shutdown(ends.writing, Int32(SHUT_WR))
        expect(inbox.next(), is: "0: end")
        expect(inbox.next(), is: "completed")
        let (room, _) = Writable.writable(fileDescriptor: ends.reading).take(first: 1).startWaitably()
        expect(room.next(), is: "()")
        expect(room.next(), is: "completed")
        expect(write(ends.reading, "x", 1), is: 1)
        expect(takeText(ends.writing), is: "x")
        ends.closeReading()
        ends.closeWriting()
    }

    @Test("does not treat an empty datagram as the end")
    func datagrams() {
        let ends = Ends.sockets(SOCK_DGRAM)
        let (inbox, disposable) = Readable.readable(fileDescriptor: ends.reading).reading(ends.reading).startWaitably()
        Glibc.send(ends.writing, "", 0, 0)
        // Reading zero bytes looks like the end, but the producer does not complete.
        expect(inbox.next(), is: "0: end")
        ends.send("ab")
        expect(inbox.next(), is: "2: ab")
        disposable.dispose()
        expect(inbox.next(), is: "interrupted")
        ends.closeReading()
        ends.closeWriting()
    }

    @Test("sends for a listening socket when a client connects")
    func listening() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                expect(bind(listener, $0, length), is: 0)
                expect(listen(listener, 5), is: 0)
                expect(getsockname(listener, $0, &length), is: 0)
            }
        }
        let accepted = Inbox<Int32>()
        let disposable = Readable.readable(fileDescriptor: listener).start { event in
            if event.value == 0 { accepted.append(accept(listener, nil, nil)) }
        }
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { expect(connect(client, $0, length), is: 0) }
        }
        let server = accepted.next()
        #expect(server >= 0)
        disposable.dispose()
        for descriptor in [server, client, listener] { close(descriptor) }
    }

    @Test("sends when there is room to write, and completes when the reading end is closed", arguments: [true, false])
    func writing(isPipe: Bool) {
        let ends = isPipe ? Ends.pipe() : Ends.sockets()
        let first = Writable.writable(fileDescriptor: ends.writing).take(first: 1).startWaitably()
        expect(first.inbox.next(), is: "()")
        expect(first.inbox.next(), is: "completed")
        let inbox = Inbox<String>()
        let disposable = Writable.writable(fileDescriptor: ends.writing).start { event in
            if event.value != nil { ends.fill() }
            inbox.append(event.text)
        }
        expect(inbox.next(), is: "()")
        #expect(inbox.rest.isEmpty)
        ends.drain()
        expect(inbox.next(), is: "()")
        ends.closeReading()
        // Other events may precede the last one, as draining makes room step by step.
        expect(inbox.next(), is: "()")
        var event = inbox.next()
        while event == "()" { event = inbox.next() }
        expect(event, is: "completed")
        #expect(disposable.isDisposed)
        ends.closeWriting()
    }

    @Test("supports both directions of one descriptor, and several starts, concurrently")
    func both() {
        let ends = Ends.sockets()
        let reading = Readable.readable(fileDescriptor: ends.reading).reading(ends.reading).startWaitably()
        for _ in 0..<3 {
            let writing = Writable.writable(fileDescriptor: ends.reading).take(first: 1).startWaitably()
            expect(writing.inbox.next(), is: "()")
            expect(writing.inbox.next(), is: "completed")
            ends.send("ab")
            expect(reading.inbox.next(), is: "2: ab")
        }
        let other = Readable.readable(fileDescriptor: ends.reading).map { _ in "ready" }.take(first: 1).startWaitably()
        reading.disposable.dispose()
        expect(reading.inbox.next(), is: "interrupted")
        ends.send("c")
        expect(other.inbox.next(), is: "ready")
        expect(takeText(ends.reading), is: "c")
        ends.closeReading()
        ends.closeWriting()
    }

    @Test("holds no copy of the descriptor after disposal and closing")
    func closing() {
        let ends = Ends.pipe()
        let (inbox, disposable) = Readable.readable(fileDescriptor: ends.reading).startWaitably()
        disposable.dispose()
        ends.closeReading()
        expect(inbox.next(), is: "interrupted")
        // The other end is notified only once the copy is closed, too.
        let (writing, _) = Writable.writable(fileDescriptor: ends.writing)
            .filter { write(ends.writing, "x", 1) < 0 && errno == EPIPE }.take(first: 1).map { "closed" }
            .startWaitably()
        expect(writing.next(), is: "closed")
        ends.closeWriting()
    }

    @Test("fails for descriptors that cannot be polled")
    func failures() {
        func error<Value>(_ producer: SignalProducer<Value, SystemError>) -> SystemError? {
            let log = Log<SystemError>()
            producer.startWithError { log.append($0) }
            return log.all.first
        }
        let ends = Ends.pipe()
        expect(error(Readable.readable(fileDescriptor: -1)), is: SystemError(code: EBADF, operation: "fcntl"))
        expect(error(Writable.writable(fileDescriptor: 9_999)), is: SystemError(code: EBADF, operation: "fcntl"))
        expect(error(Readable.readable(fileDescriptor: ends.writing)), is: SystemError(code: EBADF, operation: "read"))
        expect(error(Writable.writable(fileDescriptor: ends.reading)), is: SystemError(code: EBADF, operation: "write"))
        let file = open("/proc/self/exe", O_RDONLY)
        expect(error(Readable.readable(fileDescriptor: file)), is: SystemError(code: EPERM, operation: "poll"))
        expect("\(SystemError(code: EBADF, operation: "fcntl"))", is: "fcntl: Bad file descriptor")
        close(file)
        ends.closeReading()
        ends.closeWriting()
    }

    @Test("fails for a directory and for a device that is always ready, and leaves no descriptor open")
    func refused() {
        func error(_ descriptor: Int32) -> SystemError? {
            let log = Log<SystemError>()
            Readable.readable(fileDescriptor: descriptor).startWithError { log.append($0) }
            return log.all.first
        }
        let directory = open("/proc/self", O_RDONLY)
        expect(error(directory), is: SystemError(code: EPERM, operation: "poll"))
        close(directory)

        let device = open("/dev/full", O_RDWR)
        let sets = descriptors { target, _ in target.contains("eventpoll") }.count
        for _ in 0..<300 { expect(error(device), is: SystemError(code: EPERM, operation: "epoll_ctl")) }
        expect(descriptors { target, _ in target == "/dev/full" }, is: [device])
        // Other tests have their own descriptors.
        #expect(descriptors { target, _ in target.contains("eventpoll") }.count < sets + 200)
        close(device)
    }

    @Test("opens its descriptors with close-on-exec")
    func inheritance() {
        let ends = Ends.pipe()
        let (_, disposable) = Readable.readable(fileDescriptor: ends.reading).startWaitably()
        let target = link(of: ends.reading)
        let copies = descriptors { other, _ in other == target }
            .filter { ![ends.reading, ends.writing].contains($0) }
        expect(copies.count, is: 1)
        let sets = descriptors { _, information in
            copies.contains { copy in
                information.split(separator: "\n").contains { line in
                    line.hasPrefix("tfd:") && line.split(separator: " ").dropFirst().first.map { Int32($0) } == copy
                }
            }
        }
        expect(sets.count, is: 1)
        for descriptor in copies + sets { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
        disposable.dispose()
        ends.closeReading()
        ends.closeWriting()
    }

    @Test("does nothing for a start that is already disposed of")
    func notBegun() {
        let log = Readable.readable(fileDescriptor: -1).startWithSignal { signal, disposable in
            disposable.dispose()
            return signal.logged()
        }
        expect(log.all, is: ["interrupted"])
    }

    @Test("releases the observer once it is disposed of or has ended", arguments: [true, false])
    func releases(isDisposed: Bool) {
        let ends = Ends.pipe()
        let released = Latch("the observer is held")
        let disposable: any Disposable
        do {
            let member = Population().member { released.open() }
            disposable = Readable.readable(fileDescriptor: ends.reading).start { _ in member.touch() }
        }
        ends.closeWriting()
        if isDisposed { disposable.dispose() }
        released.wait()
        ends.closeReading()
    }

    @Test("sends nothing after the end and holds nothing when starts, values and disposals race")
    func race() {
        let ends = Ends.sockets()
        let late = Counter()
        let deaths = Counter()
        let released = Latch("observers are held")
        ends.send("x")
        onThreads(2, "readable") { _ in
            for round in 0..<raceRounds {
                let member = Population().member { if deaths.increment() == 2 * raceRounds { released.open() } }
                let events = Log<String>()
                let begun = Inbox<Void>()
                let disposable = Readable.readable(fileDescriptor: ends.reading).start { event in
                    member.touch()
                    if events.all.contains("interrupted") { late.increment() }
                    events.append(event.text)
                    begun.append(())
                }
                if round % 2 == 0 { begun.next() }
                disposable.dispose()
            }
        }
        expect(late.value, is: 0)
        // The thread that was delivering releases the last ones.
        released.wait()
        ends.closeReading()
        ends.closeWriting()
    }
}
