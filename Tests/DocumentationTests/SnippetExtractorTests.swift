import TestSupport
import Testing

@Suite("SnippetExtractor")
struct SnippetExtractorTests {
    private func lines(_ snippet: Snippet) -> [String] { snippet.lines.map(\.text) }

    @Test("finds the blocks of a page, with their line numbers")
    func page() {
        let snippets = SnippetExtractor.snippets(
            inPage: """
                # Title

                ```swift
                let a = 1
                print(a)  // prints 1
                ```

                ```sh
                swift build
                ```
                """, file: "Page.md")
        #expect(snippets.count == 1)
        #expect(
            snippets.first?.lines == [
                .init(number: 4, text: "let a = 1"), .init(number: 5, text: "print(a)  // prints 1"),
            ])
        #expect(snippets.first?.expectations == [.prints("1", line: 5)])
    }

    @Test("applies the HTML comments before a block")
    func marks() {
        let snippets = SnippetExtractor.snippets(
            inPage: """
                <!-- setup
                let server = 1
                -->

                ```swift
                print(server)
                ```

                <!-- continues -->

                ```swift
                print(server + 1)
                ```

                <!-- declarations -->

                ```swift
                extension Int {}
                ```

                <!-- does not compile -->

                ```swift
                let x: Int = ""  // error: cannot convert
                ```

                ```marbles
                source    --1|
                ```
                """, file: "Page.md")
        #expect(snippets.map(\.use) == [.statements, .declarations, .mistake, .marbles])
        #expect(snippets.first.map(lines) == ["print(server)", "print(server + 1)"])
        #expect(snippets.first?.setup.map(\.text) == ["let server = 1"])
        #expect(snippets.dropFirst().allSatisfy { $0.setup.isEmpty })
    }

    @Test("omits manifests, which are not part of the program")
    func manifest() {
        let snippets = SnippetExtractor.snippets(
            inPage: """
                ```swift
                // swift-tools-version: 6.2
                import PackageDescription
                ```

                ```swift
                dependencies: [.package(path: "..")]
                ```

                ```swift
                print(1)
                ```
                """, file: "Page.md")
        #expect(snippets.map(lines) == [["print(1)"]])
    }

    @Test("finds programs, with output in a separate block")
    func program() {
        let snippets = SnippetExtractor.snippets(
            inPage: """
                ```swift
                @main
                enum Hello {
                    static func main() { print("hello") }
                }
                ```

                prints

                ```
                hello
                ```
                """, file: "README.md")
        #expect(snippets.map(\.use) == [.declarations])
        #expect(snippets.first?.program == "Hello")
        #expect(snippets.first?.expectations == [.prints("hello", line: 11)])
    }

    @Test("finds the fences in the comments of a source, with the type that the drawings are about")
    func source() {
        let snippets = SnippetExtractor.snippets(
            inSource: """
                /// Doubles.
                ///
                /// ```swift
                /// double(3)
                ///
                /// double(4)  // 8
                /// ```
                ///
                /// - Parameter x: What.
                ///     It goes on.
                func double() {
                    let text = 1 // no comment
                }

                extension SignalProducer where Value == Int {
                    /// Draws.
                    ///
                    /// ```swift
                    /// draw()
                    /// ```
                    ///
                    /// ```marbles
                    /// source             --1--2|
                    /// source.doubled()   --2--4|
                    /// ```
                    ///
                    /// ```text
                    /// next*
                    /// ```
                    func draw() {}
                }

                extension PropertyProtocol {
                    /// ```marbles
                    /// source         1--2--|
                    /// source.half()  0--1--|
                    /// ```
                    func half() {}
                }
                """, file: "Double.swift")
        expect(
            snippets.map(lines),
            is: [
                ["double(3)", "", "double(4)  // 8"], ["draw()"],
                ["source             --1--2|", "source.doubled()   --2--4|"],
                ["source         1--2--|", "source.half()  0--1--|"],
            ])
        expect(snippets.map(\.use), is: [.statements, .statements, .marbles, .marbles])
        expect(snippets.map(\.subject), is: [.signal, .producer, .producer, .property])
        expect(snippets.first?.expectations, is: [.value("8", line: 6)])
        expect(snippets.compactMap(\.onProducers), is: [])
    }

    @Test("reports comments with code or drawings that are not checked")
    func strays() {
        let strays = SnippetExtractor.strays(
            inSource: """
                /// Draws `--1--|`, and follows - as ever - the rules.
                ///
                /// | a | b |
                /// |---|---|
                ///
                ///     source   --1--2|
                ///     double   --2--4|
                ///
                /// ```text
                /// source   --1--2|
                /// ```
                ///
                /// ```
                /// swift build
                /// ```
                ///
                /// source   -1-2|
                ///
                /// - Parameter x: What.
                ///     It goes on.
                func draw() {}

                /// ```swift
                /// let signal = scheduler.signal("--a|")
                func quoted() {}
                """, file: "Draw.swift")
        expect(
            strays,
            is: [
                "Draw.swift:6: an indented block: it needs a fence",
                "Draw.swift:7: a drawing outside a block of marbles",
                "Draw.swift:10: a drawing outside a block of marbles",
                "Draw.swift:13: a fence that names no language",
                "Draw.swift:17: a drawing outside a block of marbles",
                "Draw.swift:25: a block that is not closed",
            ])
    }

    @Test(
        "reads the expected output from comments",
        arguments: [
            ("print(1)  // prints 1, and nothing else", [Expectation.prints("1", line: 1)]),
            ("send()  // prints a, then b", [.prints("a", line: 1), .prints("b", line: 1)]),
            ("list.head  // prints A; \"A\"", [.prints("A", line: 1), .value("\"A\"", line: 1)]),
            ("list.head  // prints nothing; \"A\"", [.value("\"A\"", line: 1)]),
            ("array  // [1, 2]", [.value("[1, 2]", line: 1)]),
            ("let array = make()  // [1, 2]", []),
            ("    array  // [1, 2]", []),
            ("send()  // nobody observes", []),
            ("// prints 3", [.prints("3", line: 1)]),
            ("print(\"http://example\")", []),
        ])
    func expectations(line: String, expected: [Expectation]) {
        #expect(Expectation.stated(in: Snippet.Line(number: 1, text: line)) == expected)
    }

    @Test("matches anything with an ellipsis")
    func ellipsis() {
        let expectation = Expectation.prints("[load] NEXT 1 (…)", line: 1)
        #expect(expectation.isMet(by: .line("[load] NEXT 1 (File.swift:3, f())")))
        #expect(!expectation.isMet(by: .line("[load] NEXT 2 (File.swift:3, f())")))
        #expect(!expectation.isMet(by: nil))
        #expect(Expectation.value("1", line: 1).isMet(by: .value(debug: "Optional(1)", plain: "Optional(1)")))
        #expect(!Expectation.value("1", line: 1).isMet(by: .line("1")))
    }
}
