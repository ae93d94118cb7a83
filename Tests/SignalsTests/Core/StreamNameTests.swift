import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("StreamName")
struct StreamNameTests {
    private func text(_ name: StreamName) -> String {
        StreamName.description(of: Core<Int, Never>(rootNamed: name))
    }

    @Test("of a root is its text")
    func root() { expect(text(StreamName("pipe")), is: "pipe") }

    @Test("has its number in place of #, negative ones and several too")
    func number() {
        expect(text(StreamName("take: #", argument: 3)), is: "take: 3")
        expect(text(StreamName("x(#)-#", argument: -1)), is: "x(-1)--1")
    }

    @Test("has its duration in place of @")
    func duration() {
        expect(text(StreamName("delay: @", argument: 1_500_000_000)), is: "delay: 1.5 seconds")
    }

    @Test("of an operator follows the name upstream")
    func derived() {
        let root = Core<Int, Never>(rootNamed: StreamName("root"))
        let middle = Core<Int, Never>(name: StreamName("first", parent: root), upstream: root)
        let last = Core<Int, Never>(name: StreamName("second: #", argument: 2, parent: middle), upstream: middle)
        expect(StreamName.description(of: last), is: "[[root] -first] -second: 2")
        Signal(core: middle).named("given")
        expect(StreamName.description(of: last), is: "[given] -second: 2")
    }

    @Test("of an operator with several inputs lists them")
    func junction() {
        let a = Core<Int, Never>(rootNamed: StreamName("a"))
        let b = Core<Int, Never>(rootNamed: StreamName("b"))
        expect(text(StreamName("+merge:", parent: Junction([a, b]))), is: "+merge: (a, b)")
        expect(text(StreamName("+merge:", parent: Junction([SignalCore]()))), is: "+merge: ()")
    }

    @Test("of ten thousand stages needs no deep stack")
    func long() {
        onSmallStack("long name") {
            let root = Core<Int, Never>(rootNamed: StreamName("root"))
            var cores = [root]
            for _ in 0..<10_000 {
                // There is a last one.
                let last = cores.last!
                cores.append(Core(name: StreamName("map:", parent: last), upstream: last))
            }
            let text = StreamName.description(of: cores[10_000])
            #expect(text.hasPrefix("[[["))
            #expect(text.hasSuffix("] -map:] -map:"))
            expect(text.utf8.count, is: 10_000 * "[] -map:".utf8.count + 4)
            // From the end, so that no release runs down the chain.
            while cores.popLast() != nil {}
        }
    }
}
