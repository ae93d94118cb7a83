import NIOConcurrencyHelpers
package import ReactiveSignals

/// A queue that limits how many requests run at the same time, in total and per host.
///
/// Hosts take turns, so a host with a thousand URLs does not delay the others. A host whose slots are all taken does
/// not block requests to other hosts. Each decision takes constant time.
package final class Line: Sendable {
    private struct Ticket: Sendable {
        let admit: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct Host: Sendable {
        var active = 0
        /// Ids of waiting requests. Ids of requests that have left remain, and are skipped.
        var first = Queue<Int>()
        var later = Queue<Int>()
        /// Whether `round` contains this host.
        var isInRound = false
    }

    private struct State: Sendable {
        var nextID = 0
        var hosts: [String: Host] = [:]
        /// Hosts that had a waiting request and a free slot when they were added. They are checked again when it is
        /// their turn.
        var round = Queue<String>()
        var waiting: [Int: Ticket] = [:]
        /// Requests that have been admitted and have not left.
        var underWay: Set<Int> = []
        var isClosed = false
        var isDrained: Bool { isClosed && underWay.isEmpty }
    }

    private let limit: Int
    private let limitPerHost: Int
    private let state = NIOLockedValueBox(State())
    private let drained = MutableProperty(false)
    /// An admitted request can end synchronously and admit the next one. The trampoline keeps the stack from growing.
    private let starts = TrampolineScheduler()

    package init(limit: Int, limitPerHost: Int) {
        self.limit = limit
        self.limitPerHost = limitPerHost
    }

    /// Whether the line is closed, and every admitted request has left.
    package var isDrained: Property<Bool> { Property(drained) }

    /// Starts `work` when a slot is free, and occupies the slot until it ends.
    ///
    /// Fails with ``FetchError/stopped`` if the line closes first. Disposing of a start leaves the line.
    ///
    /// - Parameter goesFirst: Whether this continues an earlier request, as a retry does. It then goes before new ones.
    package func admit<Value>(
        to host: String, goesFirst: Bool, _ work: SignalProducer<Value, FetchError>
    ) -> SignalProducer<Value, FetchError> {
        SignalProducer { [self] observer, lifetime in
            let id = state.withLockedValue { state in
                state.nextID += 1
                return state.nextID
            }
            // The slot becomes free after the work has released everything, on whichever thread that happens.
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

    /// Refuses waiting and future requests.
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

    /// Leaves the queue. Does nothing if the request has been admitted.
    private func forgo(_ id: Int) {
        let ticket = state.withLockedValue { $0.waiting.removeValue(forKey: id) }
        // Outside the lock, because releasing the ticket can run code of the caller.
        withExtendedLifetime(ticket) {}
    }

    /// Releases a slot.
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

    /// Adds a host to the round if it has a waiting request and a free slot.
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

    /// Admits requests until no slot is free.
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
        // More than half is empty, so the cost of moving the rest is constant per removed element.
        if head > 32, head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }
}
