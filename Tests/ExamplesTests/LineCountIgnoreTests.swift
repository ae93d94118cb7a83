import TestSupport
import Testing

@testable import LineCountKit

@Suite("The patterns of a .gitignore")
struct LineCountIgnoreTests {
    private func names(_ path: String) -> [[UInt8]] { path.split(separator: "/").map { Array($0.utf8) } }

    /// A path ends with a slash if it is a directory.
    private func verdict(_ rules: String, _ path: String) -> Bool? {
        IgnoreRules(rules.utf8).verdict(on: names(path)[...], isDirectory: path.hasSuffix("/"))
    }

    @Test(
        "match the paths that Git ignores",
        arguments: [
            ("a", "a"), ("a", "b/c/a"), ("a", "a/"), ("/a", "a"), ("a/", "a/"), ("a/", "b/a/"), ("b/a", "b/a"),
            ("/b/a/", "b/a/"), ("*.o", "x/y.o"), ("*", "x"), ("x*y*z", "xaybyz"), ("?.c", "a.c"), ("[ab]c", "ac"),
            ("[!ab]c", "xc"), ("[^ab]c", "xc"), ("[a-c]", "b"), ("[]]", "]"), ("[a-]", "-"), ("[\\]]", "]"),
            ("\\*", "*"),
            ("\\#a", "#a"), ("\\!a", "!a"), ("a ", "a"), ("a\\ ", "a "), ("a\r", "a"), ("**/a", "a"), ("**/a", "b/c/a"),
            ("a/**", "a/b"), ("a/**", "a/b/c/"), ("a/**/b", "a/b"), ("a/**/b", "a/x/y/b"), ("a/*/b", "a/x/b"),
            ("a**b", "axxb"), ("a/**/b/**/c", "a/x/b/y/b/c"), ("x\n\n# y\na", "a"), ("!a\na", "a"), ("é", "é"),
        ])
    func match(_ rules: String, _ path: String) {
        expect(verdict(rules, path), is: true)
    }

    @Test(
        "do not match others",
        arguments: [
            ("a", "ab"), ("a", "ba"), ("/a", "b/a"), ("a/", "a"), ("b/a", "c/b/a"), ("*.o", "x.oo"), ("?.c", "ab.c"),
            ("[ab]c", "cc"), ("[!ab]c", "ac"), ("[a-c]", "d"), ("[c-a]", "b"), ("[ab", "a"), ("a\\", "a"), ("#a", "#a"),
            ("a/**", "a/"), ("a/*", "a/b/c"), ("a/*/b", "a/b"), ("a/*/b", "a/x/y/b"), ("\\*", "x"), ("", "a"),
            ("/", "a"), ("!", "a"), ("*a*a*a*a*b", String(repeating: "a", count: 200)),
        ])
    func mismatch(_ rules: String, _ path: String) {
        #expect(verdict(rules, path) == nil)
    }

    @Test("include paths again that an earlier pattern ignores")
    func negation() {
        expect(verdict("*.c\n!a.c", "a.c"), is: false)
        expect(verdict("*.c\n!a.c", "b.c"), is: true)
        expect(verdict("*.c\n!a.c\n/a.c", "a.c"), is: true)
    }

    @Test("of the nearest file take precedence, and files in ignored directories are not read")
    func nesting() throws {
        let directory = try TemporaryDirectory()
        for name in ["in", "in/deep", "out"] { try directory.makeDirectory(name) }
        let files = ["a.c", "b.c", "in/a.c", "in/b.c", "in/deep/a.c", "in/deep/b.c", "out/a.c"]
        for name in files { try directory.write("x\n", to: name) }
        try directory.write("a.c\nout\n", to: ".gitignore")
        try directory.write("!a.c\n/b.c\n", to: "in/.gitignore")
        try directory.write("!a.c\n", to: "out/.gitignore")
        try directory.link("lost.c", to: "nowhere")
        try directory.write("a.c\nout\nlost.c\n", to: ".gitignore")
        let walk = Walk(root: directory.path, table: .standard)
        let found = walk.flatMap(\.files).map { String($0.path.dropFirst(directory.path.count + 1)) }
        expect(found.filter { $0.hasSuffix(".c") }, is: ["b.c", "in/a.c", "in/deep/a.c", "in/deep/b.c"])
        expect(walk.reduce(0) { $0 + $1.ignored }, is: 4)
        #expect(walk.flatMap(\.skipped).isEmpty)
    }
}
