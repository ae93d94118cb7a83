/// A node of the chain that a stream's name is read off: what made the stream, from which other.
///
/// The text is built only when asked for. It lives in the stream's core and costs no allocation: a static string, a
/// number, and a reference to the upstream that the core holds anyway.
@frozen @usableFromInline
package struct StreamName: @unchecked Sendable {
    // Sendable: immutable. `parent` is a `SignalCore`, a `NameNode`, a `Junction` or a `Label`, all Sendable.

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

    /// The name that a user gave, as a root.
    package init(label: String) { self.init("", parent: Label(label)) }

    /// The name as people read it: `[[[username] -skipRepeats] -take: 3] -filter:`.
    @usableFromInline
    package var description: String { Self.description(self, given: nil) }

    /// The name of a core, as people read it.
    @usableFromInline
    package static func description(of core: SignalCore) -> String { description(core.name, given: core.givenName) }

    /// - Parameter given: The name that a user gave to what has this name.
    private static func description(_ name: StreamName, given: String?) -> String {
        // From the newest stage to the root without recursion, as chains may be thousands of stages long.
        var stages: [String] = []
        var name = name
        var root = given
        while root == nil {
            let stage = name.stage
            switch name.parent {
            case let upstream as SignalCore:
                // Without a text it is the same thing, in another form, or a part of the next stage.
                if !stage.isEmpty { stages.append(stage) }
                name = upstream.name
                root = upstream.givenName
            case let upstream as NameNode:
                if !stage.isEmpty { stages.append(stage) }
                name = upstream.name
            case let label as Label: root = label.text
            case let junction as Junction:
                root = stage + " (" + junction.inputs.map { $0() }.joined(separator: ", ") + ")"
            default: root = stage
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

/// The name of a producer, for those that are derived from it.
@usableFromInline
package final class NameNode: Sendable {
    let name: StreamName

    @usableFromInline
    package init(_ name: StreamName) { self.name = name }
}

/// The inputs of an operator that has several.
@usableFromInline
package final class Junction: Sendable {
    /// What tells their names, when it is asked for.
    let inputs: [@Sendable () -> String]

    @usableFromInline
    package init(_ inputs: [SignalCore]) { self.inputs = inputs.map { core in { StreamName.description(of: core) } } }

    @usableFromInline
    package init(_ inputs: [StreamName]) { self.inputs = inputs.map { name in { name.description } } }
}
