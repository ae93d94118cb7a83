/// A node in the chain from which a stream's name is built: the operator that created the stream, and its upstream.
///
/// The text is built only on request. The node is stored in the stream's core and needs no allocation: it is a static
/// string, a number, and a reference to the upstream, which the core retains anyway.
@frozen @usableFromInline
package struct StreamName: @unchecked Sendable {
    // Sendable: immutable. `parent` is a `SignalCore`, a `NameNode`, an `OperatorInputs` or a `Label`, all Sendable.

    /// What the stream is derived from, or `nil` for a root.
    @usableFromInline let parent: AnyObject?
    /// The operator as it is printed, with `#` as the placeholder for its number and `@` for its duration. A static
    /// string: it lives as long as the process and is null-terminated.
    @usableFromInline let text: UnsafePointer<UInt8>
    /// The number, or the duration in nanoseconds. For a root whose text has no placeholder: where it was made.
    @usableFromInline let argument: Int64

    @inlinable
    package init(_ text: StaticString, argument: Int = 0, parent: AnyObject? = nil) {
        self.parent = parent
        self.text = text.utf8Start
        self.argument = Int64(argument)
    }

    /// Creates a root that remembers where it was made. The text has no placeholder.
    @inlinable
    package init(_ text: StaticString, madeAt location: CodeLocation) {
        parent = nil
        self.text = text.utf8Start
        argument = Int64(bitPattern: location.bits)
    }

    /// Creates a root from the name that the user gave.
    package init(label: String, _ location: CodeLocation? = nil) {
        self.init("", parent: Label(label, location))
    }

    /// The printed name: `[[[username] -skipRepeats] -take: 3] -filter:`.
    @usableFromInline
    package var description: String { Self.description(self, given: nil) }

    /// The printed name of a core.
    @usableFromInline
    package static func description(of core: SignalCore) -> String {
        description(core.name, given: core.givenName?.text)
    }

    /// - Parameters:
    ///   - given: The name that the user gave to the stream, if any.
    ///   - limit: How many stages to print at most. A longer name begins with an ellipsis.
    static func description(_ name: StreamName, given: String?, limit: Int = .max) -> String {
        // Iterates from the newest stage to the root instead of recursing, because chains can be thousands of stages
        // long.
        var stages: [String] = []
        var name = name
        var root = given
        while root == nil {
            if stages.count == limit {
                root = "…"
                break
            }
            let stage = name.stage
            switch name.parent {
            case let upstream as SignalCore:
                // A stage without text is the same stream in another form, or a part of the next stage.
                if !stage.isEmpty { stages.append(stage) }
                name = upstream.name
                root = upstream.givenName?.text
            case let upstream as NameNode:
                if !stage.isEmpty { stages.append(stage) }
                name = upstream.name
            case let label as Label: root = label.text
            case let inputs as OperatorInputs:
                root = stage + " (" + inputs.names.joined(separator: ", ") + ")"
            default: root = stage
            }
        }
        return String(repeating: "[", count: stages.count) + (root ?? "")
            + stages.reversed().map { "] -" + $0 }.joined()
    }

    /// Where the root was made, if that is known.
    var origin: CodeLocation {
        if parent != nil || String(cString: text).contains(where: { $0 == "#" || $0 == "@" }) { return .unknown }
        return CodeLocation(bits: UInt64(bitPattern: argument))
    }

    /// The text with its argument inserted.
    var stage: String {
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

/// A name given by the user.
@usableFromInline
package final class Label: Sendable {
    package let text: String
    /// Where it was given.
    package let location: CodeLocation?

    @usableFromInline
    package init(_ text: String, _ location: CodeLocation? = nil) {
        self.text = text
        self.location = location
    }
}

/// The name of a producer, as the parent of names derived from it.
@usableFromInline
package final class NameNode: Sendable {
    let name: StreamName

    @usableFromInline
    package init(_ name: StreamName) { self.name = name }
}

/// The inputs of an operator with several inputs.
@usableFromInline
package final class OperatorInputs: Sendable {
    /// Those of the inputs that are signals.
    let cores: [SignalCore]
    /// The names of the inputs, unless all of them are signals.
    private let streams: [StreamName]

    @usableFromInline
    package init(_ inputs: [SignalCore]) { (cores, streams) = (inputs, []) }

    @usableFromInline
    package init(_ inputs: [StreamName], signals cores: [SignalCore] = []) { (self.cores, streams) = (cores, inputs) }

    /// The names of the inputs, built on request.
    var names: [String] {
        streams.isEmpty ? cores.map { StreamName.description(of: $0) } : streams.map(\.description)
    }
}
