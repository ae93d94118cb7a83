import Foundation
import ReactiveDiagnostics
import ReactiveSignals
import Testing
import TopProtocol
import TopViewer

@Suite("The screen of signals-top")
struct TopScreenTests {
    private func model() throws -> TopModel {
        let early = try Fixture.picture(
            time: 10,
            [
                Fixture.node(1, "property", "orders", changes: 100), Fixture.node(3, "start", "upload", age: 4),
            ])
        let late = try Fixture.picture(
            time: 12, warnings: [(1, "an event of orders #1 has been in flight for at least 2.0 s")],
            [
                Fixture.node(
                    1, "property", "orders", age: 700, file: "Shop/Orders.swift", changes: 900, waiting: 3, delivers: 2),
                Fixture.node(2, "operator", "map:", parents: [1]),
                Fixture.node(3, "start", "upload", age: 6),
                Fixture.node(4, "start", "upload", age: 1),
                Fixture.node(5, "buffer", "queue", parents: [2], depth: 70, limit: 100),
            ])
        return Fixture.model(early, late)
    }

    private func names(_ lines: [String]) -> [String] {
        lines.compactMap { line in ["orders", "map:", "upload", "queue"].first { line.contains($0) } }
    }

    @Test("shows the process, the warnings on top, and the streams by how many wait for them")
    func list() throws {
        let screen = try TopScreen(model(), TopState(), width: 80, height: 24)
        #expect(screen.lines[0].hasPrefix("shop (42)  up 12.0 s  5 streams  1 warning"))
        #expect(screen.lines[1] == "! an event of orders #1 has been in flight for at least 2.0 s")
        #expect(screen.lines[2].contains("WAIT*"))
        #expect(
            screen.lines[3] == "     #1 property     400  11 min       -     3   2.0 s orders (Orders.swift:7)")
        #expect(screen.lines[4].contains("map:") && !screen.lines[4].contains("0.0"))
        #expect(screen.highlighted == 3)
        #expect(screen.lines[23].hasPrefix("q quit"))
    }

    @Test("R begins a recording and ends it, and says why not")
    func recording() throws {
        var state = TopState()
        var model = try model()
        #expect(state.press(.character("R"), model) == nil && state.message == TopClient.cannotRecord)
        model = TopModel(TopProtocol.Greeting(process: 42, program: "shop", hasValues: false, canRecord: true))
        #expect(state.press(.character("R"), model) == .record)
        state.receive(TopProtocol.Recording(file: "/tmp/a", events: 1, bytes: 20, ending: nil))
        #expect(
            TopScreen(model, state, width: 80, height: 24).lines[23]
                == "recording to /tmp/a: 1 event, 20 bytes   (R: end it)")
        #expect(state.press(.character("R"), model) == .stopRecording)
        state.receive(TopProtocol.Recording(file: "/tmp/a", events: 2, bytes: 40, ending: "ended"))
        #expect(state.message == "recorded /tmp/a: 2 events, 40 bytes, ended")
        #expect(state.press(.character("R"), model) == .record)
    }

    @Test(
        "sorts by each key",
        arguments: [
            (SortKey.rate, ["orders", "map:", "upload", "upload", "queue"]),
            (.age, ["orders", "upload", "map:", "upload", "queue"]),
            (.depth, ["queue", "orders", "map:", "upload", "upload"]),
            (.waiting, ["orders", "map:", "upload", "upload", "queue"]),
        ])
    func sorts(key: SortKey, order: [String]) throws {
        let screen = try TopScreen(model(), TopState(sort: key), width: 80, height: 24)
        #expect(names(Array(screen.lines[3...])) == order)
    }

    @Test("fits every size, whatever is shown", arguments: [(80, 24), (20, 6), (1, 1), (200, 60), (79, 12)])
    func sizes(width: Int, height: Int) throws {
        let long = String(repeating: "商品 orders with a long name ", count: 30)
        let picture = try Fixture.picture(
            time: 2, warnings: (0..<20).map { (UInt64($0), long) },
            (0..<300).map { try Fixture.node($0, "signal", long, parents: $0 > 0 ? [$0 - 1] : []) })
        let model = Fixture.model(picture)
        var states = [TopState(), TopState(filter: "zzz"), TopState(isGrouped: true)]
        for view in [TopState.View.tree(7), .tree(999), .events(7), .warnings, .help] {
            states.append(TopState())
            states[states.count - 1].view = view
        }
        states[0].selection = 150
        for state in states {
            let screen = TopScreen(model, state, width: width, height: height)
            #expect(screen.lines.count == max(height, 6))
            for line in screen.lines { #expect(line.columnsForTest <= max(width, 20), "\(line)") }
        }
        #expect(TopScreen(model, states[0], width: width, height: height).highlighted != nil)
    }

    @Test("shows one warning of a kind about a stream on top, and all of them when asked")
    func warnings() throws {
        let texts = [(1, "first"), (1, "second"), (2, "third")].map { (node: UInt64($0), text: $1) }
        let model = try Fixture.model(Fixture.picture(time: 1, warnings: texts, [Fixture.node(1, "orders")]))
        var state = TopState()
        let list = TopScreen(model, state, width: 80, height: 24).lines
        #expect(Array(list[1...3]) == ["! first", "! third", "! and 1 more warning: press !"])
        #expect(state.press(.character("!"), model) == nil)
        let all = TopScreen(model, state, width: 80, height: 24).lines
        #expect(Array(all[1...4]) == ["! first", "+ second", "! third", ""])
        #expect(state.press(.escape, model) == nil && state.view == .list)
    }

    @Test("escapes control characters of names, everywhere")
    func escapes() throws {
        let name = "evil\u{1b}[2J\nname\u{202e}"
        let picture = try Fixture.picture(
            time: 1, warnings: [(1, name)], [Fixture.node(1, name, file: "A\u{7}.swift")])
        let model = Fixture.model(picture)
        var tree = TopState()
        tree.view = .tree(1)
        var events = TopState()
        events.view = .events(1)
        events.events = [.init(kind: .next, time: 1, text: name)]
        let screens = [TopState(filter: "evil\u{1b}"), TopState(), TopState(isGrouped: true), tree, events].map {
            TopScreen(model, $0, width: 120, height: 24).lines.joined()
        }
        for text in screens + [TopTable.once(model, TopState(), limit: 9).replacing("\n", with: "")] {
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .format })
        }
        for text in screens.dropFirst() { #expect(text.contains("\\u{1b}")) }
    }

    @Test("filters by name and file, and says if nothing passes")
    func filters() throws {
        var state = TopState(filter: "UPL")
        #expect(try names(Array(TopScreen(model(), state, width: 80, height: 24).lines[3...])) == ["upload", "upload"])
        state.filter = "Orders.swift"
        #expect(try names(Array(TopScreen(model(), state, width: 80, height: 24).lines[3...])) == ["orders"])
        state.filter = "nothing"
        #expect(try TopScreen(model(), state, width: 80, height: 24).lines.contains("no stream passes the filter"))
    }

    @Test("shows streams of the same name as one, with their number and how many more there are")
    func groups() throws {
        let screen = try TopScreen(model(), TopState(sort: .count, isGrouped: true), width: 120, height: 24)
        #expect(screen.lines[3] == "      2 start          -   6.0 s       -     0       -     +1 upload")
        let orders = screen.lines.first { $0.contains("orders (") }
        #expect(orders == "      1 property     400  11 min       -     3   2.0 s     +1 orders (Orders.swift:7)")
    }

    /// Starts of one producer, by their numbers.
    private func starts(_ ids: Range<UInt64>, time: Double) throws -> TopProtocol.Picture {
        try Fixture.picture(time: time, ids.map { try Fixture.node($0, "start", "session", file: "Shop/Main.swift") })
    }

    @Test("names streams of which there are many more than at first, and how many of the first have ended")
    func growth() throws {
        let model = try Fixture.model(starts(0..<10, time: 1), starts(4..<90, time: 2))
        let text = "session (Main.swift:7): 86 starts, 76 more than at first, when there were 10, of which 4 have ended"
        let screen = TopScreen(model, TopState(), width: 160, height: 24)
        #expect(screen.lines[1] == "! \(text): press n")
        #expect(TopTable.once(model, TopState(), limit: 1).contains("\ngrowing: \(text)\n"))
        var all = TopState()
        all.view = .warnings
        #expect(TopScreen(model, all, width: 160, height: 24).lines[1] == "! \(text)")
        let few = try Fixture.model(starts(0..<10, time: 1), starts(4..<33, time: 2))
        #expect(few.growing.isEmpty)
        let new = try Fixture.model(starts(0..<0, time: 1), starts(0..<20, time: 2))
        #expect(new.growing.map(\.growth) == ["session (Main.swift:7): 20 starts, 20 more than at first"])
    }

    @Test("hides the streams of the library, unless they are wanted or something is said about them")
    func library() throws {
        let picture = try Fixture.picture(
            time: 1, warnings: [(3, "slow")],
            [
                Fixture.node(1, "orders", file: "Shop/Orders.swift"),
                Fixture.node(2, "signal", file: "ReactiveActions/Action.swift"),
                Fixture.node(3, "property", file: "ReactiveSignalsMetrics/MetricCatalog.swift"),
                Fixture.node(4, "users", file: "ReactiveShop/Users.swift"), Fixture.node(5, "map:"),
                Fixture.node(6, "property", "condition"),
                Fixture.node(7, "property", "condition", file: "Shop/Orders.swift"),
            ])
        let model = Fixture.model(picture)
        var state = TopState(sort: .age)
        #expect(state.rows(model).map(\.id) == [1, 3, 4, 5, 7] && state.groups(model).count == 5)
        let header = TopScreen(model, state, width: 80, height: 24).lines[0]
        #expect(header == "shop (42)  up 1.0 s  7 streams  1 warning  2 hidden (l)")
        #expect(
            TopTable.once(model, state, limit: 9).contains("7 streams, 2 of the library hidden (--all shows them)\n"))
        #expect(TopReport(model, state, limit: 9).streams.count == 5)
        #expect(state.press(.character("l"), model) == nil)
        #expect(state.rows(model).map(\.id) == Array(1...7) && state == TopState(sort: .age, showsLibrary: true))
        #expect(!TopScreen(model, state, width: 80, height: 24).lines[0].contains("hidden"))
        #expect(!TopTable.once(model, state, limit: 9).contains("hidden"))
    }

    @Test("finds a stream by its place and by its number")
    func places() throws {
        let model = try model()
        #expect(TopState(filter: "orders.swift:7").rows(model).map(\.id) == [1])
        #expect(TopState(filter: "#5").rows(model).map(\.id) == [5])
    }

    @Test("selects the first row when the order changes")
    func selection() throws {
        let model = try model()
        for key in "radwng" {
            var state = TopState()
            state.selection = 2
            #expect(state.press(.character(key), model) == nil)
            #expect(state.selection == 0, "\(key)")
        }
    }

    @Test("says that a stream that is followed sends nothing")
    func silence() throws {
        var state = TopState()
        state.view = .events(1)
        #expect(
            try TopScreen(model(), state, width: 80, height: 24).lines.contains("no event since you follow this stream")
        )
    }

    @Test("as JSON keeps the streams that something is said about, and has groups instead if they are wanted")
    func report() throws {
        let nodes = try (0..<9).map { try Fixture.node($0, "start", "session") }
        let picture = try Fixture.picture(time: 1, warnings: [(8, "slow")], nodes)
        let later = try Fixture.picture(time: 2, warnings: [(8, "slow")], nodes)
        let model = Fixture.model(picture, later)
        let report = TopReport(model, TopState(), limit: 3)
        #expect(report.streams.map(\.id) == [8, 0, 1] && report.total == 9 && report.groups == nil)
        #expect(TopReport(model, TopState(), limit: 9).streams.map(\.id) == Array(0..<9))
        let groups = TopReport(model, TopState(isGrouped: true), limit: 3)
        #expect(groups.streams.isEmpty && groups.groups?.map(\.count) == [9])
        #expect(try groups.json().contains("\"name\" : \"session\""))
    }

    @Test("shows a stream with what it is derived from and what is derived from it")
    func tree() throws {
        var state = TopState()
        state.view = .tree(2)
        let screen = try TopScreen(model(), state, width: 140, height: 24)
        #expect(screen.lines[2].hasPrefix("  property orders #1 (Shop/Orders.swift:7), 11 min, 400/s, 900 changes"))
        #expect(screen.lines[2].contains("thread 0x7f10 delivers"))
        #expect(screen.lines[3].hasPrefix(">   operator map: #2"))
        #expect(screen.lines[4].hasPrefix("      buffer queue #5, 1.0 s, depth 70 of 100"))
        state.view = .tree(77)
        #expect(try TopScreen(model(), state, width: 80, height: 24).lines[2] == "the stream #77 has ended")
    }

    @Test("a tree says where a start was begun and where observers were added, without control characters")
    func treePlaces() throws {
        func place(_ file: String, _ line: Int) -> [String: Any] { ["fileID": file, "line": line] }
        var root = try Fixture.node(1, "orders")
        root["observers"] = 4
        root["observerPlaces"] = [
            ["place": place("Shop/Orders.swift", 12), "count": 3],
            ["place": place("Shop/\u{1b}.swift", 5), "count": 1],
        ]
        // Shown only if it is another place than that of the name.
        var starts = try (2...3).map {
            try Fixture.node($0, "start", "export", file: "Shop/Export.swift", parents: [1])
        }
        starts[0]["startPlace"] = place("Shop/Main.swift", 30)
        starts[1]["startPlace"] = place("Shop/Export.swift", 7)
        var state = TopState()
        state.view = .tree(1)
        let model = try Fixture.model(Fixture.picture(time: 1, [root] + starts))
        let screen = TopScreen(model, state, width: 140, height: 24)
        #expect(
            screen.lines.contains { $0.contains("4 observers at Shop/Orders.swift:12 (3) and Shop/\\u{1b}.swift:5") })
        #expect(
            screen.lines.contains { $0.contains("#2 (Shop/Export.swift:7)") && $0.contains("at Shop/Main.swift:30") })
        #expect(screen.lines.contains { $0.contains("#3 (Shop/Export.swift:7)") && !$0.contains("started") })
        let json = try TopReport(model, state, limit: 3).json()
        #expect(json.contains("Main.swift"))
    }

    @Test("a tree with a cycle ends")
    func cycle() throws {
        let picture = try Fixture.picture(
            time: 1, [Fixture.node(1, "a", parents: [2]), Fixture.node(2, "b", parents: [1])])
        var state = TopState()
        state.view = .tree(1)
        #expect(TopScreen(Fixture.model(picture), state, width: 80, height: 24).lines.count == 24)
    }

    @Test("keys sort, filter, select, open the tree, follow and quit")
    func keys() throws {
        let model = try model()
        var state = TopState()
        func press(_ bytes: String) -> [TopState.Action] {
            Key.keys(in: Array(bytes.utf8)).compactMap { state.press($0, model) }
        }
        #expect(press("a") == [] && state.sort == .age)
        #expect(press("/orq\u{7f}d\r") == [] && state.filter == "ord" && !state.isEditingFilter)
        #expect(press("\u{1b}") == [] && state.filter == "")
        #expect(press("rj\u{1b}[Bk\r") == [] && state.view == .tree(2))
        #expect(press("f") == [.follow(2)] && state.view == .events(2))
        state.receive(TopProtocol.Events(node: 2, items: [.init(kind: .next, time: 1)], dropped: 2))
        state.receive(TopProtocol.Events(node: 3, items: [.init(kind: .next, time: 1)], dropped: 2))
        #expect(state.events.count == 1 && state.dropped == 2)
        #expect(press("\u{1b}") == [.unfollow] && state.view == .list)
        #expect(press("\u{1b}[99~\u{1b}[A?") == [] && state.view == .help)
        #expect(press("q") == [.quit] && press("\u{3}") == [.quit])
    }

    @Test("keeps the last events only")
    func manyEvents() {
        var state = TopState()
        state.view = .events(1)
        for number in 0..<1_200 {
            state.receive(TopProtocol.Events(node: 1, items: [.init(kind: .next, time: Double(number))], dropped: 0))
        }
        #expect(state.events.count == TopState.eventLimit && state.events.last?.time == 1_199)
    }

    @Test("prints JSON for scripts")
    func json() throws {
        let text = try TopReport(model(), TopState(), limit: 2).json()
        let report = try JSONDecoder().decode(TopReport.self, from: Data(text.utf8))
        #expect(report.streams.map(\.name) == ["orders", "map:"] && report.total == 5)
        #expect(report.streams[0].rate == 400 && report.streams[0].delivers == 2 && report.streams[0].waiting == 3)
        #expect(report.warnings.map(\.stream) == [1] && report.process == 42)
    }

    @Test("keeps what looks wrong if there are more streams than are sent")
    func cut() throws {
        let nodes = try (1...50).map { try Fixture.node($0, "s\($0)") }
        let whole = try Fixture.picture(time: 1, warnings: [(40, "slow")], nodes)
        let cut = whole.cut(to: 10)
        #expect(cut.nodes.map(\.id) == Array(1...9) + [40] && cut.total == 50)
        #expect(whole.cut(to: 50) == whole)
    }
}

extension String {
    /// Counts characters of East Asia twice.
    fileprivate var columnsForTest: Int { reduce(0) { $0 + ($1 == "商" || $1 == "品" ? 2 : 1) } }
}
