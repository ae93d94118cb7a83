import HotSignals

/// Units that have been admitted and have not begun, the first one first.
struct WaitingLine {
    private var units = Queue<any ActionUnit>()
    /// The same, for the question whether one is among them, which every unit asks at its end.
    private var members: Set<ObjectIdentifier> = []

    var count: Int { units.count }

    mutating func append(_ unit: any ActionUnit) {
        units.append(unit)
        members.insert(ObjectIdentifier(unit))
    }

    mutating func popFirst() -> (any ActionUnit)? {
        guard let first = units.popFirst() else { return nil }
        members.remove(ObjectIdentifier(first))
        return first
    }

    /// Returns false if it is not among them. The caller has a reference of its own, so this is not the last.
    mutating func remove(_ unit: any ActionUnit) -> Bool {
        guard members.remove(ObjectIdentifier(unit)) != nil else { return false }
        var rest = Queue<any ActionUnit>()
        for position in 0..<units.count where units[position] !== unit { rest.append(units[position]) }
        units = rest
        return true
    }
}
