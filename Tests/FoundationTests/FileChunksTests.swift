import Foundation
import Glibc
import ReactiveSignals
import ReactiveSignalsFoundation
import TestSupport
import Testing

/// Calls a static method of `FileHandle` with a file, or a method of a handle of the same file.
enum Way: CaseIterable {
    case handle, file

    func chunks(_ file: TemporaryFile, upTo limit: Int) throws -> SignalProducer<Data, SystemError> {
        switch self {
        case .handle: try file.handle().chunks(upTo: limit)
        case .file: FileHandle.chunks(of: file.url, upTo: limit)
        }
    }

    func lines(_ file: TemporaryFile) throws -> SignalProducer<String, SystemError> {
        switch self {
        case .handle: try file.handle().lines
        case .file: FileHandle.lines(of: file.url)
        }
    }
}

@Suite("chunks(upTo:)", .watched, .offThePool)
struct FileChunksTests {
    private static let text = "0123456789"

    @Test(
        "sends the bytes in order, in chunks of at most the limit, and completes", arguments: Way.allCases,
        [(1, 10), (3, 4), (5, 2), (9, 2), (10, 1), (11, 1), (.max, 1)])
    func chunks(way: Way, sizes: (limit: Int, count: Int)) async throws {
        let file = TemporaryFile(Self.text)
        let recording = try await way.chunks(file, upTo: sizes.limit).recorded().recording.ended()
        expect(recording.values.count, is: sizes.count)
        #expect(recording.values.allSatisfy { (1...sizes.limit).contains($0.count) })
        expect(String(decoding: recording.values.joined(), as: UTF8.self), is: Self.text)
        expect(recording.texts.last, is: "completed")
    }

    @Test("completes without a chunk for an empty file", arguments: Way.allCases)
    func empty(way: Way) async throws {
        let file = TemporaryFile("")
        expect(try await way.chunks(file, upTo: 5).recorded().recording.ended().texts, is: ["completed"])
    }

    @Test("sends a large file unchanged", arguments: Way.allCases)
    func large(way: Way) async throws {
        var random = SplitMix64(seed: 17)
        let words = (0..<375_000).map { _ in random.next() }
        let bytes = words.withUnsafeBytes { Data($0) } + [7]
        let file = TemporaryFile(bytes)
        let recording = try await way.chunks(file, upTo: 65_536).recorded().recording.ended()
        #expect(recording.values.reduce(into: Data()) { $0.append($1) } == bytes)
        expect(recording.values.count, is: 46)
    }

    @Test("opens a file at each start and reads it from its beginning")
    func startsOfFile() async {
        let file = TemporaryFile(Self.text)
        let producer = FileHandle.chunks(of: file.url, upTo: 100)
        expect(file.descriptors, is: 0)
        for _ in 0..<2 { expect(await producer.recorded().recording.ended().values, is: [Data(Self.text.utf8)]) }
        expect(producer.name, is: "chunks(of:upTo: 100)")
    }

    @Test("begins at the position of a handle, and moves it")
    func startsOfHandle() async throws {
        let file = TemporaryFile(Self.text)
        let handle = try file.handle()
        try handle.seek(toOffset: 4)
        let producer = handle.chunks(upTo: 3)
        let first = await producer.take(first: 1).recorded().recording.ended()
        expect(first.values, is: [Data("456".utf8)])
        // The first start may have read one chunk more, which it has dropped.
        let rest = await producer.recorded().recording.ended()
        #expect([["789"], []].contains(rest.values.map { String(decoding: $0, as: UTF8.self) }), "\(rest.texts)")
        expect(await producer.recorded().recording.ended().texts, is: ["completed"])
        expect(producer.name, is: "chunks(upTo: 3)")
    }

