import NIOConcurrencyHelpers
package import ReactiveSignals

/// Where requests queue: only so many may be under way, and only so many with the same host.
///
/// Hosts take turns, so that one with a thousand addresses does not keep others waiting; and one that has no place free keeps
/// nobody from going ahead who wants to go elsewhere. Each decision takes constant time.
package final class Line: Sendable {
    private struct Ticket: Sendable {
        let admit: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct Host: Sendable {
        var active = 0
        /// Ids; who has left is still here, and is passed over.
        var first = Queue<Int>()
        var later = Queue<Int>()
        /// Whether it stands in the round.
        var isInRound = false
    }

    private struct State: Sendable {
        var nextID = 0
        var hosts: [String: Host] = [:]
        /// Hosts that have somebody waiting and a place free; some may have lost the one or the other meanwhile.
        var round = Queue<String>()
        var waiting: [Int: Ticket] = [:]
        /// Who has been admitted and has not left.
        var underWay: Set<Int> = []
        var isClosed = false
        var isDrained: Bool { isClosed && underWay.isEmpty }
    }

    private let limit: Int
    private let limitPerHost: Int
    private let state = NIOLockedValueBox(State())
    private let drained = MutableProperty(false)
    /// Who is admitted may leave at once, and so admit the next: one after the other, not one within the other.
    private let starts = TrampolineScheduler()

    package init(limit: Int, limitPerHost: Int) {
        self.limit = limit
        self.limitPerHost = limitPerHost
    }

    /// Whether it is closed, and the last who was admitted has left.
    package var isDrained: Property<Bool> { Property(drained) }

    /// Work that is begun when it is its turn, and that has its place until it ends.
    ///
    /// It fails with ``FetchError/stopped`` if the line closes before. Disposing of a start leaves the line.
    ///
    /// - Parameter goesFirst: Whether it is a continuation of what has been admitted before: that goes before what is new.
    package func admit<Value>(
        to host: String, goesFirst: Bool, _ work: SignalProducer<Value, FetchError>
    ) -> SignalProducer<Value, FetchError> {
        SignalProducer { [self] observer, lifetime in
            let id = state.withLockedValue { state in
                state.nextID += 1
                return state.nextID
            }
            // The place is free when the work has let go of everything, wherever that is done.
            let work = SignalProducer<Value, FetchError>.using(
                resource: { () throws(FetchError) in id }, release: { [self] id in leave(host, id) }
            ) { _ in work }
            let ticket = Ticket { [self] in
                if lifetime.hasEnded { leave(host, id) } else { lifetime += work.start(observer) }
            } refuse: {
                observer.sendError(.stopped)
            }
            join(host, id, ticket, goesFirst: goesFirst)
            lifetime.observeEnded { [self] in forgo(id) }
        }
    }

    /// From now on nobody is admitted; who waits is refused.
    package func close() {
        let (refused, isDrained) = state.withLockedValue { state -> ([Int: Ticket], Bool) in
            let refused = state.waiting
            state.isClosed = true
            state.waiting = [:]
            return (refused, state.isDrained)
        }
        for (_, ticket) in refused.sorted(by: { $0.key < $1.key }) { ticket.refuse() }
        if isDrained { drained.value = true }
    }

    private func join(_ host: String, _ id: Int, _ ticket: Ticket, goesFirst: Bool) {
        let isRefused = state.withLockedValue { state in
            guard !state.isClosed else { return true }
            state.waiting[id] = ticket
            if goesFirst {
                state.hosts[host, default: Host()].first.append(id)
            } else {
                state.hosts[host, default: Host()].later.append(id)
            }
            enrol(host, &state)
            return false
        }
        if isRefused { ticket.refuse() } else { admitAll() }
    }

    /// Leaves without having been admitted. Does nothing if it has been.
    private func forgo(_ id: Int) {
        let ticket = state.withLockedValue { $0.waiting.removeValue(forKey: id) }
        // Released here, as what it holds is not ours.
        withExtendedLifetime(ticket) {}
    }

    /// Gives a place back.
    private func leave(_ host: String, _ id: Int) {
        let isDrained = state.withLockedValue { state in
            guard state.underWay.remove(id) != nil else { return false }
            state.hosts[host]?.active -= 1
            enrol(host, &state)
            return state.isDrained
        }
        if isDrained { drained.value = true }
        admitAll()
    }

    /// Has a host take part in the round, if there is reason to.
    private func enrol(_ name: String, _ state: inout State) {
        guard var host = state.hosts[name], !host.isInRound else { return }
        if host.first.isEmpty, host.later.isEmpty {
            if host.active == 0 { state.hosts[name] = nil }
        } else if host.active < limitPerHost {
            host.isInRound = true
            state.hosts[name] = host
            state.round.append(name)
        }
    }

    /// Admits all for whom there is a place.
    private func admitAll() {
        while let ticket = state.withLockedValue({ next(&$0) }) { starts.schedule(ticket.admit) }
    }

    private func next(_ state: inout State) -> Ticket? {
        while state.underWay.count < limit, let name = state.round.popFirst() {
            state.hosts[name]?.isInRound = false
            let ticket = takeTicket(of: name, &state)
            enrol(name, &state)
            if let ticket { return ticket }
        }
        return nil
    }

    private func takeTicket(of name: String, _ state: inout State) -> Ticket? {
        guard (state.hosts[name]?.active ?? limitPerHost) < limitPerHost else { return nil }
        while let id = state.hosts[name]?.first.popFirst() ?? state.hosts[name]?.later.popFirst() {
            guard let ticket = state.waiting.removeValue(forKey: id) else { continue }
            state.underWay.insert(id)
            state.hosts[name]?.active += 1
            return ticket
        }
        return nil
    }
}

/// First in, first out, in constant time.
struct Queue<Element: Sendable>: Sendable {
    private var storage: [Element?] = []
    private var head = 0

    init() {}

    var isEmpty: Bool { head == storage.count }

    mutating func append(_ element: Element) { storage.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = storage[head]
        storage[head] = nil
        head += 1
        // Half of it is empty: the cost of moving the rest is shared by those that have gone.
        if head > 32, head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }
}
