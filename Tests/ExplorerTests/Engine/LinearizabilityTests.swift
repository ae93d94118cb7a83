#if Explore
import Testing

extension AllExplorations {
    /// Tests the checker on histories that a register is known to allow or reject.
    @Suite("Linearizability")
    struct LinearizabilityTests {
        private func history(_ build: (History<Int>) -> Void) -> History<Int> {
            let history = History(0)
            build(history)
            return history
        }

        @Test("allows the calls of one thread only in their order")
        func oneThread() {
            let right = history {
                $0.read { 0 }
                $0.write(1) {}
                $0.update { (1, 2) }
                $0.read { 2 }
            }
            #expect(right.isLinearizable())
            #expect(right.isLinearizable(changes: [1, 2]))
            #expect(!right.isLinearizable(changes: [2, 1]))
            #expect(!right.isLinearizable(changes: [1]))
            #expect(!right.isLinearizable(changes: [1, 2, 2]))
        }

        @Test("allows overlapping calls to take effect in either order")
        func overlap() {
            for last in [1, 2] {
                let history = history {
                    $0.add(left: 1, from: 1, to: 4)
                    $0.add(left: 2, from: 2, to: 3)
                    $0.add(found: last, from: 5, to: 6)
                }
                #expect(history.isLinearizable())
                #expect(history.isLinearizable(changes: [3 - last, last]))
                #expect(!history.isLinearizable(changes: [last, 3 - last]))
            }
        }

        @Test("allows a read that overlaps a write to return either value")
        func readBesideWrite() {
            for found in [0, 1] {
                #expect(
                    history {
                        $0.add(left: 1, from: 1, to: 4)
                        $0.add(found: found, from: 2, to: 3)
                    }.isLinearizable())
            }
        }

        @Test("rejects a read of a value older than a completed write")
        func stale() {
            #expect(
                !history {
                    $0.add(left: 1, from: 1, to: 2)
                    $0.add(found: 0, from: 3, to: 4)
                }.isLinearizable())
        }

        @Test("rejects a read of a value that was never written")
        func invented() {
            #expect(!history { $0.add(found: 7, from: 1, to: 2) }.isLinearizable())
            #expect(
                !history {
                    $0.add(left: 1, from: 3, to: 4)
                    $0.add(found: 1, from: 1, to: 2)
                }.isLinearizable())
        }

        @Test("rejects two readers that see two writes in different orders")
        func disagreement() {
            let wrong = history {
                $0.add(left: 1, from: 1, to: 20)
                $0.add(left: 2, from: 2, to: 21)
                $0.add(found: 1, from: 3, to: 4)
                $0.add(found: 2, from: 5, to: 6)
                $0.add(found: 1, from: 7, to: 8)
            }
            #expect(!wrong.isLinearizable())
        }

        @Test("rejects a lost update")
        func lost() {
            // Both updates start from 0.
            let wrong = history {
                $0.add(found: 0, left: 1, from: 1, to: 3)
                $0.add(found: 0, left: 1, from: 2, to: 4)
            }
            #expect(!wrong.isLinearizable())
            let right = history {
                $0.add(found: 1, left: 2, from: 1, to: 3)
                $0.add(found: 0, left: 1, from: 2, to: 4)
                $0.add(found: 2, from: 5, to: 6)
            }
            #expect(right.isLinearizable())
        }

        @Test("rejects a write between the read and the write of an update")
        func torn() {
            let wrong = history {
                $0.add(found: 0, left: 10, from: 1, to: 6)
                $0.add(left: 5, from: 2, to: 3)
                $0.add(found: 5, from: 4, to: 5)
                $0.add(found: 5, from: 7, to: 8)
            }
            // The update precedes the write, whose value then remains.
            #expect(wrong.isLinearizable())
            #expect(!wrong.isLinearizable(changes: [5, 10]))
            let swapped = history {
                $0.add(found: 0, left: 10, from: 1, to: 6)
                $0.add(left: 5, from: 2, to: 3)
                $0.add(found: 5, from: 4, to: 5)
                $0.add(found: 10, from: 7, to: 8)
            }
            #expect(!swapped.isLinearizable())
        }

        @Test("agrees with a search of all orders for every small history")
        func allSmallHistories() {
            var checked = 0
            var allowed = 0
            // Three calls with two values, with every arrangement of their intervals.
            let kinds: [(found: Int?, left: Int?)] = [(0, nil), (1, nil), (nil, 1), (nil, 0), (0, 1), (1, 0)]
            let intervals = [(1, 2), (1, 4), (3, 4), (3, 6), (5, 6), (1, 6)]
            for code in 0..<(kinds.count * kinds.count * kinds.count) {
                for places in 0..<(intervals.count * intervals.count * intervals.count) {
                    let history = History(0)
                    var calls: [History<Int>.Call] = []
                    for (kind, place) in zip(digits(code, kinds.count), digits(places, intervals.count)) {
                        let (found, left) = kinds[kind]
                        let (begin, end) = intervals[place]
                        history.add(found: found, left: left, from: begin, to: end)
                        calls.append(.init(found: found, left: left, begin: begin, end: end))
                    }
                    let expected = orders.contains { order in explains(order.map { calls[$0] }) }
                    if history.isLinearizable() != expected {
                        Issue.record("\(history): expected \(expected)")
                        return
                    }
                    checked += 1
                    if expected { allowed += 1 }
                }
            }
            #expect(checked == 46_656)
            #expect((1..<checked).contains(allowed))
        }

        private let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

        private func digits(_ code: Int, _ base: Int) -> [Int] {
            [code % base, code / base % base, code / base / base]
        }

        private func explains(_ calls: [History<Int>.Call]) -> Bool {
            var value = 0
            for (index, call) in calls.enumerated() {
                if calls[..<index].contains(where: { $0.begin > call.end }) { return false }
                if let found = call.found, found != value { return false }
                value = call.left ?? value
            }
            return true
        }
    }
}
#endif
