import Testing

@testable import FetcherKit

@Suite("URLs")
struct AddressTests {
    @Test(
        "URLs that can be fetched",
        arguments: [
            ("http://example.com", "http://example.com/"),
            ("https://example.com/a%20b?c=d#e", "https://example.com/a%20b?c=d"),
            ("http://EXAMPLE.com:8080/A", "http://EXAMPLE.com:8080/A"),
            ("http://[::1]:80/", "http://[::1]:80/"),
        ])
    func good(_ text: String, _ expected: String) {
        #expect(WebAddress(text)?.description.lowercased() == expected.lowercased())
    }

    @Test(
        "URLs that cannot be fetched",
        arguments: [
            "", "example.com", "/a", "ftp://example.com/", "file:///etc/passwd", "http://", "http:///a",
            "http://user@example.com/", "http://user:secret@example.com/", "mailto:a@example.com",
        ])
    func bad(_ text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test(
        "the targets of redirects",
        arguments: [
            ("/c", "http://h/c"), ("c?d", "http://h/a/c?d"), ("//other/c", "http://other/c"), ("../c", "http://h/c"),
            ("https://other:8443/c", "https://other:8443/c"), ("ftp://other/c", nil), ("http://user@other/", nil),
        ] as [(String, String?)])
    func redirects(_ location: String, _ expected: String?) throws {
        let address = try #require(WebAddress("http://h/a/b"))
        #expect(address.following(location)?.description == expected)
    }

    @Test("the case of the host is ignored")
    func host() {
        #expect(WebAddress("http://Example.COM/")?.host == "example.com")
        #expect(WebAddress("HTTP://h/a") == WebAddress("http://h/a"))
        #expect(WebAddress("http://H/a") == WebAddress("http://h/a"))
    }

    @Test("characters that control the terminal are not printed")
    func printable() {
        #expect("a\u{1B}[2Jb\r\nc\u{202E}d".printable == "a?[2Jb??c?d")
    }
}
