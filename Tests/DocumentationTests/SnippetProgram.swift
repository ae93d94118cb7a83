import Foundation

/// A program of snippets. Each is a function in a separate file, compiled against the modules that the tests were
/// built with.
struct SnippetProgram {
    let snippets: [Snippet]

    /// A diagnostic of the compiler.
    struct Diagnostic: Equatable {
        let file: String
        let line: Int
        let message: String
    }

    /// The output of a snippet: printed lines, values of expressions, events of streams.
    enum Shown: Equatable {
        case line(String)
        case value(debug: String, plain: String)
        case moment(row: Int, Drawing.Moment)
        case failure(String)
    }

    // MARK: - Sources

    /// The text of a snippet's file. Its functions are named after the number.
    static func source(of snippet: Snippet, number: Int) throws(Diagram.Malformed) -> String {
        var imports = ["ReactiveSignals", "ReactiveSignalsTesting"] + Preludes.modules(of: snippet.file)
        var body: [String] = []
        var next = 0
        for (index, line) in (snippet.setup + snippet.lines).enumerated() where snippet.use != .marbles {
            // In a separate scope, as the snippet may declare names that another block has declared.
            if index == snippet.setup.count, snippet.use != .declarations { body.append("do {") }
            if line.text.hasPrefix("import ") {
                imports.append(String(line.text.dropFirst("import ".count)))
                continue
            }
            // Omits the import of the reader's module, which is another snippet of the page and part of this program.
            if line.text.hasPrefix("@testable import ") { continue }
            // Not before every line, as it must not be placed within an expression.
            if line.number != next { body.append("#sourceLocation(file: \"\(snippet.file)\", line: \(line.number))") }
            next = line.number + 1
            body.append(line.text == "@main" ? "" : code(of: line, in: snippet))
        }
        let head = imports.map { "import \($0)\n" }.joined()
        let function = "func snippet\(number)() \(snippet.isAsynchronous ? "async throws" : "throws") {\n"
        switch snippet.use {
        case .declarations:
            let call = snippet.program.map { "\(snippet.isAsynchronous ? "await " : "")\($0).main()" } ?? ""
            return head + body.joined(separator: "\n") + "\n\(function)\(call)\n}\n"
        case .mistake, .statements:
            return Preludes.declarations[snippet.file, default: ""] + head + function + body.joined(separator: "\n")
                + "\n}\n}\n"
        case .marbles:
            return try head + function + marbles(snippet) + "\n}\n"
        }
    }

    private static func code(of line: Snippet.Line, in snippet: Snippet) -> String {
        guard snippet.use == .statements else { return line.text }
        for case .value(_, line.number) in Expectation.stated(in: line) {
            guard let code = Expectation.comment(of: line.text)?.code else { continue }
            return "__show(\(code))"
        }
        return line.text
    }

