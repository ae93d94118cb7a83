import Foundation
import ReactiveSignals
import ReactiveSignalsTop
import Testing

@Suite("signals-top in a terminal", .serialized)
struct TopTerminalTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("top.socket") }

    init() throws { directory = try TemporaryDirectory() }

    @Test("of 80 by 24: shows, filters, opens a tree, follows, adapts to a new size, and restores the terminal")
    func session() throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        let (orders, input) = Signal<Int, Never>.pipe()
        orders.named("scr-orders").filter { $0 > 0 }.observeNext { _ in }
        let session = try ScreenSession([path, "--interval", "0.1", "--sort", "age"], columns: 80, rows: 24)
        #expect(session.echoes)
        try session.wait { $0.contains("AGE*") && $0.lines[23].hasPrefix("q quit") }
        #expect(session.screen.isAlternate && !session.echoes)
        session.type("/scr-ord\r")
        try session.wait { $0.contains("(filter: scr") && $0.contains("scr-orders (") }
        #expect(session.screen.lines.allSatisfy { $0.count <= 80 })
        #expect(session.screen.highlighted != nil)

        session.type("\r")
        try session.wait { $0.contains("> signal scr-orders #") && $0.contains("operator filter: #") }
        session.type("f")
        // The first value after the observer of the viewer has been added shows.
        try session.wait { screen in
            input.sendNext(7)
            return screen.contains("events of scr-orders #") && screen.contains("  next")
        }
        #expect(!session.screen.contains("next 7"), "the server shows no values")
        session.type("\u{1b}")
        try session.wait { $0.contains("AGE*") }
        session.type("?")
        try session.wait { $0.contains("sort by rate, age, depth, waiting") }
        #expect(session.screen.lines[22] == "" || session.screen.lines[22].count <= 80)

        session.resize(columns: 100, rows: 30)
        try session.wait { $0.lines[29].hasPrefix("q quit") }
        session.type("q")
        #expect(try session.waitUntilEnd() == 0)
        #expect(session.echoes && !session.screen.isAlternate)
        #expect(session.output.contains("\u{1b}[?25h"), "the cursor is visible again")
        input.sendCompleted()
    }

    @Test("ends with an error and restores the terminal when the server closes, and ends on Ctrl-C")
    func ends() throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        let interrupted = try ScreenSession([path], columns: 80, rows: 24)
        try interrupted.wait { $0.lines[23].hasPrefix("q quit") }
        interrupted.type("\u{3}")
        #expect(try interrupted.waitUntilEnd() == 0)
        #expect(interrupted.echoes)

        let lost = try ScreenSession([path], columns: 80, rows: 24)
        try lost.wait { $0.lines[23].hasPrefix("q quit") }
        server.close()
        #expect(try lost.waitUntilEnd() == 1)
        #expect(lost.echoes && !lost.screen.isAlternate && lost.output.contains("signals-top: "))
    }

    @Test("a terminal that reads nothing does not slow the server or other viewers")
    func dead() async throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        let (ticks, input) = Signal<Int, Never>.pipe()
        ticks.named("scr-ticks").observeNext { _ in }
        // Nothing reads what it draws: the terminal fills up, and the program blocks.
        let dead = try ScreenSession([path, "--interval", "0.1"], columns: 200, rows: 60)
        try dead.wait { $0.lines[59].hasPrefix("q quit") }
        for number in 0..<200_000 { input.sendNext(number) }
        let session = try ScreenSession([path, "--interval", "0.1"], columns: 80, rows: 24)
        session.type("/scr-ticks\r")
        try session.wait { $0.contains("scr-ticks (") }
        session.type("q")
        #expect(try session.waitUntilEnd() == 0)
        input.sendCompleted()
        withExtendedLifetime(dead) {}
    }
}
