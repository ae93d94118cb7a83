/// A node of the chain that a stream's name is read off: what made the stream, from which other.
///
/// The text is built only when asked for. It lives in the stream's core and costs no allocation: a static string, a
/// number, and a reference to the upstream that the core holds anyway.
@frozen @usableFromInline
package struct StreamName: @unchecked Sendable {
    // Sendable: immutable. `parent` is a `SignalCore` or a `Junction`, both Sendable.

    /// What the stream is derived from; nil for a root.
    @usableFromInline let parent: AnyObject?
    /// The operator as it is printed, with `#` where its number and `@` where its duration goes. A static string, which
    /// lives as long as the process and ends with a zero.
    @usableFromInline let text: UnsafePointer<UInt8>
    /// The number, or the duration in nanoseconds.
    @usableFromInline let argument: Int

    @inlinable
    package init(_ text: StaticString, argument: Int = 0, parent: AnyObject? = nil) {
        self.parent = parent
        self.text = text.utf8Start
        self.argument = argument
    }

    /// The name as people read it: `[[[username] -skipRepeats] -take: 3] -filter:`.
    @usableFromInline
    package static func description(of core: SignalCore) -> String {
        // From the newest stage to the root without recursion, as chains may be thousands of stages long.
        var stages: [String] = []
        var core = core
        var root = core.givenName
        while root == nil {
            let stage = core.name.stage
            if let upstream = core.name.parent as? SignalCore {
                stages.append(stage)
                core = upstream
                root = core.givenName
            } else if let junction = core.name.parent as? Junction {
                root = stage + " (" + junction.inputs.map(description).joined(separator: ", ") + ")"
            } else {
                root = stage
            }
        }
        return String(repeating: "[", count: stages.count) + (root ?? "")
            + stages.reversed().map { "] -" + $0 }.joined()
    }

    /// The text with its argument filled in.
    private var stage: String {
        var result = ""
        for part in String(cString: text) {
            switch part {
            case "#": result += String(argument)
            case "@": result += Duration.nanoseconds(argument).description
            default: result.append(part)
            }
        }
        return result
    }
}

/// A name that a user gave.
final class Label: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}

/// The inputs of an operator that has several.
@usableFromInline
package final class Junction: Sendable {
    let inputs: [SignalCore]

    @usableFromInline
    package init(_ inputs: [SignalCore]) { self.inputs = inputs }
}
