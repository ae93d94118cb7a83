import ExamplesKit
import Foundation
import TestSupport
import Testing

@testable import VitalsKit

@Suite("JSON")
struct JSONTests {
    @Test("escapes characters that would end a string or break the line")
    func escaping() {
        let text = JSON.string("a\"b\\c\n\r\t\u{0}\u{1F}é/").text
        #expect(text == #""a\"b\\c\n\r\t\u0000\u001fé/""#)
    }

    @Test("writes every kind of value on one line, in the order given")
    func values() {
        let json = JSON.object([
            ("z", .integer(.max)), ("a", .array([.number(1.25, decimals: 1), .number(.nan, decimals: 1)])),
            ("", .object([])),
        ])
        #expect(json.text == #"{"z":18446744073709551615,"a":[1.3,null],"":{}}"#)
    }

    @Test("can be parsed, whatever the names of the devices")
    func roundTrip() throws {
        var sample = Sample.made()
        let name = "we\"ird\\\u{1}\u{2028}é"
        sample.network.interfaces = [name: Transfer(bytesIn: 3, bytesOut: 1, seconds: 2)]
        let line = JSONLine.text(sample)
        #expect(!line.contains("\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let network = try #require(object["network"] as? [String: Any])
        expect(network["interfaces"] as? [String: [String: Double]], is: [name: ["in": 1.5, "out": 0.5]])
        expect(object["alerts"] as? [String], is: [])
    }
}
