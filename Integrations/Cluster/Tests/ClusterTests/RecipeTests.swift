import ClusterTestSupport
import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization
import Testing

private struct Price: Codable, Sendable, Equatable {
    var cents = 0
}

private struct Order: Codable, Sendable, Equatable {
    var number: UInt64
}

private struct Incident: Codable, Sendable, Equatable {
    var text: String
}

private struct User: Codable, Sendable, Equatable {
    var name: String
}

private struct Ticket: Codable, Sendable, Equatable {
    var number: UInt64
}

private struct StockError: Error, Codable, Equatable {}

private struct Database: Sendable {
    func orders(in range: ClosedRange<UInt64>) async throws(StockError) -> [Sequenced<Order>] {
        range.map { Sequenced($0, Order(number: $0)) }
    }
}

private struct Stock: Sendable {
    func reserve(_ order: Order) -> SignalProducer<Ticket, StockError> {
        order.number > 0 ? SignalProducer(value: Ticket(number: order.number)) : SignalProducer(error: StockError())
    }
}

private struct Logger: Sendable {
    let lines = Log<String>()

    func warning(_ text: String) { lines.add(text) }

    func error(_ text: String) { lines.add(text) }
}

/// The code on the page *Many machines*. The schedulers of the types are queues here, as they are in a program.
@Suite("The recipes", .patient)
struct RecipeTests {
    private func transport(_ scheduler: TestScheduler) async throws -> SimulatedTransport {
        let transport = SimulatedNetwork(seed: 1, on: scheduler).transport(named: "here")
        await scheduler.advance(by: .seconds(1))
        return transport
    }

    /// Lets virtual and real time pass until a condition holds.
    private func eventually(_ scheduler: TestScheduler, _ condition: () -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + patience
        while !condition(), ContinuousClock.now < deadline {
            await scheduler.advance(by: .milliseconds(10))
            await Task.yield()
        }
        return condition()
    }

    @Test("prices")
    func prices() async throws {
        let scheduler = TestScheduler()
        let transport = try await transport(scheduler)
        let (feed, input) = Signal<Price, Never>.pipe()
        let (logger, shown) = (Logger(), Log<Price>())
        @Sendable func show(_ price: Price) { shown.add(price) }
        @Sendable func reload() {}

        let prices = RemoteSignal<Price>(
            try Subject("prices.eur"), over: transport, codec: .json,
            as: Origin("feed-1"))
        prices <~ feed

        prices.deliveries().startWithResult { result in
            switch result {
            case .success(.value(let price)): show(price)
            case .success(.gap), .success(.restarted): reload()
            case .success(.unreadable(let message)): logger.warning("\(message)")
            case .failure(let error): logger.error("\(error)")
            }
        }
        input.sendNext(Price(cents: 5))
        #expect(await eventually(scheduler) { shown.all == [Price(cents: 5)] })
        #expect(logger.lines.all.isEmpty)
    }

    @Test("orders")
    func orders() async throws {
        let scheduler = TestScheduler()
        let transport = try await transport(scheduler)
        let (database, order, seen) = (Database(), Order(number: 3), Log<Order>())

        let orders = RepairedSignal<Order, StockError>(
            try Subject("orders"), over: transport, codec: .json
        ) { range async throws(StockError) in
            try await database.orders(in: range)
        }
        orders.producer(after: 0).startWithResult { if case .success(let order) = $0 { seen.add(order.value) } }
        try orders.publish(order, at: order.number)  // after the commit
        #expect(await eventually(scheduler) { seen.all.map(\.number) == [1, 2, 3] })
    }

    @Test("a journal, a property, presence and an action")
    func stored() async throws {
        let scheduler = TestScheduler()
        let transport = try await transport(scheduler)
        // Time passes, as it does in a program.
        let isOver = Atomic(false)
        let (start, offset) = (ContinuousClock.now, scheduler.now.offset)
        let clock = Task {
            while !isOver.load(ordering: .relaxed) {
                await scheduler.advance(to: .init(offset: offset + start.duration(to: .now)))
                await Task.yield()
            }
        }
        defer { isOver.store(true, ordering: .relaxed) }
        let (incident, last) = (Incident(text: "fire"), 0 as UInt64)

        let configuration = StreamConfiguration(
            name: try ResourceName("INCIDENTS"), subject: try Subject("incidents"),
            replicas: 3)
        let journal = try await Journal<Incident>(
            configuration, over: transport, codec: .json)
        let sequence = try await journal.append(incident, expecting: last)
        #expect(sequence == 1)
        #expect(try await journal.producer(after: 0).first()?.value() == incident)

        let bucket = try await transport.bucket(BucketConfiguration(name: try ResourceName("STATE")))
        let load = MutableProperty(105)

        let limit = ReplicatedProperty(
            100, key: try BucketKey("limits.orders"), in: bucket, codec: .json)
        let isBusy = limit.combineLatest(with: load).map { limit, load in load > limit }
        try await limit.modify { $0 += 10 }
        #expect(!isBusy.value)

        let (user, shown) = (User(name: "Ann"), Log<[User]>())
        @Sendable func show(_ users: Dictionary<BucketKey, User>.Values) { shown.add(Array(users)) }
        let other = try await transport.bucket(BucketConfiguration(name: try ResourceName("HERE")))
        func join(_ bucket: any TransportBucket) throws -> (Presence<User>, Membership<User>) {
            let presence = Presence<User>(in: bucket, codec: .json)
            let membership = presence.join(
                user, as: try BucketKey("tab-17"), lease: .seconds(10))
            presence.members.producer.startWithNext { show($0.values) }
            return (presence, membership)
        }
        let members = try join(other)
        _ = await members.0.members.producer.filter { !$0.isEmpty }.first()
        #expect(members.0.members.value.values.map(\.name) == ["Ann"])

        let (stock, order) = (Stock(), Order(number: 7))

        let reserve = RemoteAction<Order, Ticket, StockError>(
            try Subject("stock.reserve"), over: transport, input: .json, output: .json,
            failure: .json)
        let service = try reserve.serve(
            Action(policy: .queue(waiting: 100)) { order in stock.reserve(order) })

        let ticket = try await reserve.execute(order)
        #expect(ticket == Ticket(number: 7))
        await service.drain()
        isOver.store(true, ordering: .relaxed)
        await clock.value
    }

    @Test("a simulated network")
    func simulation() async throws {
        let scheduler = TestScheduler()
        let network = SimulatedNetwork(seed: 42, on: scheduler, faults: .all)
        let transport = network.transport(named: "here")
        await scheduler.advance(by: .seconds(1))
        #expect(transport.connection.value.isConnected)
    }
}
