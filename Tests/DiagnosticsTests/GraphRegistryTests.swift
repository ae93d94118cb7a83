import HotSignals
import ReactiveDiagnostics
import TestSupport
import Testing

/// A member that says whether it has been visited after its end.
private final class Member: GraphMember {
    let number: Int
    private let visits: Counter

    init(_ number: Int, _ visits: Counter) {
        self.number = number
        self.visits = visits
        GraphRegistry.add(at: GraphHook.address(of: self))
    }

    deinit { GraphRegistry.remove(at: GraphHook.address(of: self)) }

    var graphEntry: GraphEntry? {
        visits.increment()
        return GraphEntry(.buffer, GraphName("member \(number)"))
    }
}

@Suite("The registry of StreamGraph", .serialized, .watched)
struct GraphRegistryTests {
    private func numbers() -> [Int] {
        var numbers: [Int] = []
        GraphRegistry.visit { member, _ in if let member = member as? Member { numbers.append(member.number) } }
        return numbers.sorted()
    }

    @Test("visits the members that are alive, each once, in tables that grow and shrink")
    func members() {
        let visits = Counter()
        var members = (0..<20_000).map { Member($0, visits) }
        expect(numbers(), is: Array(0..<20_000))
        members.removeAll { $0.number % 7 != 0 }
        expect(numbers(), is: Array(stride(from: 0, to: 20_000, by: 7)))
        members += (20_000..<20_100).map { Member($0, visits) }
        expect(numbers().count, is: members.count)
        members = []
        expect(numbers(), is: [])
    }

    @Test("stores what is changed in a record, and ignores the removal of objects that are no members")
    func records() {
        let member = Member(1, Counter())
        let address = GraphHook.address(of: member)
        GraphRegistry.update(address) {
            $0.isStart = true
            $0.partner = 42
        }
        GraphRegistry.remove(at: GraphHook.address(of: Counter()))
        GraphRegistry.update(address) { $0.label = Label("one", .unknown) }
        GraphRegistry.visit { visited, record in
            guard visited === member else { return }
            #expect(record.isStart)
            expect(record.partner, is: 42)
            expect(record.label?.text, is: "one")
            #expect(record.id > 0)
        }
    }

    @Test("an object that is no member becomes one when its record is changed, once")
    func additions() {
        let member = Member(1, Counter())
        let address = GraphHook.address(of: member)
        GraphRegistry.remove(at: address)
        expect(numbers(), is: [])
        for partner in [42, 43] as [UInt] { GraphRegistry.update(address) { $0.partner = partner } }
        expect(numbers(), is: [1])
        GraphRegistry.visit { visited, record in if visited === member { expect(record.partner, is: 43) } }
    }

    @Test("retains no member, and visits none whose deinit has begun")
    func races() {
        let isOver = OnceFlag()
        let visits = Counter()
        let alive = Population()

        final class Counted: GraphMember {
            let member: Population.Member
            let visits: Counter
            let isReleased = AtomicFlag()

            init(_ alive: Population, _ visits: Counter) {
                member = alive.member()
                self.visits = visits
                GraphRegistry.add(at: GraphHook.address(of: self))
            }

            deinit {
                isReleased.raise()
                GraphRegistry.remove(at: GraphHook.address(of: self))
            }

            var graphEntry: GraphEntry? {
                precondition(!isReleased.isRaised, "visited after its deinit had begun")
                visits.increment()
                return nil
            }
        }

        onThreads(3, "members come and go while they are visited") { index in
            if index == 0 {
                while !isOver.isRaised { GraphRegistry.visit { member, _ in _ = member.graphEntry } }
                return
            }
            var round = 0
            // The visitor may get the processor late.
            while round < raceRounds * 40 || visits.value == 0 {
                let members = (0..<8).map { _ in Counted(alive, visits) }
                withExtendedLifetime(members) {}
                round += 1
            }
            isOver.raise()
        }
        expect(alive.alive, is: 0)
    }

    @Test("a member can be released during a visit, by the visitor itself")
    func release() {
        let visits = Counter()
        let members = Log<Member>()
        for number in 0..<100 { members.append(Member(number, visits)) }
        let seen = Counter()
        GraphRegistry.visit { member, _ in
            guard member is Member else { return }
            members.removeAll()
            seen.increment()
        }
        #expect(seen.value > 0)
        expect(numbers(), is: [])
    }
}
