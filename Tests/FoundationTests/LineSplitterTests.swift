import ReactiveSignalsFoundation
import TestSupport
import Testing

@Suite("LineSplitter")
struct LineSplitterTests {
    /// Adds bytes, and takes all complete lines.
    private func lengths(_ splitter: inout LineSplitter, adding text: String) -> [Int] {
        splitter.append(text.utf8)
        var lengths: [Int] = []
        while let line = splitter.takeLine() { lengths.append(line.count) }
        return lengths
    }

    @Test("releases the memory of a long line, whatever has arrived of the next one", arguments: ["", "ab"])
    func shrinks(beginning: String) {
        var splitter = LineSplitter()
        let chunk = String(repeating: "x", count: 65_536)
        for _ in 0..<100 { expect(lengths(&splitter, adding: chunk), is: []) }
        #expect(splitter.capacity >= 6_553_600)
        expect(lengths(&splitter, adding: "\n" + beginning), is: [6_553_600])
        #expect(splitter.capacity < 1_000)
        expect(lengths(&splitter, adding: "c\nd\n"), is: [beginning.count + 1, 1])
    }

    @Test("keeps its buffer while lines are short")
    func keeps() {
        var splitter = LineSplitter()
        let chunk = String(repeating: "x", count: 65_535) + "\n"
        expect(lengths(&splitter, adding: chunk), is: [65_535])
        #expect(splitter.capacity >= 65_536)
        expect(lengths(&splitter, adding: "a\nb"), is: [1])
        #expect(splitter.capacity >= 65_536)
    }
}
