import Foundation
import NIOCore
import ReactiveSignals
import ReactiveSignalsTop
import Testing
import TopProtocol
import TopViewer

@Suite("The socket of signals-top")
struct TopSocketTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("top.socket") }

    init() throws { directory = try TemporaryDirectory() }

    /// Leaves a socket on which no process listens.
    private func leaveStaleSocket(_ path: String) {
        let descriptor = UnixAddress.socket(isBlocking: true)
        #expect(UnixAddress(path)?.bind(descriptor) == 0)
        close(descriptor)
    }

    @Test("a path of more than 107 bytes is an error that says so, also for a viewer")
    func longPath() async throws {
        let room = 107 - directory.path.utf8.count - 1
        let longest = directory.file(String(repeating: "x", count: room))
        let server = try TopServer.open(path: longest)
        #expect(try await TopClient(path: longest).snapshot().time > 0)
        server.close()
        let longer = longest + "x"
        #expect(throws: TopServerError.pathTooLong(path: longer, bytes: 108)) { try TopServer.open(path: longer) }
        #expect("\(TopServerError.pathTooLong(path: "p", bytes: 108))".contains("at most 107 bytes"))
        await #expect(throws: TopClientError.pathTooLong(path: longer, bytes: 108)) {
            try await TopClient(path: longer)
        }
    }

    @Test("replaces a socket on which no process listens")
    func stale() async throws {
        leaveStaleSocket(path)
        await #expect(throws: TopClientError.refused(path: path)) { try await TopClient(path: path) }
        let server = try TopServer.open(path: path)
        defer { server.close() }
        #expect(mode(of: path) == 0o600)
        #expect(try await TopClient(path: path).snapshot().time > 0)
    }

    @Test("leaves the socket of another server alone")
    func live() async throws {
        let server = try TopServer.open(path: path)
        defer { server.close() }
        #expect(throws: TopServerError.inUse(path: path)) { try TopServer.open(path: path) }
        #expect(try await TopClient(path: path).snapshot().time > 0)
    }

    @Test("leaves a file and a link alone")
    func file() throws {
        try Data("important".utf8).write(to: URL(filePath: path))
        #expect(throws: TopServerError.notASocket(path: path)) { try TopServer.open(path: path) }
        #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8) == "important")
        let link = directory.file("link")
        #expect(symlink("/nonexistent", link) == 0)
        #expect(throws: TopServerError.notASocket(path: link)) { try TopServer.open(path: link) }
    }

    @Test("a directory that does not exist is an error")
    func noDirectory() throws {
        let path = directory.file("missing/top.socket")
        #expect(throws: TopServerError.system(call: "bind", path: path, code: ENOENT)) {
            try TopServer.open(path: path)
        }
    }

    @Test("the default directory must belong to this user alone, and be no link")
    func directories() throws {
        let (open, link, file) = (directory.file("open"), directory.file("link"), directory.file("file"))
        #expect(mkdir(open, 0o700) == 0 && chmod(open, 0o755) == 0 && symlink(directory.path, link) == 0)
        try Data().write(to: URL(filePath: file))
        for (path, word) in [(open, "755"), (link, "link"), (file, "no directory")] {
            #expect {
                try TopServer.prepare(path)
            } throws: { error in
                guard case TopServerError.unsafeDirectory(path, let reason) = error else { return false }
                return reason.contains(word)
            }
        }
        let new = directory.file("new")
        try TopServer.prepare(new)
        #expect(mode(of: new) == 0o700)
        leaveStaleSocket(new + "/1.socket")
        try TopServer.prepare(new)
        #expect(TopLocation.sockets(in: new) == [])
    }

    @Test("the default directory is that of the session, or one for the user in /tmp")
    func location() {
        #expect(
            TopLocation.directory(environment: ["XDG_RUNTIME_DIR": "/run/user/7"], user: 7) == "/run/user/7/signals-top"
        )
        for value in [nil, "", "relative"] {
            #expect(
                TopLocation.directory(environment: ["XDG_RUNTIME_DIR": value].compactMapValues(\.self), user: 7)
                    == "/tmp/signals-top-7")
        }
        #expect(throws: Never.self) { try TopClient.path(of: "/a/b.socket") }
    }

    @Test("a viewer finds the only server, and is told if there is none or several")
    func finds() throws {
        let folder = directory.path
        #expect(throws: TopClientError.noServers(directory: folder)) { try TopClient.path(of: nil, directory: folder) }
        leaveStaleSocket(directory.file("3.socket"))
        #expect(throws: TopClientError.noServers(directory: folder)) { try TopClient.path(of: nil, directory: folder) }
        let first = try TopServer.open(path: directory.file("1.socket"))
        defer { first.close() }
        #expect(try TopClient.path(of: nil, directory: folder) == first.path)
        #expect(try TopClient.path(of: "77", directory: folder) == directory.file("77.socket"))
        let second = try TopServer.open(path: directory.file("2.socket"))
        defer { second.close() }
        #expect(throws: TopClientError.several(paths: [first.path, second.path])) {
            try TopClient.path(of: nil, directory: folder)
        }
    }

    @Test("a viewer refuses a server of another version, and what is no server")
    func versions() async throws {
        for (greeting, error) in [
            (
                "{\"name\":\"signals-top\",\"version\":9,\"process\":1,\"program\":\"p\",\"hasValues\":false}\n",
                TopClientError.version(server: 9, viewer: 1)
            ), ("HTTP/1.1 400 Bad Request\n", .noGreeting(path: path)), ("", .lost),
        ] {
            let descriptor = UnixAddress.socket(isBlocking: true)
            unlink(path)
            #expect(UnixAddress(path)?.bind(descriptor) == 0 && listen(descriptor, 4) == 0)
            let thread = Thread {
                let connection = accept(descriptor, nil, nil)
                _ = greeting.withCString { write(connection, $0, strlen($0)) }
                close(connection)
                close(descriptor)
            }
            thread.start()
            await #expect(throws: error) { try await TopClient(path: path) }
        }
    }

    @Test("what listens and does not answer is no server")
    func silent() async throws {
        let descriptor = UnixAddress.socket(isBlocking: true)
        defer { close(descriptor) }
        #expect(UnixAddress(path)?.bind(descriptor) == 0 && listen(descriptor, 4) == 0)
        await #expect(throws: TopClientError.noGreeting(path: path)) {
            // check-waits: the greeting never comes.
            try await TopClient(path: path, patience: .milliseconds(20))
        }
    }
}
