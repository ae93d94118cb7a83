import TestSupport
import Testing

@Suite("A drawing")
struct DrawingTests {
    private func moments(_ text: String) throws -> [String] { try Drawing(text).moments.map(\.description) }

    @Test("has the time of each event")
    func moments() throws {
        #expect(try moments("--1--a--|") == ["2: 1", "5: a", "8: |"])
        #expect(try moments("1-X") == ["0: 1", "2: X"])
        #expect(try moments("") == [])
    }

    @Test("treats adjacent events as simultaneous")
    func together() throws {
        #expect(try moments("-12|") == ["1: 1", "1: 2", "1: |"])
        #expect(try moments("-(1,x)-[1,2]|") == ["1: (1,x)", "7: [1,2]", "7: |"])
        #expect(try moments("--<NEXT 1>|") == ["2: NEXT 1", "2: |"])
    }

    @Test("can begin later, and continue after its last column")
    func ends() throws {
        #expect(try moments("   1--|") == ["3: 1", "6: |"])
        #expect(try Drawing("--1--...").end == 5)
        #expect(try Drawing("--1--|").end == nil)
    }

    @Test("has the type of its values")
    func types() throws {
        #expect(try Drawing("-1-2|").element.type == "Int")
        #expect(try Drawing("---|").element.type == "Int")
        #expect(try Drawing("-t-f|").element.type == "Bool")
        #expect(try Drawing("-a-t|").element.type == "String")
        #expect(try Drawing("-[1]-[]|").element.type == "[Int]")
    }

    @Test("reports the column of an error")
    func malformed() {
        #expect(throws: Drawing.Malformed(column: 2, reason: "no ]")) { try Drawing("--[1,2") }
        #expect(throws: Drawing.Malformed(column: 2, reason: "a dot")) { try Drawing("--.-") }
        #expect(throws: Drawing.Malformed(column: 3, reason: "a space")) { try Drawing("-1- 2") }
    }

    @Test("follows its label in a diagram, and begins in the same column as the others")
    func diagram() throws {
        func diagram(_ rows: String...) throws -> Diagram {
            let lines = rows.enumerated().map { Snippet.Line(number: $0 + 1, text: $1) }
            return try Diagram(Snippet(use: .marbles, file: "Page.md", lines: lines, setup: []))
        }
        let good = try diagram(
            "source                      --1--|",
            "cold other                     1--|",
            "source.merge(with: other)   --1--|")
        expect(good.inputs.map(\.name), is: ["source", "other"])
        expect(good.inputs.map(\.subject), is: [.signal, .producer])
        expect(good.results.map(\.label), is: ["source.merge(with: other)"])
        expect(good.rows[1].drawing.moments.map(\.second), is: [3, 6])
        let long = try diagram(
            "source             --1--|",
            "source",
            "    .zip(with: source,",
            "        f: f)      --1--|",
            "source.map(f)      --1--|")
        expect(long.results.map(\.label), is: ["source.zip(with: source, f: f)", "source.map(f)"])
        #expect(throws: Diagram.Malformed.self) { try diagram("source  --1--|", "source.map { $0 }", "source  -|") }
        #expect(throws: Diagram.Malformed.self) { try diagram("source  --1--|", "source.map { $0 }  --1--|") }
    }

    @Test("has the stream type that the comment documents, unless its label names another")
    func subject() throws {
        let rows = [
            "source                    1--|",
            "cold other                1--|",
            "property a                1--|",
            "signal b                  1--|",
            "f(source, other, a, b)    1--|",
        ].enumerated().map { Snippet.Line(number: $0 + 1, text: $1) }
        let diagram = try Diagram(Snippet(use: .marbles, file: "A.swift", lines: rows, setup: [], subject: .property))
        expect(diagram.inputs.map(\.subject), is: [.property, .producer, .property, .signal])
    }

    @Test("is checked in every row of a diagram")
    func unchecked() throws {
        func message(_ rows: String..., setup: String = "") -> String? {
            let lines = rows.enumerated().map { Snippet.Line(number: $0 + 1, text: $1) }
            let setup = [Snippet.Line(number: 1, text: setup)]
            do {
                _ = try Diagram(Snippet(use: .marbles, file: "A.swift", lines: lines, setup: setup))
                return nil
            } catch {
                return error.description
            }
        }
        expect(message("source      --1--|", "debounce    -----1|"), is: "A.swift:1: no row is an expression")
        expect(
            message("source              --1--|", "zip                 --1--|", "source.map { $0 }   --1--|"),
            is: "A.swift:2: \"zip\" is no expression, nor used by one")
        expect(message("busy       t--f", "a.hold()   --1-", setup: "let a = hold(busy)"), is: nil)
    }
}
