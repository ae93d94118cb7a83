import IntegrationsTestSupport
import Logging
import ReactiveSignals
import ReactiveSignalsLifecycle
import ServiceLifecycle
import Testing
import UnixSignals

/// The recipe of the README.
private struct Shop<Orders: AsyncSequence & Sendable>: Sendable where Orders.Element == Int, Orders.Failure == Never {
    let orders: Orders
    let ship: @Sendable (Int) async -> Void
    let putBack: @Sendable (Int) -> Void
    let refreshPrices: @Sendable () async -> Void
    let logger = Logger(label: "shop") { _ in SwiftLogNoOpLogHandler() }

    func services() -> ServiceGroup {
        let worker = ProducerService { shutdown in
            SignalProducer<Void, Never>(
                pulling: orders, maxConcurrent: 4, drainWhen: shutdown
            ) { order in
                SignalProducer.async { await ship(order) }
            } giveBack: { order in
                putBack(order)
            }
        }
        let prices = SignalProducer.interval(.seconds(60), on: QueueScheduler())
            .flatMap(.latest) { _ in SignalProducer.async { await refreshPrices() } }
            .service(onShutdown: .stop)

        var configuration = ServiceGroupConfiguration(
            services: [prices, worker], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        // What has not ended by then is cancelled, which interrupts it.
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        return ServiceGroup(configuration: configuration)
    }
}

/// The recipe of the README for an action.
private struct Kitchen<Server: Service>: Sendable {
    let server: Server
    let cook: @Sendable (Int) async -> String
    let orders: Action<Int, String, Never>
    let logger = Logger(label: "kitchen") { _ in SwiftLogNoOpLogHandler() }

    init(server: Server, cook: @escaping @Sendable (Int) async -> String) {
        self.server = server
        self.cook = cook
        orders = Action(policy: .concurrent(limit: 4, waiting: 100)) { order in
            SignalProducer.async { await cook(order) }
        }
    }

    func services() -> ServiceGroup {
        // A group stops its services in the reverse order: first the server, then the
        // orders that it has accepted.
        ServiceGroup(
            services: [ActionService(orders), server],
            gracefulShutdownSignals: [.sigterm], logger: logger)
    }
}

@Suite("The recipe for services", .patient)
struct LifecycleRecipeTests {
    @Test("ships every order that it has taken, and puts back at most one")
    func shop() async throws {
        let (taken, shipped, putBack) = (MutableProperty(0), MutableProperty<[Int]>([]), MutableProperty<[Int]>([]))
        let shop = Shop(
            orders: AsyncStream {
                await Task.yield()
                return taken.modify { taken in
                    taken += 1
                    return taken
                }
            },
            ship: { order in
                await Task.yield()
                shipped.modify { $0.append(order) }
            }, putBack: { order in putBack.modify { $0.append(order) } }, refreshPrices: {})
        let group = shop.services()
        async let running: Void = group.run()
        #expect(await eventually { shipped.value.count >= 100 })
        await group.triggerGracefulShutdown()
        try await running
        #expect(await eventually { (shipped.value + putBack.value).sorted() == Array(1...taken.value) })
    }

    @Test("finishes every order that the server has accepted, also from the queue")
    func kitchen() async throws {
        let (meals, mayCook, isServing) = (MutableProperty(0), MutableProperty(false), MutableProperty(false))
        let server = SignalProducer<Void, Never>.never
            .on(started: { isServing.value = true })
            .service(onShutdown: .stop)
        let kitchen = Kitchen(server: server) { order in
            _ = await mayCook.next { $0 }
            meals.modify { $0 += 1 }
            return "meal \(order)"
        }
        let group = kitchen.services()
        async let running: Void = group.run()
        for order in 1...50 { kitchen.orders.apply(order).start() }
        #expect(await eventually { isServing.value })
        await group.triggerGracefulShutdown()
        #expect(await eventually { kitchen.orders.isDraining })
        mayCook.value = true
        try await running
        #expect(meals.value == 50)
    }
}
