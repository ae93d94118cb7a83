import TestSupport
import Testing

@testable import LineCountKit

@Suite("Lines of code, comments and blanks")
struct LineCountScannerTests {
    private func count(_ text: String, in language: String) throws -> [Int] {
        let index = try #require(LanguageTable.standard.index(named: language))
        let lines = LanguageTable.standard.scanners[index].count(Array(text.utf8))
        return [lines.blank, lines.comment, lines.code]
    }

    @Test("counts the comments of every language", arguments: LanguageTable.standard.languages.map(\.name))
    func everyLanguage(_ name: String) throws {
        let index = try #require(LanguageTable.standard.index(named: name))
        let language = LanguageTable.standard.languages[index]
        var text = "word\n\n  word word\n \t\r\n"
        var expected = [2, 0, 2]
        for comment in language.lineComments {
            text += "\(comment) text\n  \(comment) text\nword \(comment) text\n"
            expected = [expected[0], expected[1] + 2, expected[2] + 1]
        }
        for comment in language.blockComments {
            text += "\(comment.open) text\n\ntext word\n\(comment.close)\nword\n"
            expected = [expected[0] + 1, expected[1] + 3, expected[2] + 1]
            if comment.nests {
                text += "\(comment.open) \(comment.open)\n\(comment.close)\ntext\n\(comment.close)\nword\n"
                expected = [expected[0], expected[1] + 4, expected[2] + 1]
            } else if !comment.atLineStart {
                text += "\(comment.open) \(comment.open)\n\(comment.close)\nword\n"
                text += "\(comment.open) text \(comment.close) word\nword \(comment.open)\n\(comment.close)\n"
                expected = [expected[0], expected[1] + 3, expected[2] + 3]
            }
        }
        // A comment marker in a string does not begin a comment.
        for string in language.strings where !string.close.isEmpty {
            for comment in language.blockComments where !comment.atLineStart && comment.open != string.open {
                text += "word \(string.open)\(comment.open)\(string.close) word\nword\n"
                expected[2] += 2
            }
        }
        #expect(try count(text, in: name) == expected, "\(text)")
    }

    @Test(
        "handles the last line, line endings, and empty text",
        arguments: [
            ("", [0, 0, 0]), ("\n", [1, 0, 0]), ("x", [0, 0, 1]), ("x\n", [0, 0, 1]), ("x\n ", [1, 0, 1]),
            ("//", [0, 1, 0]), ("/*", [0, 1, 0]), ("x\r\n\r\n// y\r\n", [1, 1, 1]),
            ("/*\r\n\r\n*/\r\nx\r\n", [1, 2, 1]),
            ("\u{FEFF}// x\n", [0, 1, 0]), ("/* é */\né\n", [0, 1, 1]), ("/", [0, 0, 1]), ("\"", [0, 0, 1]),
            ("\"\\", [0, 0, 1]), ("\"\\\n", [0, 0, 1]),
        ])
    func edges(_ text: String, _ expected: [Int]) throws {
        #expect(try count(text, in: "C") == expected)
    }

