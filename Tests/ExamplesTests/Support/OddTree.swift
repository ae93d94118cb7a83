import Foundation
import Glibc
import Testing

/// A tree with edge cases for a walk, and a sequential pass over it that shares no code with LineCount.
struct OddTree {
    let directory: TemporaryDirectory
    var path: String { directory.path }

    /// The paths below the directory that must be skipped, and the reasons.
    let skipped = [
        "binary.c": "binary", "broken.c": "broken link", "cycle": "link cycle", "latin1.c": "not UTF-8",
        "nested/up": "link cycle", "pipe.c": "not a regular file", "self.c": "link cycle",
        // The user who runs the tests may be allowed to read any file, but not the beginning of a process's memory.
        "unreadable.c": "unreadable: Input/output error",
    ]

    init(files: Int = 300) throws {
        directory = try TemporaryDirectory()
        try directory.makeDirectory("nested")
        try directory.makeDirectory("nested/empty")
        for number in 0..<files {
            let name =
                number.isMultiple(of: 3)
                ? "nested/\(number).swift" : number.isMultiple(of: 2) ? "\(number).c" : "\(number).py"
            try directory.write(Self.text(number, sign: name.hasSuffix("py") ? "#" : "//"), to: name)
        }
        try directory.write("", to: "empty.c")
        try directory.write("int x;\n// no newline at the end", to: "end.c")
        try directory.write("int x;\r\n\r\n// CRLF\r\n", to: "crlf.c")
        try directory.write("nothing\n", to: "unknown.nothing")
        try directory.write("nothing\n", to: "README")
        try directory.write("#!/bin/sh\n# comment\necho\n", to: "script")
        try directory.write(bytes: [0x61, 0x00, 0x0A], to: "binary.c")
        try directory.write(bytes: [0x61, 0xE9, 0x0A], to: "latin1.c")
        try directory.link("broken.c", to: "nowhere.c")
        try directory.link("self.c", to: "self.c")
        try directory.link("cycle", to: ".")
        try directory.link("nested/up", to: "..")
        try directory.link("unreadable.c", to: "/proc/self/mem")
        // Each file is counted once, under either name.
        try directory.link("same.c", to: "end.c")
        try directory.link("zz-again", to: "nested")
        try directory.makePipe("pipe.c")
    }

    private static func text(_ number: Int, sign: String) -> String {
        (0..<number % 40 + 1).map { line in
            switch (line + number) % 5 {
            case 0: ""
            case 1: "\(sign) a comment, \"\(line)\""
            case 2: "  \(sign) é /* not begun"
            default: "x = \(line) \(sign) code"
            }
        }.joined(separator: "\n") + (number.isMultiple(of: 7) ? "" : "\n")
    }

    struct Totals: Equatable {
        var files = 0
        var blank = 0
        var comment = 0
        var code = 0
    }

    /// Returns totals by file extension. Scripts without an extension are under "".
    func sequentialPass() throws -> [String: Totals] {
        var totals: [String: Totals] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let path = "\(path)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let suffix = (name as NSString).pathExtension
            guard ["c", "swift", "py", ""].contains(suffix) else { continue }
            let data = try #require(FileManager.default.contents(atPath: path))
            guard !data.contains(0), let text = String(data: data, encoding: .utf8) else { continue }
            guard !suffix.isEmpty || text.hasPrefix("#!") else { continue }
            totals[suffix, default: Totals()].files += 1
            // Splits the data, not the text, as CR and LF are one character in a string.
            var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
            if lines.last == "" { lines.removeLast() }
            for line in lines {
                if line.isEmpty {
                    totals[suffix, default: Totals()].blank += 1
                } else if line.hasPrefix("//") || line.hasPrefix("# ") {
                    totals[suffix, default: Totals()].comment += 1
                } else {
                    totals[suffix, default: Totals()].code += 1
                }
            }
        }
        return totals
    }
}