    @Test("fails with the system call for a file that does not exist, and for a directory")
    func failures() async throws {
        let missing = URL(filePath: "/nowhere/\(UUID().uuidString)")
        let recording = await FileHandle.chunks(of: missing, upTo: 5).recorded().recording.ended()
        expect(recording.error, is: SystemError(code: ENOENT, operation: "open"))
        expect(recording.events.count, is: 1)
        let directory = FileManager.default.temporaryDirectory
        expect(
            await FileHandle.chunks(of: directory, upTo: 5).recorded().recording.ended().error,
            is: SystemError(code: EISDIR, operation: "read"))
        expect(
            try await FileHandle(forReadingFrom: directory).lines.recorded().recording.ended().error,
            is: SystemError(code: EISDIR, operation: "read"))
    }

    @Test("fails for a handle that has been closed, and for one that is not open for reading")
    func unreadable() async throws {
        let closed = try TemporaryFile("a").handle()
        let producer = closed.chunks(upTo: 5)
        try closed.close()
        expect(await producer.recorded().recording.ended().error, is: SystemError(code: EBADF, operation: "fcntl"))
        let file = TemporaryFile("a")
        let writing = try FileHandle(forWritingTo: file.url)
        expect(
            await writing.chunks(upTo: 5).recorded().recording.ended().error,
            is: SystemError(code: EBADF, operation: "read"))
        let pipe = Pipe()
        expect(
            await pipe.fileHandleForWriting.chunks(upTo: 5).recorded().recording.ended().error,
            is: SystemError(code: EBADF, operation: "read"))
    }

    @Test("reads devices that cannot be waited for")
    func devices() async {
        let null = FileHandle.chunks(of: URL(filePath: "/dev/null"), upTo: 5)
        expect(await null.recorded().recording.ended().texts, is: ["completed"])
        let zeros = FileHandle.chunks(of: URL(filePath: "/dev/zero"), upTo: 1 << 40).take(first: 1)
        expect(await zeros.recorded().recording.ended().values.first?.count, is: 1 << 24)
    }

    // MARK: Pipes

    @Test("sends what a slow writer has written, without waiting for more, and completes when it closes")
    func slowWriter() async throws {
        let pipe = Pipe()
        let (recording, _) = pipe.fileHandleForReading.chunks(upTo: 4).recorded()
        for (index, text) in ["a", "bc", "def"].enumerated() {
            try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            expect(await recording.received(index + 1).values.last, is: Data(text.utf8))
        }
        try pipe.fileHandleForWriting.close()
        expect(await recording.ended().texts.last, is: "completed")
        // Retained until here: a handle closes its descriptor.
        withExtendedLifetime(pipe) {}
    }

    @Test("reads on through its copy if the handle is closed, and does not close the handle itself")
    func ownership() async throws {
        let pipe = Pipe()
        let name = target(of: pipe.fileHandleForReading)
        expect(descriptorCount(of: name), is: 2)
        let (recording, disposable) = pipe.fileHandleForReading.chunks(upTo: 4).recorded()
        // A copy for the reading, and while that waits, another one for the waiting.
        #expect((3...4).contains(descriptorCount(of: name)))
        try pipe.fileHandleForReading.close()
        try pipe.fileHandleForWriting.write(contentsOf: Data("ab".utf8))
        expect(await recording.received(1).values, is: [Data("ab".utf8)])
        disposable.dispose()
        expect(recording.texts.last, is: "interrupted")
        #expect(await eventually { descriptorCount(of: name) == 1 })

        let other = Pipe()
        let (second, _) = other.fileHandleForReading.chunks(upTo: 4).take(first: 1).recorded()
        try other.fileHandleForWriting.write(contentsOf: Data("a".utf8))
        await second.ended()
        #expect(await eventually { descriptorCount(of: target(of: other.fileHandleForReading)) == 2 })
        try other.fileHandleForWriting.write(contentsOf: Data("b".utf8))
        expect(try other.fileHandleForReading.read(upToCount: 1), is: Data("b".utf8))
    }

    @Test("is disposed of while it waits for a writer, and reads nothing afterwards")
    func disposalWhileWaiting() async throws {
        for _ in 0..<raceRounds {
            let pipe = Pipe()
            let name = target(of: pipe.fileHandleForReading)
            let (recording, disposable) = pipe.fileHandleForReading.chunks(upTo: 4).recorded()
            disposable.dispose()
            expect(recording.texts, is: ["interrupted"])
            #expect(await eventually { descriptorCount(of: name) == 2 })
            try pipe.fileHandleForWriting.write(contentsOf: Data("a".utf8))
            expect(try pipe.fileHandleForReading.read(upToCount: 1), is: Data("a".utf8))
        }
    }

