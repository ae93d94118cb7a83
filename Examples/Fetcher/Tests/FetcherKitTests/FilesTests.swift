import Foundation
import NIOCore
import Testing

@testable import FetcherKit

@Suite("Fetched files")
struct FilesTests {
    @Test(
        "a name is derived from the URL, and cannot lead out of the directory",
        arguments: [
            ("http://example.com", "example.com_index"),
            ("http://example.com/", "example.com_index"),
            ("http://Example.com/a/b.html", "example.com_a_b.html"),
            ("http://example.com:8080/a?b=c&d", "example.com_8080_a_b_c_d"),
            ("http://example.com/../../etc/passwd", "example.com_._._etc_passwd"),
            ("http://example.com/%2e%2e%2f%2e%2e%2fetc", "example.com__2e_2e_2f_2e_2e_2fetc"),
            ("http://example.com/a%00b", "example.com_a_00b"),
            ("http://[::1]/x", "___1__x"),
            ("http://example.com/dir/", "example.com_dir_index"),
        ])
    func names(_ url: String, _ expected: String) throws {
        let address = try #require(WebAddress(url))
        let name = FileNames.name(for: address)
        #expect(name == expected)
        #expect(!name.contains("/") && !name.contains("..") && !name.hasPrefix("."))
    }

    @Test("a long name is shortened, and leaves room for the temporary mark")
    func longNames() throws {
        let address = try #require(WebAddress("http://h/" + String(repeating: "x", count: 5000) + ".html"))
        let name = FileNames.name(for: address)
        #expect(name.utf8.count <= FileNames.longest)
        #expect(name.hasPrefix("h_xx") && name.hasSuffix(".html"))
        let directory = try TemporaryDirectory()
        try Directory(directory.path).part(of: name).commit()
        #expect(directory.names == [name])
    }

    @Test("no two URLs get the same name, even if case is ignored")
    func distinctNames() {
        let targets = targets("http://h/a?b", "http://h/a_b", "http://h/A_b", "http://h/a_b-2", "http://h/c")
        #expect(targets.map(\.fileName) == ["h_a_b", "h_a_b-2", "h_A_b-3", "h_a_b-2-2", "h_c"])
        #expect(Set(targets.map { $0.fileName.lowercased() }).count == 5)
    }

    @Test("equal URLs are one target, also if their fragments differ")
    func sameTwice() {
        let targets = targets("http://h/a", "http://h/b", "http://h/a#here", "HTTP://H/a")
        #expect(targets.map(\.address.description) == ["http://h/a", "http://h/b"])
        #expect(targets.map(\.id) == [0, 1])
    }

    @Test("no file has the final name until it is complete")
    func atomic() throws {
        let directory = try TemporaryDirectory()
        let part = try Directory(directory.path).part(of: "x")
        try part.write(ByteBuffer(string: "one "))
        #expect(directory.names.count == 1)
        #expect(directory.names[0].hasSuffix(".part"))
        try part.write(ByteBuffer(string: "two"))
        try part.commit()
        #expect(directory.names == ["x"])
        #expect(try directory.text("x") == "one two")
        part.discard()
        #expect(directory.names == ["x"])
    }

    @Test("an existing file stays until the commit, and after a discard")
    func former() throws {
        let directory = try TemporaryDirectory()
        try Data("before".utf8).write(to: directory.url.appendingPathComponent("x"))
        let open = try Directory(directory.path)
        let discarded = try open.part(of: "x")
        try discarded.write(ByteBuffer(string: "part"))
        #expect(try directory.text("x") == "before")
        discarded.discard()
        #expect(try directory.text("x") == "before")
        let part = try open.part(of: "x")
        try part.write(ByteBuffer(string: "after"))
        try part.commit()
        #expect(try directory.text("x") == "after")
        #expect(directory.names == ["x"])
    }

    @Test("a discarded file cannot be written or committed")
    func discarded() throws {
        let directory = try TemporaryDirectory()
        let part = try Directory(directory.path).part(of: "x")
        part.discard()
        part.discard()
        #expect(throws: FetchError.stopped) { try part.write(ByteBuffer(string: "late")) }
        #expect(throws: FetchError.stopped) { try part.commit() }
        #expect(directory.names == [])
    }

    @Test("is discarded when it is released")
    func released() throws {
        let directory = try TemporaryDirectory()
        let open = try Directory(directory.path)
        do {
            let part = try open.part(of: "x")
            try part.write(ByteBuffer(string: "part"))
        }
        #expect(directory.names == [])
    }

    @Test("a link with the final name is replaced, not followed")
    func links() throws {
        let directory = try TemporaryDirectory()
        let outside = try TemporaryDirectory()
        try Data("safe".utf8).write(to: outside.url.appendingPathComponent("victim"))
        try FileManager.default.createSymbolicLink(
            at: directory.url.appendingPathComponent("x"),
            withDestinationURL: outside.url.appendingPathComponent("victim"))
        let part = try Directory(directory.path).part(of: "x")
        try part.write(ByteBuffer(string: "new"))
        try part.commit()
        #expect(try outside.text("victim") == "safe")
        #expect(try directory.text("x") == "new")
    }

    @Test("discarding while another thread writes leaves nothing behind")
    func race() throws {
        let directory = try TemporaryDirectory()
        let open = try Directory(directory.path)
        for _ in 0..<500 {
            let part = try open.part(of: "x")
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 {
                    part.discard()
                } else {
                    // Fails if it has been discarded before.
                    try? part.write(ByteBuffer(string: "part"))
                    try? part.commit()
                }
            }
            #expect(directory.names == [] || directory.names == ["x"])
        }
    }

    @Test("an ended directory has only complete files, and accepts no more")
    func ended() throws {
        let directory = try TemporaryDirectory()
        let open = try Directory(directory.path)
        let (complete, part) = (try open.part(of: "x"), try open.part(of: "y"))
        try complete.commit()
        open.end()
        #expect(directory.names == ["x"])
        #expect(throws: FetchError.stopped) { try part.commit() }
        #expect(throws: FetchError.stopped) { try open.part(of: "z") }
        #expect(directory.names == ["x"])
        open.end()
    }

    @Test("a missing directory is created, but not its parent")
    func directories() throws {
        let directory = try TemporaryDirectory()
        _ = try Directory(directory.path + "/new")
        #expect(directory.names == ["new"])
        #expect(throws: FetchError.self) { try Directory(directory.path + "/no/new") }
        try Data().write(to: directory.url.appendingPathComponent("file"))
        #expect(throws: FetchError.self) { try Directory(directory.path + "/file") }
    }
}
