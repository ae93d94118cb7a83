import Foundation
import TestSupport
import Testing

@testable import ConfigReloadKit

@Suite("Parsing JSON with source positions")
struct ConfigReloadParserTests {
    private func parse(_ text: String) throws -> JSONNode.Content { try JSONParser.parse(Array(text.utf8)).content }

    @Test(
        "reads every kind of value",
        arguments: [
            ("null", .null), ("true", .boolean(true)), ("false", .boolean(false)), (" \t\r\n0 ", .number(0)),
            ("-0.5e+2", .number(-50)), ("1E3", .number(1000)), ("12e-1", .number(1.2)), ("\"\"", .string("")),
            (#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#, .string("\"\\/\u{8}\u{C}\n\r\té😀é")), ("[]", .array([])),
            ("{ }", .object([])), ("\u{FEFF}null", .null),
        ] as [(String, JSONNode.Content)])
    func values(_ text: String, _ content: JSONNode.Content) throws {
        #expect(try parse(text) == content)
    }

    @Test("records where each value begins, and keeps duplicate names")
    func places() throws {
        let one = JSONNode(content: .number(1), offset: 6)
        let list = JSONNode(content: .array([JSONNode(content: .boolean(true), offset: 15)]), offset: 13)
        let members = [
            JSONNode.Member(name: "a", offset: 1, value: one), JSONNode.Member(name: "a", offset: 8, value: list),
        ]
        #expect(try parse(#"{"a": 1,"a": [ true]}"#) == .object(members))
    }

    @Test("reports errors with line and column as an editor counts them")
    func errors() {
        let cases: [(text: String, place: String, reason: String)] = [
            ("", "1:1", "expected a value, but the text is empty"),
            (" \n ", "2:2", "expected a value, but the text is empty"),
            ("\u{FEFF}x", "1:1", "expected a value, found \"x\""),
            ("{\n  \"a\": 1,\n  \"b\"", "3:6", "expected \":\", found the end of the text"),
            ("{\n  \"a\":", "2:7", "expected a value, found the end of the text"),
            ("{\n  \"a\": 1", "2:9", "expected \",\" or \"}\", found the end of the text"),
            ("{\"a\": \"xy", "1:10", "expected a closing quote, found the end of the text"),
            ("{\"a\": \"xy\\", "1:11", "expected the rest of an escape, found the end of the text"),
            ("{\n  \"a\": 1\n  \"b\": 2\n}", "3:3", "expected \",\" or \"}\", found \"\"\""),
            ("{\"a\": 1,\n}", "2:1", "expected another name in quotes after the comma, found \"}\""),
            ("{a: 1}", "1:2", "expected a name in quotes, found \"a\""),
            ("[1,]", "1:4", "expected a value, found \"]\""),
            ("[1 2]", "1:4", "expected \",\" or \"]\", found \"2\""),
            ("{} true", "1:4", "expected the end of the text, found \"true\""),
            ("{\r\n\"é😀\": tru}", "2:7", "expected a value, found \"tru\""),
            ("// no", "1:1", "expected a value, found \"/\""),
            ("\u{1}", "1:1", "expected a value, found \"?\""),
            ("\"a\nb\"", "1:3", "line break in a string: close the string, or use an escape"),
            ("\"a\u{1}\"", "1:3", "control character in a string: close the string, or use an escape"),
            (#""\x""#, "1:2", "unknown escape"), (#""\u12G4""#, "1:2", "unknown escape"),
            (#""\ud800""#, "1:2", "unknown escape"), (#""\ud800\u0041""#, "1:2", "unknown escape"),
            (#""\udc00""#, "1:2", "unknown escape"),
            ("01", "1:1", "a number cannot begin with 0"), ("[-]", "1:3", "expected a digit, found \"]\""),
            ("1.", "1:3", "expected a digit, found the end of the text"),
            ("1e", "1:3", "expected a digit, found the end of the text"),
            (".5", "1:1", "expected a value, found \".\""), ("1e999", "1:1", "the number 1e999 is too large"),
            (String(repeating: "[", count: 101), "1:101", "more than 100 nested values"),
        ]
        for (text, place, reason) in cases {
            check(Array(text.utf8), place, reason)
        }
        check([0x7B, 0x0A, 0x22, 0xE9, 0x22, 0x7D], "2:2", "the text is not valid UTF-8 from here on")
        check([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], "1:1", "the text is not valid UTF-8 from here on")
    }

    private func check(_ bytes: [UInt8], _ place: String, _ reason: String) {
        let error = #expect(throws: JSONError.self) { try JSONParser.parse(bytes) }
        expect(error?.reason, is: reason)
        expect(error.map { TextPosition(of: $0.offset, in: bytes).description }, is: place, "\(reason)")
    }

    @Test("reports an error at the end of every truncated text")
    func truncated() throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: RunningProcess.fixtures + "/config/good.json")))
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        for count in 0...end {
            let error = #expect(throws: JSONError.self) { try JSONParser.parse(Array(bytes[..<count])) }
            expect(error?.offset, is: count)
        }
    }
}
