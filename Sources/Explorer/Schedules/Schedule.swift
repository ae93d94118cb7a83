#if Explore
/// The step at which a choice is made, and its kind.
struct Moment: Hashable, Comparable {
    enum Kind: String {
        /// Which thread continues.
        case thread = "="
        /// Which store a load returns, by its age.
        case read = "r"
        /// Which thread is woken.
        case wake = "w"
    }

    let step: Int
    let kind: Kind

    static func < (left: Moment, right: Moment) -> Bool {
        (left.step, left.kind.rawValue) < (right.step, right.kind.rawValue)
    }
}

/// A choice that was made, and the number of alternatives.
struct Choice {
    let moment: Moment
    let index: Int
    let count: Int
}

/// The choices of an execution as a line that replays it, such as `17=1 23r1 /85`.
///
/// It lists the choices that differ from the default, and the number of steps. The default is the running thread or, if
/// that cannot continue, the thread with the lowest number; and, for a load, the last store. In the example, the second
/// of the threads that could continue did so at step 17, a load returned the store before the last one at step 23, and
/// there were 85 steps.
package struct Schedule: Hashable, Sendable, CustomStringConvertible {
    let exceptions: [Moment: Int]
    let length: Int

    init(_ choices: [Choice], length: Int) {
        exceptions = Dictionary(uniqueKeysWithValues: choices.filter { $0.index > 0 }.map { ($0.moment, $0.index) })
        self.length = length
    }

    private init(exceptions: [Moment: Int], length: Int) {
        self.exceptions = exceptions
        self.length = length
    }

    /// Parses a line printed by ``description``. Returns `nil` if it is malformed.
    package init?(_ line: String) {
        var exceptions: [Moment: Int] = [:]
        var parts = line.split(separator: " ")
        guard let last = parts.popLast(), last.first == "/", let length = Int(last.dropFirst()) else { return nil }
        for part in parts {
            guard let mark = part.firstIndex(where: { !$0.isNumber }),
                let kind = Moment.Kind(rawValue: "\(part[mark])"),
                let step = Int(part[..<mark]), let index = Int(part[part.index(after: mark)...]), index > 0
            else { return nil }
            exceptions[Moment(step: step, kind: kind)] = index
        }
        self.init(exceptions: exceptions, length: length)
    }

    package var description: String {
        let choices = exceptions.sorted { $0.key < $1.key }.map { "\($0.key.step)\($0.key.kind.rawValue)\($0.value)" }
        return (choices + ["/\(length)"]).joined(separator: " ")
    }

    /// Returns the same schedule with the default choice at one moment.
    func without(_ moment: Moment) -> Schedule {
        var rest = exceptions
        rest[moment] = nil
        return Schedule(exceptions: rest, length: length)
    }
}
#endif
