import ReactiveSignals
import ReactiveSignalsFoundation
import ReactiveSignalsTop
import Testing
import TopProtocol
import TopViewer

/// The recipe of the README.
private func openTop(path: String) throws -> TopServer {
    try TopServer.open(path: path, values: .described(limit: 80))
}

private func openTop(path: String, folder: String, recorder: EventRecorder) throws -> TopServer {
    try TopServer.open(path: path, recordings: .init(by: recorder, in: folder))
}

@Suite("The recipe for signals-top")
struct TopRecipeTests {
    @Test("opens a server with values")
    func opens() async throws {
        let directory = try TemporaryDirectory()
        let server = try openTop(path: directory.file("a"))
        #expect(try await TopClient(path: server.path).greeting.hasValues)
        server.close()
    }

    @Test("opens a server with recordings")
    func recordings() async throws {
        let directory = try TemporaryDirectory()
        let server = try openTop(path: directory.file("a"), folder: directory.path, recorder: EventRecorder())
        #expect(try await TopClient(path: server.path).greeting.canRecord == true)
        server.close()
    }

    @Test("a limit of no characters is a mistake of the caller")
    func limit() async {
        await #expect(processExitsWith: .failure) { _ = TopServer.Values.described(limit: 0) }
    }
}
