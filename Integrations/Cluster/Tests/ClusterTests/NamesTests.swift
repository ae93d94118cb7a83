import ReactiveCluster
import Testing

@Suite("Names")
struct NamesTests {
    @Test(
        "a subject that the server would refuse is refused with a reason",
        arguments: ["", "a b", "a..b", ".a", "a.", "a.*", "a.>", "$JS.API", "a\nb", String(repeating: "a", count: 256)])
    func subjects(_ text: String) {
        let error = #expect(throws: TransportError.self) { try Subject(text) }
        guard case .invalidName(text, let reason) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test("subjects, names and keys keep their text")
    func valid() throws {
        #expect(try Subject("prices.eur-usd.ÅSE").description == "prices.eur-usd.ÅSE")
        #expect(try ResourceName("INCIDENTS_2").description == "INCIDENTS_2")
        #expect(try BucketKey("users/1=a.b-c_d").description == "users/1=a.b-c_d")
    }

    @Test("names and keys refuse other characters", arguments: ["", "a b", "a*", "ä", "a\0"])
    func invalid(_ text: String) {
        #expect(throws: TransportError.self) { try ResourceName(text) }
        #expect(throws: TransportError.self) { try BucketKey(text) }
    }
}
