import ReactiveSignals
import TestSupport

extension Step {
    /// Operators that select values.
    static let takingSteps: [@Sendable (inout Choices) -> Step] = [
        { random in
            let count = random.number(in: 1...4)
            return Step("take(first: \(count))", { source, _ in source.take(first: count) }, state: 0) { sent, value in
                sent += 1
                return sent == count ? [.next(value), .completed] : [.next(value)]
            }
        },
        { random in
            guard random.once(in: 4) else { return takeLast(random.number(in: 0...3)) }
            return Step("take(first: 0)", gate: .shared, { source, _ in source.take(first: 0) }) { EndedModel() }
        },
        { random in
            let modulus = random.number(in: 4...8)
            return Step(
                "take(while: { !isMultiple($0, \(modulus)) })",
                { source, w in source.take(while: { w.see(!isMultiple($0, modulus)) }) }, state: ()
            ) { _, value in isMultiple(value, modulus) ? [.completed] : [.next(value)] }
        },
        { random in
            let modulus = random.number(in: 4...8)
            return Step(
                "take(throughWhile: { !isMultiple($0, \(modulus)) })",
                { source, w in source.take(throughWhile: { w.see(!isMultiple($0, modulus)) }) }, state: ()
            ) { _, value in isMultiple(value, modulus) ? [.next(value), .completed] : [.next(value)] }
        },
        { random in
            let modulus = random.number(in: 2...5)
            return Step(
                "first { isMultiple($0, \(modulus)) }",
                { source, w in source.first { w.see(isMultiple($0, modulus)) } }, state: ()
            ) { _, value in isMultiple(value, modulus) ? [.next(value), .completed] : [] }
        },
        { random in
            let modulus = random.number(in: 2...5)
            return Step(
                "last { isMultiple($0, \(modulus)) }",
                { source, w in source.last { w.see(isMultiple($0, modulus)) } }, state: Int?.none
            ) { last, value in
                if isMultiple(value, modulus) { last = value }
                return []
            } end: { last, end in
                end.isCompleted ? [last.map { .next($0) }, end].compactMap(\.self) : [end]
            }
        },
        { random in
            let index = random.number(in: 0...3)
            return Step("element(at: \(index))", { source, _ in source.element(at: index) }, state: 0) { seen, value in
                seen += 1
                return seen > index ? [.next(value), .completed] : []
            }
        },
        { random in
            let count = random.number(in: 0...3)
            return Step("skip(first: \(count))", { source, _ in source.skip(first: count) }, state: 0) { seen, value in
                seen += 1
                return seen > count ? [.next(value)] : []
            }
        },
        { random in
            let modulus = random.number(in: 2...3)
            return Step(
                "skip(while: { !isMultiple($0, \(modulus)) })",
                { source, w in source.skip(while: { w.see(!isMultiple($0, modulus)) }) }, state: false
            ) { isOver, value in
                isOver = isOver || isMultiple(value, modulus)
                return isOver ? [.next(value)] : []
            }
        },
        { _ in
            Step("skipRepeats()", { source, _ in source.skipRepeats() }, state: Int?.none) { last, value in
                defer { last = value }
                return value == last ? [] : [.next(value)]
            }
        },
        { random in
            let distance = random.number(in: 1...3)
            return Step(
                "skipRepeats { abs($0 - $1) <= \(distance) }",
                { source, w in source.skipRepeats { w.see(abs($0 - $1) <= distance) } }, state: Int?.none
            ) { last, value in
                defer { last = value }
                return last.map { abs($0 - value) <= distance } == true ? [] : [.next(value)]
            }
        },
        { _ in
            Step("uniqueValues()", { source, _ in source.uniqueValues() }, state: Set<Int>()) { seen, value in
                seen.insert(value).inserted ? [.next(value)] : []
            }
        },
        { random in
            let modulus = random.number(in: 2...6)
            return Step(
                "uniqueValues { rest($0, \(modulus)) }",
                { source, w in source.uniqueValues { w.see(rest($0, modulus)) } }, state: Set<Int>()
            ) { seen, value in seen.insert(rest(value, modulus)).inserted ? [.next(value)] : [] }
        },
        { random in
            let (capacity, modulus) = (random.number(in: 1...3), random.number(in: 3...5))
            return Step(
                "uniqueValues(capacity: \(capacity)) { rest($0, \(modulus)) }",
                { source, w in source.uniqueValues(capacity: capacity) { w.see(rest($0, modulus)) } }, state: [Int]()
            ) { seen, value in
                let identity = rest(value, modulus)
                if seen.contains(identity) { return [] }
                seen = (seen + [identity]).suffix(capacity)
                return [.next(value)]
            }
        },
    ]

    private static func takeLast(_ count: Int) -> Step {
        Step("take(last: \(count))", { source, _ in source.take(last: count) }, state: [Int]()) { values, value in
            values.append(value)
            return []
        } end: { values, end in
            end.isCompleted ? values.suffix(count).map { .next($0) } + [end] : [end]
        }
    }
}

/// A signal that is completed from the start.
struct EndedModel: Model {
    func begin() -> [ModelEffect] { [.send(.completed)] }
    func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] { [] }
}
