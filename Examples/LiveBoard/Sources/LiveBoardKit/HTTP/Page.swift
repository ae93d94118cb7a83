import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The files of the page, read once from Resources/Page.
struct Page: Sendable {
    struct File: Sendable {
        let type: String
        let bytes: ByteBuffer
        /// Changes with the contents, so that a browser loads only what has changed.
        let tag: String

        init(_ name: String, _ type: String) throws {
            guard let url = Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Page") else {
                throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
            }
            let data = try Data(contentsOf: url)
            self.type = type
            bytes = ByteBuffer(bytes: data)
            // FNV-1a suffices, because the tag only distinguishes versions.
            let hash = data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            tag = "\"\(String(hash, radix: 16))\""
        }

        func response(to request: Request) -> Response {
            let headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache", .eTag: tag]
            if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
        }
    }

    /// By path.
    let files: [String: File]

    init() throws {
        files = [
            "/": try File("index.html", "text/html; charset=utf-8"),
            "/app.js": try File("app.js", "text/javascript; charset=utf-8"),
            "/style.css": try File("style.css", "text/css; charset=utf-8"),
            "/icon.svg": try File("icon.svg", "image/svg+xml"),
        ]
    }
}
