import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("StreamName")
struct StreamNameTests {
    private func text(_ name: StreamName) -> String {
        StreamName.description(of: Core<Int, Never>(rootNamed: name))
    }

    @Test("is the text for a root")
    func root() { expect(text(StreamName("pipe")), is: "pipe") }

    @Test("replaces # with its number, including negative numbers and several occurrences")
    func number() {
        expect(text(StreamName("take: #", argument: 3)), is: "take: 3")
        expect(text(StreamName("x(#)-#", argument: -1)), is: "x(-1)--1")
    }

    @Test("replaces @ with its duration")
    func duration() {
        expect(text(StreamName("delay: @", argument: 1_500_000_000)), is: "delay: 1.5 seconds")
    }

    @Test("appends an operator to the upstream name")
    func derived() {
        let root = Core<Int, Never>(rootNamed: StreamName("root"))
        let middle = Core<Int, Never>(name: StreamName("first", parent: root), upstream: root)
        let last = Core<Int, Never>(name: StreamName("second: #", argument: 2, parent: middle), upstream: middle)
        expect(StreamName.description(of: last), is: "[[root] -first] -second: 2")
        Signal(core: middle).named("given")
        expect(StreamName.description(of: last), is: "[given] -second: 2")
    }

    @Test("lists the inputs of an operator that has several")
    func inputs() {
        let a = Core<Int, Never>(rootNamed: StreamName("a"))
        let b = Core<Int, Never>(rootNamed: StreamName("b"))
        expect(text(StreamName("+merge:", parent: OperatorInputs([a, b]))), is: "+merge: (a, b)")
        expect(text(StreamName("+merge:", parent: OperatorInputs([SignalCore]()))), is: "+merge: ()")
    }

    @Test("does not deepen the stack for ten thousand stages")
    func long() {
        onSmallStack("long name") {
            let root = Core<Int, Never>(rootNamed: StreamName("root"))
            var cores = [root]
            for _ in 0..<10_000 {
                // There is a last element.
                let last = cores.last!
                cores.append(Core(name: StreamName("map:", parent: last), upstream: last))
            }
            let text = StreamName.description(of: cores[10_000])
            #expect(text.hasPrefix("[[["))
            #expect(text.hasSuffix("] -map:] -map:"))
            expect(text.utf8.count, is: 10_000 * "[] -map:".utf8.count + 4)
            // Releases from the end, so that releasing does not recurse along the chain.
            while cores.popLast() != nil {}
        }
    }
}