    @Test(
        "ignores comment markers in strings",
        arguments: [
            ("C", "x(\"//\"); /*\n*/\n", [0, 1, 1]), ("C", "x(\"/*\");\ny\n", [0, 0, 2]),
            ("C", "x(\"\\\"/*\");\ny\n", [0, 0, 2]), ("C", "x('\"'); /*\n*/\n", [0, 1, 1]),
            ("C", "#error don't /*\ny\n", [0, 0, 2]), ("C", "x = \"a\\\n/* b\";\ny\n", [0, 0, 3]),
            ("C", "/* \"*/ x\ny\n", [0, 0, 2]), ("C", "// /*\nx\n", [0, 1, 1]),
            ("C++", "x(R\"(\n/*\n)\");\ny\n", [0, 0, 4]), ("Java", "x = \"\"\"\n/*\n\n\"\"\";\n// y\n", [1, 1, 3]),
            ("JavaScript", "x(`\n/*\n//`);\ny\n", [0, 0, 4]), ("Go", "x(`\\`) /*\n*/\n", [0, 1, 1]),
            ("Swift", "x(#\"\\\"#) /*\n*/\n", [0, 1, 1]), ("Swift", "x(\"\"\"\n  /* \"\n  \"\"\")\ny\n", [0, 0, 4]),
            ("Rust", "fn f<'a>(x: &'a str) { /*\n*/ }\n", [0, 0, 2]), ("Rust", "x('\"'); /*\n*/\n", [0, 1, 1]),
            ("Rust", "x(r#\"\n/*\"\n\"#);\n// y\n", [0, 1, 3]), ("SQL", "select '/*\n--';\n-- x\n", [0, 1, 2]),
            ("Haskell", "f' x = '\"' {-\n-}\n", [0, 1, 1]), ("Lua", "x = [[\n--[[\n]]\n-- y\n", [0, 1, 3]),
            ("PHP", "x('\n/*');\n# y\n", [0, 1, 2]),
        ])
    func strings(_ language: String, _ text: String, _ expected: [Int]) throws {
        #expect(try count(text, in: language) == expected)
    }

    @Test(
        "counts a Python string as a comment if it is a statement, and as code if it is an argument or a value",
        arguments: [
            // Documentation strings, with every possible prefix.
            ("def f():\n    r\"\"\"Raw.\n\n    \\d\n    \"\"\"\n", [1, 3, 1]),
            ("R'''Raw.\n'''\nx\n", [0, 2, 1]), ("u\"\"\"Doc.\"\"\"\n", [0, 1, 0]), ("\t\"Doc.\"\nx\n", [0, 1, 1]),
            ("'don\\'t'\nx\n", [0, 1, 1]), ("\"\"\"a \\\"\"\"\nb\n\"\"\"\nx\n", [0, 3, 1]),
            ("x = [1]\n\"\"\"Of x.\"\"\"\n", [0, 1, 1]), ("\"\"\"a\n\"\"\"; x\n", [0, 1, 1]),
            // Not documentation strings in Python.
            ("b\"\"\"bytes\n# no\n\"\"\"\n", [0, 0, 3]), ("f\"\"\"text\n\"\"\"\n", [0, 0, 2]),
            ("rb'''bytes\n# no\n'''\n", [0, 0, 3]), ("for\"\"\"x\n\"\"\"\n", [0, 0, 2]),
            // Arguments and values.
            ("f(\n    \"\"\"a\n    # no\n    \"\"\",\n    r'''b\n    ''',\n)\n\"\"\"Doc.\"\"\"\n", [0, 1, 7]),
            ("x = {\n  'k': [\n    \"v\",\n  ],\n}\n'doc'\n", [0, 1, 5]),
            ("x = \\\n  \"\"\"a\n  b\"\"\"\n", [0, 0, 3]),
            ("x = \\\r\n  'a'\r\n'doc'\r\n", [0, 1, 2]), ("x # \\\n'doc'\n", [0, 1, 1]),
            ("f(\")\", '(')\n'doc'\n", [0, 1, 1]), ("f(# )\n'a')\n'doc'\n", [0, 1, 2]),
            (")\n'doc'\n", [0, 1, 1]),
        ])
    func documentation(_ text: String, _ expected: [Int]) throws {
        #expect(try count(text, in: "Python") == expected, "\(text)")
        #expect(try count(text, in: "Starlark") == expected, "\(text)")
    }

