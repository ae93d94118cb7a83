#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveServer
import ReactiveSignals
import Testing

extension AllExplorations {
    @Suite("KeyedProperty")
    struct KeyedPropertyExplorations {
        @Test("the last change of a key is its value, also if a disposal has made it", arguments: [false, true])
        func lastChange(isPassive: Bool) {
            exhaust(
                Scenario("a key that is set, removed and set\(isPassive ? ", in disposals" : "")") { trial in
                    let rooms = KeyedProperty<Int, Int>(maxKeys: 2)
                    let last = Held<Int>(nil)
                    rooms.changes.observeNext { last.value = $0.value }
                    func change(_ body: @escaping @Sendable () -> Void) {
                        trial.thread { if isPassive { PassiveSection.run(body) } else { body() } }
                    }
                    change { try? rooms.set(1, for: 0) }
                    change { rooms.remove(0) }
                    trial.thread { try? rooms.set(9, for: 0) }
                    trial.finally {
                        trial.expect(last.value == rooms[0], "\(String(describing: last.value)) for \(rooms.value)")
                        trial.expect(rooms.count.value == rooms.value.count, "\(rooms.count.value)")
                    }
                }, preemptions: 2)
        }

        @Test("a property of a key follows it while others set and remove it")
        func follower() {
            exhaust(
                Scenario("a key that is set and removed beside its property") { trial in
                    let rooms = KeyedProperty<Int, Int>(maxKeys: 2)
                    let held = Held<Property<Int?>>(nil)
                    trial.thread { try? rooms.set(1, for: 0) }
                    trial.thread { rooms.remove(0) }
                    trial.thread { held.value = rooms.property(for: 0) }
                    trial.finally {
                        trial.expect(held.value?.value == .some(rooms[0]), "\(String(describing: held.value?.value))")
                        try? rooms.set(5, for: 0)
                        trial.expect(held.value?.value == .some(5), "the property follows another entry")
                    }
                }, preemptions: 2)
        }
    }
}
#endif
