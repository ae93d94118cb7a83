/// A place in the user's code, in one word, so that passing it costs next to nothing.
@frozen @usableFromInline
package struct CodeLocation: Sendable, Hashable {
    /// The address of the file's name, and in the lowest 16 bits the line. 0 if the place is not known.
    ///
    /// 48 bits are enough for the address of a static string on the platforms that have 64.
    @usableFromInline package let bits: UInt64

    @inlinable @inline(__always)
    package init(bits: UInt64) { self.bits = bits }

    /// - Parameters:
    ///   - file: Must be stored as a pointer, as `#fileID` is.
    ///   - line: The highest number that can be told is 65,535.
    @inlinable @inline(__always)
    package init(_ file: StaticString, _ line: UInt) {
        bits = UInt64(UInt(bitPattern: file.utf8Start)) << 16 | UInt64(min(line, 0xffff))
    }

    @inlinable @inline(__always)
    package static var unknown: CodeLocation { CodeLocation(bits: 0) }

    /// The file, such as `App/Orders.swift`, or `nil` if the place is not known.
    package var file: String? { UnsafePointer<CChar>(bitPattern: UInt(bits >> 16)).map { String(cString: $0) } }

    package var line: UInt { UInt(bits & 0xffff) }

    /// The place, unless it is not known or in the library itself.
    package var place: (fileID: String, line: UInt)? {
        guard let file else { return nil }
        if let module = file.split(separator: "/").first, Self.libraryModules.contains(module) { return nil }
        return (file, line)
    }

    private static let libraryModules: Set<Substring> = [
        "HotSignals", "ColdProducers", "ReactiveProperties", "ReactiveAsync", "ReactiveActions", "ReactiveObservation",
        "ReactiveSignalsFoundation", "ReactiveSignalsTesting",
    ]
}
