import CookbookKit
import NIOCore
import Testing

@Suite("The format of server-sent events")
struct ServerSentEventTests {
    private func text(_ event: ServerSentEvent) -> String { String(buffer: event.frame) }

    @Test("has one field per line, and an empty line at the end of the event")
    func fields() {
        let event = ServerSentEvent(id: "7", event: "note", data: "hello")
        #expect(text(event) == "id: 7\nevent: note\ndata: hello\n\n")
    }

    @Test("has one data field per line of the data, whatever ends the line")
    func lines() {
        let event = ServerSentEvent(data: "one\ntwo\rthree\r\nfour")
        #expect(text(event) == "data: one\ndata: two\ndata: three\ndata: four\n\n")
    }

    @Test("has a data field for empty data, without which clients ignore the event")
    func emptyData() {
        #expect(text(ServerSentEvent(data: "")) == "data: \n\n")
    }

    @Test("does not let an id or a name add a field")
    func injection() {
        let event = ServerSentEvent(id: "1\r\ndata: forged", event: "a\n\nb\0", data: "real")
        #expect(text(event) == "id: 1data: forged\nevent: ab\ndata: real\n\n")
    }
}
