import ReactiveSignals
import TestSupport

extension Step {
    /// The operators on one signal.
    static let plainSteps: [@Sendable (inout Choices) -> Step] =
        mappingSteps + takingSteps + gatheringSteps + endingSteps

    private static let mappingSteps: [@Sendable (inout Choices) -> Step] = [
        { random in
            let addend = random.number(in: 1...3)
            return Step(
                "map { rest($0 + \(addend), 7) }", { source, w in source.map { w.see(rest($0 &+ addend, 7)) } },
                state: ()
            ) { _, value in [.next(rest(value &+ addend, 7))] }
        },
        { _ in
            Step("mapReplace(5)", { source, _ in source.mapReplace(5) }, state: ()) { _, _ in [.next(5)] }
        },
        { random in
            let modulus = random.number(in: 2...3)
            return Step(
                "filter { !isMultiple($0, \(modulus)) }",
                { source, w in source.filter { w.see(!isMultiple($0, modulus)) } }, state: ()
            ) { _, value in isMultiple(value, modulus) ? [] : [.next(value)] }
        },
        { random in
            let modulus = random.number(in: 2...3)
            return Step(
                "compactMap { isMultiple($0, \(modulus)) ? nil : -$0 }",
                { source, w in source.compactMap { w.see(isMultiple($0, modulus) ? nil : -$0) } }, state: ()
            ) { _, value in isMultiple(value, modulus) ? [] : [.next(-value)] }
        },
        { random in
            let modulus = random.number(in: 2...3)
            return Step(
                "map { isMultiple($0, \(modulus)) ? nil : $0 }.skipNil()",
                { source, w in source.map { w.see(isMultiple($0, modulus) ? nil : $0) }.skipNil() }, state: ()
            ) { _, value in isMultiple(value, modulus) ? [] : [.next(value)] }
        },
        { _ in
            Step("scan(1, pair)", { source, w in source.scan(1) { w.see(pair($0, $1)) } }, state: 1) { state, value in
                state = pair(state, value)
                return [.next(state)]
            }
        },
        { _ in
            Step("scan(into: 2, pair)", { source, w in source.scan(into: 2) { $0 = w.see(pair($0, $1)) } }, state: 2) {
                state, value in
                state = pair(state, value)
                return [.next(state)]
            }
        },
        { _ in
            Step(
                "scanMap(0) { ($0 + 1, pair($0, $1)) }",
                { source, w in source.scanMap(0) { w.see(($0 + 1, pair($0, $1))) } }, state: 0
            ) { state, value in
                defer { state += 1 }
                return [.next(pair(state, value))]
            }
        },
        { _ in
            Step("combinePrevious()", { source, _ in source.combinePrevious().map(pair) }, state: Int?.none) {
                previous, value in
                defer { previous = value }
                return previous.map { [.next(pair($0, value))] } ?? []
            }
        },
        { _ in
            Step("combinePrevious(3)", { source, _ in source.combinePrevious(3).map(pair) }, state: 3) {
                previous, value in
                defer { previous = value }
                return [.next(pair(previous, value))]
            }
        },
        { random in
            let count = random.number(in: 2...4)
            return Step(
                "map { parts($0, \(count)) }.flatten()",
                { source, w in source.map { w.see(parts($0, count)) }.flatten() }, state: ()
            ) { _, value in parts(value, count).map { .next($0) } }
        },
        { _ in
            Step(
                "on(event: note)", isNoted: true, { source, w in source.on(event: { w.note($0) }) }, state: ()
            ) { _, value in [.next(value)] }
        },
    ]
}
