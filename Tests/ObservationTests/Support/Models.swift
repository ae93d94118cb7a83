import Foundation
import Observation

/// A model that any thread may use. It announces and makes each change under the lock that its getter takes.
final class SharedModel<Value: Sendable>: Observable, @unchecked Sendable {
    // Sendable: the lock guards the stored value.
    private let registrar = ObservationRegistrar()
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get {
            registrar.access(self, keyPath: \.value)
            return lock.withLock { stored }
        }
        set { change { $0 = newValue } }
    }

    func change(_ body: (inout Value) -> Void) {
        lock.withLock { registrar.withMutation(of: self, keyPath: \.value) { body(&stored) } }
    }
}

/// A model of the main actor.
@MainActor @Observable final class Cart {
    var prices: [Int] = []
    var discount = 0
}

/// A model without isolation, which its owner isolates.
@Observable final class Tally {
    var count = 0
    var name = ""
}
