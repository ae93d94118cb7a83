import HotSignals

/// The starts of inner streams, by the numbers of the streams. One alone needs no memory of its own.
@frozen @usableFromInline
struct NumberedStarts: Sendable {
    /// 0 if there is no ``first``.
    @usableFromInline var number: UInt = 0
    @usableFromInline var first: Start?
    @usableFromInline var others: [UInt: Start] = [:]

    @_alwaysEmitIntoClient
    init() {}

    @usableFromInline
    var count: Int { others.count + (first == nil ? 0 : 1) }

    @usableFromInline
    func start(of number: UInt) -> Start? { number == self.number ? first : others[number] }

    @_alwaysEmitIntoClient
    mutating func add(_ start: Start, _ number: UInt) {
        if first == nil { (self.number, first) = (number, start) } else { addToOthers(start, number) }
    }

    @usableFromInline
    mutating func addToOthers(_ start: Start, _ number: UInt) { others[number] = start }

    /// Streams of a single value have no start: usually they need not be looked for.
    @_alwaysEmitIntoClient
    mutating func remove(_ number: UInt) -> Start? {
        if number == self.number {
            self.number = 0
            return first.take()
        }
        return others.isEmpty ? nil : removeFromOthers(number)
    }

    @usableFromInline
    mutating func removeFromOthers(_ number: UInt) -> Start? { others.removeValue(forKey: number) }

    /// Removes and returns all.
    @_alwaysEmitIntoClient
    mutating func removeAll() -> NumberedStarts { exchange(&self, with: NumberedStarts()) }

    /// Removes and returns all but one.
    @usableFromInline
    mutating func removeAll(but number: UInt) -> NumberedStarts {
        let kept = remove(number)
        let removed = removeAll()
        if let kept { add(kept, number) }
        return removed
    }

    /// In the order in which the streams have begun.
    @usableFromInline
    func disposeOfAll() {
        if others.isEmpty {
            first?.dispose()
        } else {
            var all = others
            all[number] = first
            all.forEachInOrder { $0.dispose() }
        }
    }
}