    /// Each result is created separately, with its own inputs and clock.
    private static func marbles(_ snippet: Snippet) throws(Diagram.Malformed) -> String {
        let diagram = try Diagram(snippet)
        var text = ""
        for row in diagram.results {
            text += "do {\nlet clock = TestScheduler()\nlet marks = __Marks()\n"
            for input in diagram.inputs {
                let (type, literal) = input.drawing.element
                // In a comment on an operator, a stream can fail if an error is drawn, as in the operator's
                // declaration.
                let fails = input.drawing.fails || snippet.subject != nil && diagram.fails
                let failure = fails && input.subject != .property ? "X" : "Never"
                let function =
                    switch input.subject {
                    case .signal: "__hot"
                    case .producer: "__cold"
                    case .property: "__property"
                    }
                let steps = input.drawing.moments.map { moment in
                    switch moment.text {
                    case "|": "(\(moment.second), .completed)"
                    case "X": "(\(moment.second), .error(X()))"
                    case "!": "(\(moment.second), .interrupted)"
                    default: "(\(moment.second), .next(\(literal(moment.text))))"
                    }
                }
                let events = "[\(steps.joined(separator: ", "))] as [(Int, Event<\(type), \(failure)>)]"
                text += "let \(input.name) = \(function)(\(events), clock, marks)\n"
            }
            text += snippet.setup.map(\.text).joined(separator: "\n") + "\n"
            var expression = row.label.hasSuffix(":") ? String(row.label.dropLast()) : row.label
            if snippet.subject == .producer { expression = expression.replacing("Signal.", with: "SignalProducer.") }
            let marker = "__Marker(\(row.line), clock)"
            text += snippet.isAsynchronous ? "await clock.run {\n" : ""
            text += "#sourceLocation(file: \"\(snippet.file)\", line: \(row.line))\n"
            text += "\(snippet.isAsynchronous ? "await __drawTasks" : "__draw")"
            text += "(\(expression), \(marker), for: \(diagram.width + 20))\n"
            text += "\(snippet.isAsynchronous ? "}\n" : "")withExtendedLifetime(marks) {}\n}\n"
        }
        return text
    }

    /// Runs the snippets that have output. Marks on the standard output identify the snippet, and separate values
    /// from printed lines.
    private var main: String {
        var text = """
            #if canImport(Glibc)
            import Glibc
            #elseif canImport(Musl)
            import Musl
            #endif
            import ReactiveSignals
            import ReactiveSignalsTesting

            struct X: Error, Equatable, CustomStringConvertible { var description: String { "X" } }

            final class __Marks: Sendable { let kept = CompositeDisposable() }

            func __show(_ value: some Any) { print("\\u{1}value\\u{1}\\(String(reflecting: value))\\u{1}\\(value)") }

            func __hot<V: Sendable, F: Error>(_ events: [(Int, Event<V, F>)], _ clock: TestScheduler, _ marks: __Marks) -> Signal<V, F> {
                let (signal, input) = Signal<V, F>.pipe()
                marks.kept.add { withExtendedLifetime((signal, input)) {} }
                for (second, event) in events { clock.schedule(after: .seconds(second)) { input.send(event) } }
                return signal
            }

            func __cold<V: Sendable, F: Error>(_ events: [(Int, Event<V, F>)], _ clock: TestScheduler, _ marks: __Marks) -> SignalProducer<V, F> {
                SignalProducer { observer, lifetime in
                    for (second, event) in events {
                        if second == 0 { observer.send(event) } else {
                            lifetime += clock.schedule(after: .seconds(second)) { observer.send(event) }
                        }
                    }
                    lifetime.observeEnded { withExtendedLifetime(observer) {} }
                }
            }

            func __text(_ value: Any) -> String {
                switch value {
                case let value as Bool: value ? "t" : "f"
                default: "\\(value)".filter { $0 != " " && $0 != "\\"" }
                }
            }

            func __property<V: Sendable>(_ events: [(Int, Event<V, Never>)], _ clock: TestScheduler, _ marks: __Marks) -> Property<V> {
                guard case (0, .next(let first))? = events.first else { fatalError("a property has a value from the first column on") }
                let property = Property(initial: first, then: __cold(Array(events.dropFirst()), clock, marks))
                marks.kept.add { withExtendedLifetime(property) {} }
                return property
            }

            struct __Marker: Sendable {
                let (row, clock, start): (Int, TestScheduler, TestScheduler.Instant)
                let isOver = MutableProperty(false)

                init(_ row: Int, _ clock: TestScheduler) { (self.row, self.clock, self.start) = (row, clock, clock.now) }

                func mark(_ text: String) {
                    if isOver.value { return }
                    print("\\u{1}moment\\u{1}\\(row)\\u{1}\\(start.duration(to: clock.now).components.seconds)\\u{1}\\(text)")
                }

                func mark<V, F>(_ event: Event<V, F>) {
                    switch event {
                    case .next(let value): mark(__text(value))
                    case .completed: mark("|")
                    case .error: mark("X")
                    case .interrupted: mark("!")
                    }
                }
            }

            func __draw(_ stream: some SignalProducerConvertible, _ marker: __Marker, for seconds: Int) {
                let work = stream.producer.start { marker.mark($0) }
                marker.clock.advance(by: .seconds(seconds))
                marker.isOver.value = true
                work.dispose()
            }

            func __drawTasks(_ stream: some SignalProducerConvertible, _ marker: __Marker, for seconds: Int) async {
                let work = stream.producer.start { marker.mark($0) }
                await marker.clock.advance(by: .seconds(seconds))
                marker.isOver.value = true
                work.dispose()
            }

            // The loop takes ten seconds for each element.
            func __drawTasks<S: AsyncSequence & Sendable>(_ sequence: S, _ marker: __Marker, for seconds: Int) async {
                let loop = Task(executorPreference: marker.clock) {
                    do {
                        for try await element in sequence {
                            marker.mark(__text(element))
                            try await Task.sleep(for: .seconds(10), clock: marker.clock)
                        }
                        marker.mark("|")
                    } catch {
                        marker.mark("X")
                    }
                }
                await marker.clock.advance(by: .seconds(seconds))
                marker.isOver.value = true
                loop.cancel()
            }

            """
        for (number, snippet) in snippets.enumerated() where Self.isRun(snippet) {
            text += """
                print("\\u{1}snippet\\u{1}\(number)")
                fflush(nil)
                do { try \(snippet.isAsynchronous ? "await " : "")snippet\(number)() } catch { print("\\u{1}failure\\u{1}\\(error)") }

                """
        }
        return text + "print(\"\\u{1}end\")\nfflush(nil)\n"
    }

    /// Whether the snippet has output. A snippet that is only compiled may use values that are declared but never
    /// created.
    static func isRun(_ snippet: Snippet) -> Bool { snippet.use == .marbles || !snippet.expectations.isEmpty }

    // MARK: - Compiling and running

    /// Compiles all sources in one run. Returns the diagnostics and the location of the program.
    func compiled(in folder: URL) throws -> (errors: [Diagnostic], program: URL) {
        var files: [String] = []
        func add(_ text: String) throws {
            let file = folder.appending(path: "snippets\(files.count).swift")
            try text.write(to: file, atomically: false, encoding: .utf8)
            files.append(file.path())
        }
        let sources = try snippets.enumerated().map { number, snippet in
            (use: snippet.use, text: try Self.source(of: snippet, number: number) + "#sourceLocation()\n")
        }
        for source in sources where source.use != .marbles { try add(source.text) }
        // Drawings have no declarations at file level. Many of them compile faster in one file.
        let drawings = sources.filter { $0.use == .marbles }.map(\.text)
        for start in stride(from: 0, to: drawings.count, by: 25) {
            try add(drawings[start...].prefix(25).joined())
        }
        let main = folder.appending(path: "main.swift")
        try self.main.write(to: main, atomically: false, encoding: .utf8)
        let program = folder.appending(path: "snippets")
        let objects = try [
            "HotSignals", "ColdProducers", "ReactiveProperties", "ReactiveAsync", "ReactiveActions", "ReactiveSignals",
            "ReactiveDiagnostics", "ReactiveServer", "MemoizedSequences", "ReactiveSignalsTesting",
            "ReactiveSignalsFoundation", "ReactiveObservation",
        ]
        .flatMap(Products.objects(of:))
        // One compiler for all files: one per file takes three times as long.
        let modes = ["-Onone", "-whole-module-optimization", "-num-threads", "2"]
        let output = try Command.run(
            ["swiftc", "-o", program.path()] + modes + Products.options + files + [main.path()] + objects)
        return (Self.diagnostics(output.errors + output.text), program)
    }

    /// The compiler's diagnostics, without creating a program.
    func checked(in folder: URL) throws -> [Diagnostic] {
        var files: [String] = []
        for (number, snippet) in snippets.enumerated() {
            let file = folder.appending(path: "mistake\(number).swift")
            try Self.source(of: snippet, number: number).write(to: file, atomically: false, encoding: .utf8)
            files.append(file.path())
        }
        let output = try Command.run(["swiftc", "-typecheck"] + Products.options + files)
        return Self.diagnostics(output.errors + output.text)
    }

    /// The output of each snippet, by its number, if the program ran to its end.
    func run(_ program: URL) throws -> [Int: [Shown]] {
        let output = try Command.run([program.path()])
        var shown: [Int: [Shown]] = [:]
        var number = -1
        var hasEnded = false
        for line in output.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let parts = line.split(separator: "\u{1}", omittingEmptySubsequences: false).map(String.init)
            switch parts.count > 1 ? parts[1] : "" {
            case "snippet":
                number = Int(parts[2]) ?? -1
                shown[number] = []
            case "value": shown[number, default: []].append(.value(debug: parts[2], plain: parts[3]))
            case "failure": shown[number, default: []].append(.failure(parts[2]))
            case "moment":
                let moment = Drawing.Moment(second: Int(parts[3]) ?? -1, text: parts[4])
                shown[number, default: []].append(.moment(row: Int(parts[2]) ?? -1, moment))
            case "end": hasEnded = true
            default: shown[number, default: []].append(.line(String(line)))
            }
        }
        guard hasEnded else {
            let last = snippets.indices.contains(number) ? snippets[number].file : "the start"
            throw Ended(description: "the program ended in \(last): \(output.errors)")
        }
        return shown
    }

    struct Ended: Error, CustomStringConvertible {
        let description: String
    }

    static func diagnostics(_ output: String) -> [Diagnostic] {
        output.split(separator: "\n").compactMap { line in
            if line.hasPrefix("error: ") { return Diagnostic(file: "", line: 0, message: String(line)) }
            guard let mark = line.firstRange(of: ": error: ") else { return nil }
            let place = line[..<mark.lowerBound].split(separator: ":")
            guard place.count >= 2, let number = Int(place[1]) else { return nil }
            return Diagnostic(file: String(place[0]), line: number, message: String(line[mark.upperBound...]))
        }
    }
}