    private func makeNamedPipe() -> URL {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        let url = folder.appending(path: "fifo-\(UUID().uuidString)")
        expect(mkfifo(url.path(), 0o600), is: 0)
        return url
    }

    @Test("is disposed of while it opens a named pipe, and closes it")
    func disposalWhileOpening() async throws {
        let url = makeNamedPipe()
        defer { unlink(url.path()) }
        // Lets everything open the pipe at once, and keeps it open.
        let descriptor = open(url.path(), O_RDWR | O_NONBLOCK)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data("a".utf8))
        for _ in 0..<raceRounds {
            let (recording, disposable) = FileHandle.chunks(of: url, upTo: 1).filter { _ in false }.recorded()
            disposable.dispose()
            expect(await recording.ended().texts, is: ["interrupted"])
        }
        #expect(await eventually { descriptorCount(of: url.path()) == 1 })
        withExtendedLifetime(handle) {}
    }

    @Test("waits for the writer of a named pipe")
    func namedPipe() async throws {
        // A pipe of its own: a start that has been disposed of opens it a moment later.
        let other = makeNamedPipe()
        defer { unlink(other.path()) }
        let (unused, disposable) = FileHandle.lines(of: other).recorded()
        disposable.dispose()
        expect(unused.texts, is: ["interrupted"])
        #expect(await eventually { descriptorCount(of: other.path()) == 0 })
        let url = makeNamedPipe()
        defer { unlink(url.path()) }
        let (recording, _) = FileHandle.lines(of: url).recorded()
        let writer = try FileHandle(forWritingTo: url)
        try writer.write(contentsOf: Data("a\nb".utf8))
        await recording.received(1)
        try writer.close()
        expect(await recording.ended().texts, is: ["a", "b", "completed"])
    }

    @Test("divides the bytes of a pipe between several starts, and loses none")
    func sharedPipe() async throws {
        let pipe = Pipe()
        let (first, _) = pipe.fileHandleForReading.chunks(upTo: 3).recorded()
        let (second, _) = pipe.fileHandleForReading.chunks(upTo: 3).recorded()
        let writer = pipe.fileHandleForWriting
        for number in 0..<raceRounds { try writer.write(contentsOf: Data([UInt8(truncatingIfNeeded: number)])) }
        try writer.close()
        let all = await (first.ended().values + second.ended().values).joined().sorted()
        expect(all, is: (0..<raceRounds).map { UInt8(truncatingIfNeeded: $0) }.sorted())
    }

    // MARK: Demand

    @Test("reads no further while a consumer has no room", arguments: Way.allCases)
    func backPressure(way: Way) async throws {
        let file = TemporaryFile(String(repeating: "x", count: 1_000))
        let read = Counter()
        let producer = try way.chunks(file, upTo: 1).on(next: { _ in read.increment() })
        var iterator = producer.values(buffering: .suspending(4)).makeAsyncIterator()
        for taken in 1...1_000 {
            let next = try await iterator.next()
            #expect(next?.count == 1)
            // What has been taken, what the buffer holds, and the one that is being read.
            #expect(read.value <= taken + 5)
        }
        let end = try await iterator.next()
        #expect(end == nil)
    }

    @Test("reads no further while the observer has not returned")
    func slowObserver() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("abcdef".utf8))
        let mayGoOn = Latch("the observer may go on")
        let log = Log<String>()
        let disposable = pipe.fileHandleForReading.chunks(upTo: 2).start { event in
            log.append(event.text)
            if log.count == 1 { mayGoOn.wait() }
        }
        #expect(await eventually { log.count == 1 })
        expect(try pipe.fileHandleForReading.read(upToCount: 2), is: Data("cd".utf8))
        mayGoOn.open()
        #expect(await eventually { log.count == 2 })
        disposable.dispose()
        #expect(await eventually { log.count == 3 })
    }

    // MARK: The end of a start

    @Test("has closed the file when the next producer begins")
    func closedBeforeNext() async {
        let file = TemporaryFile("a")
        let open = SignalProducer<Int, SystemError>.deferred { SignalProducer(value: file.descriptors) }
        let recording = FileHandle.chunks(of: file.url, upTo: 5).map { _ in -1 }.concat(open).recorded().recording
        expect(await recording.ended().values, is: [-1, 0])
        let failing = FileHandle.chunks(of: FileManager.default.temporaryDirectory, upTo: 5).map { _ in -1 }
        expect(await failing.flatMapError { _ in open }.recorded().recording.ended().values, is: [0])
    }

    @Test("leaves no descriptor after 10,000 starts that end in every way")
    func descriptors() async throws {
        let file = TemporaryFile("abc\ndef")
        let handle = try file.handle()
        let before = allDescriptors
        var open: [Recording<Data, SystemError>] = []
        for index in 0..<10_000 {
            let producer =
                index.isMultiple(of: 2) ? handle.chunks(upTo: 2) : FileHandle.chunks(of: file.url, upTo: 2)
            let (recording, disposable) = (index % 4 < 2 ? producer : producer.take(first: 1)).recorded()
            open.append(recording)
            switch index % 3 {
            case 0: disposable.dispose()
            case 1: await recording.ended()
            default: break
            }
            if open.count < 100 { continue }
            for recording in open { await recording.ended() }
            open = []
        }
        #expect(await eventually { file.descriptors == 1 }, "\(file.descriptors)")
        // Other tests have some open, but not one for every start.
        #expect(allDescriptors < before + 1_000)
        withExtendedLifetime(handle) {}
    }

    @Test("sends one terminal event and closes the file when disposal races with reading", arguments: Way.allCases)
    func disposalRace(way: Way) async throws {
        let file = TemporaryFile("abcdef")
        var outcomes: Set<String> = []
        for round in 0..<raceRounds {
            let (recording, disposable) = try way.chunks(file, upTo: 1).recorded()
            for _ in 0..<(round % 40) * 50 { _ = recording.hasEnded }
            disposable.dispose()
            let texts = await recording.ended().texts
            expect(Array(texts.dropLast()), is: Array(repeating: "1 bytes", count: texts.count - 1))
            outcomes.insert(texts.last ?? "")
        }
        #expect(await eventually { file.descriptors == 0 })
        #expect(outcomes.isSubset(of: ["interrupted", "completed"]))
    }

    @Test("releases the handle and the observer at the end and on disposal")
    func release() async throws {
        let population = Population()
        weak var handle: FileHandle?
        for disposes in [false, true] {
            let pipe = Pipe()
            handle = pipe.fileHandleForReading
            let member = population.member()
            let log = Log<String>()
            let disposable = pipe.fileHandleForReading.chunks(upTo: 5).start { event in
                member.touch()
                log.append(event.text)
            }
            if disposes { disposable.dispose() } else { try pipe.fileHandleForWriting.close() }
            #expect(await eventually { log.count == 1 })
        }
        #expect(await eventually { population.alive == 0 })
        #expect(await eventually { handle == nil })
    }

    @Test("traps unless the limit is positive, and unless the URL is that of a file")
    func traps() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FileHandle.standardInput.chunks(upTo: 0)
        }?.expectTrap("chunks(upTo: 0): the number of bytes must be positive")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FileHandle.chunks(of: URL(filePath: "/dev/null"), upTo: -1)
        }?.expectTrap("chunks(of:upTo: -1): the number of bytes must be positive")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            guard let url = URL(string: "https://swift.org") else { return }
            _ = FileHandle.chunks(of: url, upTo: 1)
        }?.expectTrap("chunks(of:upTo:): https://swift.org is not the URL of a file")
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            guard let url = URL(string: "https://swift.org") else { return }
            _ = FileHandle.lines(of: url)
        }?.expectTrap("lines(of:): https://swift.org is not the URL of a file")
    }
}
