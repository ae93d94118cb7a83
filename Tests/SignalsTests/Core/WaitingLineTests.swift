import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// A key that counts comparisons and hashes.
private struct CountedKey: Hashable, Sendable {
    let number: Int
    let looks: Counter

    static func == (left: CountedKey, right: CountedKey) -> Bool {
        left.looks.increment()
        return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
        looks.increment()
        hasher.combine(number)
    }
}

@Suite("WaitingLine", .watched)
struct WaitingLineTests {
    @Test("matches the order of an array for random operations", arguments: 0..<20)
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var line = WaitingLine<Int, String>()
        var model: [Int] = []
        var longest = 0
        for key in 0..<400 {
            switch random.next() % 5 {
            case 0:
                expect(line.popFirst(), is: model.first.map { "\($0)" })
                model = Array(model.dropFirst())
            case 1:
                let unwanted = Int(random.next() % UInt64(key + 1))
                #expect(line.remove(unwanted) == (model.contains(unwanted) ? "\(unwanted)" : nil))
                model.removeAll { $0 == unwanted }
            default:
                line.append("\(key)", for: key)
                model.append(key)
            }
            longest = model.isEmpty && longest > 64 ? 0 : max(longest, model.count)
            expect(line.count, is: model.count)
            expect(line.capacity, is: longest)
        }
        for key in model { expect(line.popFirst(), is: "\(key)") }
        #expect(line.popFirst() == nil)
    }

    @Test("releases the memory of a long line when it is empty", arguments: [64, 65])
    func shrinks(length: Int) {
        var line = WaitingLine<Int, Int>()
        for _ in 0..<2 {
            for number in 0..<length { line.append(number, for: number) }
            for number in 0..<length {
                expect(line.capacity, is: length)
                expect(line.remove(number), is: number)
            }
            expect(line.capacity, is: length > 64 ? 0 : 64)
        }
    }

    @Test("needs few key comparisons to remove from a line of any length")
    func steps() {
        let looks = Counter()
        func looksPerRemoval(length: Int) -> Int {
            var line = WaitingLine<CountedKey, Int>()
            for number in 0..<length { line.append(number, for: CountedKey(number: number, looks: looks)) }
            let before = looks.value
            // From the end, where a linear search from the front would take longest.
            for number in (length - 100..<length).reversed() {
                expect(line.remove(CountedKey(number: number, looks: looks)), is: number)
            }
            return (looks.value - before) / 100
        }
        // Colliding hashes cost a few more comparisons, but no more of them in a longer line.
        #expect(looksPerRemoval(length: 100) < 20)
        #expect(looksPerRemoval(length: 20_000) < 20)
    }
}
