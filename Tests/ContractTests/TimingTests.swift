import Testing
import ReactiveSignals
import ReactiveSignalsTesting
import Foundation
@Test("timing of checks") func timingOfChecks() {
    var total: [String: (Double, Double, Int)] = [:]
    for c in ContractCase.table {
        let (a, b) = (Double(clock()), Date())
        c.expectNothingFound(rounds: 100)
        let t = total[c.check.rule] ?? (0, 0, 0)
        total[c.check.rule] = (t.0 + (Double(clock()) - a) / 1e6, t.1 + Date().timeIntervalSince(b), t.2 + 1)
    }
    for (k, v) in total.sorted(by: { $0.value.1 > $1.value.1 }) { print(String(format: "TIME %.2f cpu %.2f wall %d ", v.0, v.1, v.2), k) }
}