    @Test(
        "handles the prefixes of strings",
        arguments: [
            ("C++", "x(R\"a(\n/*\n)\"\n)a\");\n// y\n", [0, 1, 4]), ("C++", "x(u8R\"(\n//\n)\");\n// y\n", [0, 1, 3]),
            ("C++", "x(LR\"x(\\)x\"); /*\n*/\n", [0, 1, 1]), ("C++", "xR\"(\n/*\n*/\n", [0, 2, 1]),
            ("C++", "x(R\"\n/*\n*/\n", [0, 0, 3]), ("Rust", "x(br##\"\n/*\"#\n\"##);\n// y\n", [0, 1, 3]),
            ("Rust", "x(r###\"\"##/*\"###); /*\n*/\n", [0, 1, 1]), ("Rust", "x(r\"\\\"); /*\n*/\n", [0, 1, 1]),
            ("Swift", "x(##\"\"\"\n/* \"\"\"#\n\"\"\"##)\n// y\n", [0, 1, 3]),
            ("Swift", "x(###\"\\\"###) /*\n*/\n", [0, 1, 1]),
            ("Dart", "x(r'\\'); /*\n*/\n", [0, 1, 1]), ("Dart", "x(r\"\"\"\n/*\\\"\"\"); /*\n*/\n", [0, 1, 2]),
            ("Dart", "x('\\'/*');\ny\n", [0, 0, 2]), ("D", "x(r\"\\\"); /*\n*/\n", [0, 1, 1]),
            ("Nim", "x(r\"\\\") #[\n]#\n", [0, 1, 1]), ("SQL", "select E'\\'--' /*\n*/\n", [0, 1, 1]),
            ("SQL", "like'\\' /*\n*/\n", [0, 1, 1]), ("C#", "x(@$\"\\\"); /*\n*/\n", [0, 1, 1]),
            ("C#", "x(\"\"\"\n\\\"\"\"); /*\n*/\n", [0, 1, 2]),
        ])
    func prefixes(_ language: String, _ text: String, _ expected: [Int]) throws {
        #expect(try count(text, in: language) == expected, "\(text)")
    }

    @Test(
        "handles the peculiarities of each language",
        arguments: [
            ("Swift", "/* a /* b */ c\n*/ x\n// y\n", [0, 2, 1]), ("C", "/* a /* b */\nx\n", [0, 1, 1]),
            ("D", "/+ a /+ b +/\n+/\n/* /* */\nx\n", [0, 3, 1]),
            ("Python", "\"\"\"Doc.\n\nMore.\n\"\"\"\nx = 1\n", [1, 3, 1]),
            ("Python", "x = \"\"\"\n# no\n\"\"\"\n# yes\n", [0, 1, 3]),
            ("Shell", "#!/bin/sh\n# x\necho $# # y\n", [0, 1, 2]),
            ("Ruby", "x =begin\n=begin\ntext\n=end of it\ny\n", [0, 3, 2]),
            ("Batch", "rem x\nremove x\n:: y\n", [0, 2, 1]),
            ("Perl", "x\n=head1 Name\n\ntext\n\n=cut\ny\n", [2, 3, 2]), ("Vue", "<!-- x\n-->\n// y\n<a>\n", [0, 3, 1]),
            ("m4", "dnl x\ndnls\n", [0, 1, 1]), ("CMake", "#[[ x\n]]\n# y\nz(\"#[[\")\n", [0, 3, 1]),
        ])
    func particulars(_ language: String, _ text: String, _ expected: [Int]) throws {
        #expect(try count(text, in: language) == expected)
    }

    @Test(
        "distinguishes text from binary data and other encodings",
        arguments: [
            ([], .utf8), (Array("aé€😀\u{10FFFF}".utf8), .utf8), ([0x61, 0], .binary), ([0xFF, 0xFE, 0x61, 0], .binary),
            ([0xE9], .otherEncoding), ([0x61, 0xE9, 0x61], .otherEncoding), ([0xC0, 0x80], .otherEncoding),
            ([0xE0, 0x80, 0x80], .otherEncoding), ([0xED, 0xA0, 0x80], .otherEncoding), ([0xE2, 0x82], .otherEncoding),
            ([0xE2, 0x82, 0x61], .otherEncoding), ([0xF4, 0x90, 0x80, 0x80], .otherEncoding), ([0x80], .otherEncoding),
        ] as [([UInt8], Text)])
    func text(_ bytes: [UInt8], _ expected: Text) {
        expect(Text(bytes), is: expected)
        if expected != .binary { #expect((Text(bytes) == .utf8) == (String(validating: bytes, as: UTF8.self) != nil)) }
    }
}
