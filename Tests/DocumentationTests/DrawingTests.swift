import Testing

@Suite("A drawing")
struct DrawingTests {
    private func moments(_ text: String) throws -> [String] { try Drawing(text).moments.map(\.description) }

    @Test("says what happens when")
    func moments() throws {
        #expect(try moments("--1--a--|") == ["2: 1", "5: a", "8: |"])
        #expect(try moments("1-X") == ["0: 1", "2: X"])
        #expect(try moments("") == [])
    }

    @Test("has things that stand together happen together")
    func together() throws {
        #expect(try moments("-12|") == ["1: 1", "1: 2", "1: |"])
        #expect(try moments("-(1,x)-[1,2]|") == ["1: (1,x)", "7: [1,2]", "7: |"])
        #expect(try moments("--<NEXT 1>|") == ["2: NEXT 1", "2: |"])
    }

    @Test("may begin later, and go on")
    func ends() throws {
        #expect(try moments("   1--|") == ["3: 1", "6: |"])
        #expect(try Drawing("--1--...").end == 5)
        #expect(try Drawing("--1--|").end == nil)
    }

    @Test("knows the type of its values")
    func types() throws {
        #expect(try Drawing("-1-2|").element.type == "Int")
        #expect(try Drawing("---|").element.type == "Int")
        #expect(try Drawing("-t-f|").element.type == "Bool")
        #expect(try Drawing("-a-t|").element.type == "String")
        #expect(try Drawing("-[1]-[]|").element.type == "[Int]")
    }

    @Test("says in which column it is malformed")
    func malformed() {
        #expect(throws: Drawing.Malformed(column: 2, reason: "no ]")) { try Drawing("--[1,2") }
        #expect(throws: Drawing.Malformed(column: 2, reason: "a dot")) { try Drawing("--.-") }
        #expect(throws: Drawing.Malformed(column: 3, reason: "a space")) { try Drawing("-1- 2") }
    }

    @Test("stands in a diagram beside its label, and begins where the others do")
    func diagram() throws {
        func diagram(_ rows: String...) throws -> Diagram {
            let lines = rows.enumerated().map { Snippet.Line(number: $0 + 1, text: $1) }
            return try Diagram(Snippet(use: .marbles, file: "Page.md", lines: lines, setup: []))
        }
        let good = try diagram(
            "source             --1--|",
            "cold other            1--|",
            "source.map { $0 }  --1--|")
        #expect(good.inputs.map(\.label) == ["source", "cold other"])
        #expect(good.results.map(\.label) == ["source.map { $0 }"])
        #expect(good.rows[1].drawing.moments.map(\.second) == [3, 6])
        #expect(throws: Diagram.Malformed.self) { try diagram("source  --1--|", "source.map { $0 }  --1--|") }
    }
}
