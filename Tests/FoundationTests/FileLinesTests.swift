import Foundation
import ReactiveSignals
import ReactiveSignalsFoundation
import TestSupport
import Testing

@Suite("lines", .watched, .offThePool)
struct FileLinesTests {
    @Test(
        "divides at line feeds, with or without a carriage return",
        arguments: Way.allCases,
        [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n", [""]), ("\n\n", ["", ""]),
            ("a\n\nb\n", ["a", "", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("\r\n", [""]), ("a\rb\n", ["a\rb"]),
            ("a\r\r\n", ["a\r"]), ("a\r", ["a\r"]), ("\u{FEFF}a\n", ["\u{FEFF}a"]),
            ("a\u{2028}b\u{85}c", ["a\u{2028}b\u{85}c"]),
            ("a\0b\n", ["a\0b"]), ("é\n😀\n", ["é", "😀"]),
        ] as [(String, [String])])
    func lines(way: Way, example: (text: String, lines: [String])) async throws {
        let file = TemporaryFile(example.text)
        let recording = try await way.lines(file).recorded().recording.ended()
        // Not as strings, which are equal if they are canonically equivalent.
        expect(recording.values.map { Array($0.utf8) }, is: example.lines.map { Array($0.utf8) })
        expect(recording.texts.last, is: "completed")
    }

    @Test("replaces bytes that are not UTF-8")
    func invalidBytes() async {
        let file = TemporaryFile(Data([0x61, 0xFF, 0x0A, 0xC3, 0x0A, 0x62, 0xE2, 0x82]))
        let recording = await FileHandle.lines(of: file.url).recorded().recording.ended()
        expect(recording.values, is: ["a\u{FFFD}", "\u{FFFD}", "b\u{FFFD}"])
    }

    @Test("finds the same lines however the bytes are divided, and whatever has arrived")
    func anyDivision() async throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<20 {
            let pipe = Pipe()
            let (recording, _) = pipe.fileHandleForReading.lines.recorded()
            var expected: [String] = []
            var bytes: [UInt8] = []
            for _ in 0..<200 {
                let line = String(repeating: "é", count: random.number(in: 0...3))
                expected.append(line)
                bytes += Array(line.utf8) + Array((random.once(in: 2) ? "\n" : "\r\n").utf8)
            }
            while !bytes.isEmpty {
                let count = min(bytes.count, random.number(in: 1...5))
                try pipe.fileHandleForWriting.write(contentsOf: Data(bytes.prefix(count)))
                bytes.removeFirst(count)
            }
            try pipe.fileHandleForWriting.close()
            expect(await recording.ended().values, is: expected)
        }
    }

    @Test("sends lines that are longer than what is read at once, and lines at its borders")
    func longLines() async {
        let lengths = [65_534, 65_535, 65_536, 65_537, 131_072, 1, 0, 3_000_000, 65_535]
        let text = lengths.map { String(repeating: "x", count: $0) }.joined(separator: "\r\n")
        let file = TemporaryFile(text)
        let recording = await FileHandle.lines(of: file.url).recorded().recording.ended()
        expect(recording.values.map(\.utf8.count), is: lengths)
    }

    @Test("takes time in proportion to the length of a line", .notUnderSanitizers)
    func longestLine() async {
        let file = TemporaryFile(Data(repeating: 0x78, count: 50_000_000))
        expect(
            await FileHandle.lines(of: file.url).recorded().recording.ended().values.map(\.utf8.count), is: [50_000_000]
        )
    }

    @Test("sends a line as soon as it is complete")
    func slowWriter() async throws {
        let pipe = Pipe()
        let writer = pipe.fileHandleForWriting
        let (recording, disposable) = pipe.fileHandleForReading.lines.recorded()
        try writer.write(contentsOf: Data("a\nb".utf8))
        expect(await recording.received(1).values, is: ["a"])
        try writer.write(contentsOf: Data("c\r".utf8))
        try writer.write(contentsOf: Data("\nd".utf8))
        expect(await recording.received(2).values, is: ["a", "bc"])
        disposable.dispose()
        expect(recording.texts, is: ["a", "bc", "interrupted"])
    }

    @Test("sends the next line when the consumer has room", arguments: Way.allCases)
    func backPressure(way: Way) async throws {
        let file = TemporaryFile((0..<1_000).map { "\($0)\n" }.joined())
        let sent = Counter()
        let producer = try way.lines(file).on(next: { _ in sent.increment() })
        var taken = 0
        for try await line in producer.values(buffering: .suspending(4)) {
            expect(line, is: "\(taken)")
            taken += 1
            #expect(sent.value <= taken + 5)
        }
        expect(taken, is: 1_000)
    }

    @Test("is not computed further than needed")
    func takeFirst() async {
        let file = TemporaryFile((0..<100_000).map { "\($0)\n" }.joined())
        let sent = Counter()
        let producer = FileHandle.lines(of: file.url).on(next: { _ in sent.increment() }).take(first: 2)
        expect(await producer.recorded().recording.ended().texts, is: ["0", "1", "completed"])
        #expect(await eventually { file.descriptors == 0 })
        expect(sent.value, is: 2)
    }

    @Test("reads a large file line by line in another start's time", arguments: Way.allCases)
    func manyLines(way: Way) async throws {
        let count = Sanitizer.current == nil ? 100_000 : 10_000
        let file = TemporaryFile((0..<count).map { "line \($0)\n" }.joined())
        let starts = try (0..<4).map { _ in try way.lines(file).count().recorded().recording }
        for start in starts { expect(await start.ended().values, is: [count]) }
        #expect(await eventually { file.descriptors == 0 })
    }

    @Test("drops the incomplete line when reading fails, and when it is disposed of")
    func incomplete() async throws {
        let recording = try FileHandle(forReadingFrom: FileManager.default.temporaryDirectory).lines.recorded()
            .recording
        expect(await recording.ended().values, is: [])
        let pipe = Pipe()
        let (lines, disposable) = pipe.fileHandleForReading.lines.recorded()
        try pipe.fileHandleForWriting.write(contentsOf: Data("a\nincomplete".utf8))
        await lines.received(1)
        disposable.dispose()
        expect(lines.texts, is: ["a", "interrupted"])
        expect(FileHandle.standardInput.lines.name, is: "lines")
        expect(FileHandle.lines(of: URL(filePath: "/dev/null")).name, is: "lines(of:)")
    }
}
