import PeerAsyncAlgorithms
import PeerFloor
import PeerOpenCombine
import PeerReactiveSignals
import PeerSupport

extension Row {
    /// Every row of the table, in order. To add one, write its workload for each peer that has the thing, and a line here.
    ///
    /// A workload's closures are opaque where nothing else is said: that is the figure that counts.
    public static let table: [Row] =
        [
            Row(
                "one", "one event, one observer",
                must: [.oneNth(20, of: .openCombine, .instructions), .atMost(0, .allocations)],
                aim: [.oneNth(30, of: .openCombine, .instructions)],
                rs: { ReactiveSignalsPeer.observers(1, .opaque()) }, oc: { OpenCombinePeer.observers(1, .opaque()) },
                aa: { AsyncPeer.observers(1, .opaque()) }, floor: { FloorPeer.one(.opaque()) }),
            Row(
                "one-visible", "  closures visible",
                rs: { ReactiveSignalsPeer.visibleObservers(1) }, oc: { OpenCombinePeer.visibleObservers(1) },
                aa: { AsyncPeer.visibleObservers(1) }, floor: { FloorPeer.one(.opaque()) }),
            Row(
                "ten", "one event, 10 observers, a delivery", deliveries: 10, count: 1_000,
                must: [.oneNth(40, of: .openCombine, .instructions)],
                aim: [.oneNth(60, of: .openCombine, .instructions)],
                rs: { ReactiveSignalsPeer.observers(10, .opaque()) }, oc: { OpenCombinePeer.observers(10, .opaque()) },
                aa: { AsyncPeer.observers(10, .opaque()) }, floor: { FloorPeer.many(10, .opaque()) }),
            Row(
                "ten-visible", "  closures visible", deliveries: 10, count: 1_000,
                rs: { ReactiveSignalsPeer.visibleObservers(10) }, oc: { OpenCombinePeer.visibleObservers(10) },
                aa: { AsyncPeer.visibleObservers(10) }, floor: { FloorPeer.many(10, .opaque()) }),
            Row(
                // Without AA: its share() looks through all of its sides for each element, a quarter of a second an event.
                "thousand", "one event, 1,000 observers, a delivery", deliveries: 1_000, count: 20,
                must: [.oneNth(40, of: .openCombine, .instructions)],
                aim: [.oneNth(60, of: .openCombine, .instructions)],
                rs: { ReactiveSignalsPeer.observers(1_000, .opaque()) },
                oc: { OpenCombinePeer.observers(1_000, .opaque()) },
                floor: { FloorPeer.many(1_000, .opaque()) }),
            Row(
                "thousand-visible", "  closures visible", deliveries: 1_000, count: 20,
                rs: { ReactiveSignalsPeer.visibleObservers(1_000) },
                oc: { OpenCombinePeer.visibleObservers(1_000) },
                floor: { FloorPeer.many(1_000, .opaque()) }),
            Row(
                "map-filter-map", "one event through map-filter-map",
                must: [.oneNth(8, of: .openCombine, .instructions)],
                aim: [.oneNth(12, of: .openCombine, .instructions)],
                rs: { ReactiveSignalsPeer.mapFilterMap(.opaque()) }, oc: { OpenCombinePeer.mapFilterMap(.opaque()) },
                aa: { AsyncPeer.mapFilterMap(.opaque()) }, floor: { FloorPeer.mapFilterMap(.opaque()) }),
            Row(
                "map-filter-map-visible", "  closures visible",
                rs: { ReactiveSignalsPeer.visibleMapFilterMap() }, oc: { OpenCombinePeer.visibleMapFilterMap() },
                aa: { AsyncPeer.visibleMapFilterMap() }, floor: { FloorPeer.mapFilterMap(.opaque()) }),
            Row(
                "ten-maps", "one event through ten maps",
                must: [.oneNth(4.5, of: .openCombine, .instructions)],
                aim: [.oneNth(8, of: .openCombine, .instructions)],
                rs: { ReactiveSignalsPeer.tenMaps(.opaque()) }, oc: { OpenCombinePeer.tenMaps(.opaque()) },
                aa: { AsyncPeer.tenMaps(.opaque()) }, floor: { FloorPeer.tenMaps(.opaque()) }),
            Row(
                "ten-maps-visible", "  closures visible",
                rs: { ReactiveSignalsPeer.visibleTenMaps() }, oc: { OpenCombinePeer.visibleTenMaps() },
                aa: { AsyncPeer.visibleTenMaps() }, floor: { FloorPeer.tenMaps(.opaque()) }),
            Row(
                // The maps of `a.map(f).map(g)` know each other: OpenCombine composes them, at a higher price.
                "ten-maps-composed", "  to OC as its users write it",
                rs: { ReactiveSignalsPeer.tenMaps(.opaque()) }, oc: { OpenCombinePeer.tenComposedMaps(.opaque()) }),
            Row(
                "zip", "an event through zip of two",
                must: [.oneNth(8, of: .openCombine, .instructions), .atMost(0, .allocations)],
                aim: [.oneNth(12, of: .openCombine, .instructions)],
                rs: { ReactiveSignalsPeer.zip(.opaque()) }, oc: { OpenCombinePeer.zip(.opaque()) },
                aa: { AsyncPeer.zip(.opaque()) }, floor: { FloorPeer.zip(.opaque()) }),
            Row(
                // OpenCombine has no combineLatest: its zip stands in.
                "combine-latest", "an event through combineLatest of two, to OC's zip",
                must: [.oneNth(8, of: .openCombine, .instructions), .atMost(0, .allocations)],
                aim: [.oneNth(12, of: .openCombine, .instructions)],
                rs: { ReactiveSignalsPeer.combineLatest(.opaque()) }, oc: { OpenCombinePeer.zip(.opaque()) },
                aa: { AsyncPeer.combineLatest(.opaque()) }, floor: { FloorPeer.combineLatest(.opaque()) }),
            Row(
                "nested", "a nested send, with the send around it",
                must: [.atMost(750, .instructions), .atMost(0, .allocations)],
                aim: [.atMost(600, .instructions)],
                rs: { ReactiveSignalsPeer.nested(.opaque()) }),
            Row(
                "observe-dispose", "observe + dispose, 0 observers there",
                must: [.oneNth(8, of: .openCombine, .instructions)],
                aim: [.oneNth(10, of: .openCombine, .instructions)],
                rs: { ReactiveSignalsPeer.observeDispose(among: 0, .opaque()) },
                oc: { OpenCombinePeer.observeDispose(among: 0, .opaque()) }),
            Row(
                // Only here, as a stored closure of type (Int) -> Void costs one more wherever it is passed to a generic
                // function: the caller wraps it.
                "observe-dispose-visible", "  closures visible", must: [.atMost(2, .allocations)],
                rs: { ReactiveSignalsPeer.visibleObserveDispose() }, oc: { OpenCombinePeer.visibleObserveDispose() }),
            Row(
                "observe-dispose-1000", "observe + dispose, 1,000 observers there",
                must: [
                    .oneNth(8, of: .openCombine, .instructions),
                    .noMoreThan(row: "observe-dispose", .instructions),
                ],
                aim: [.oneNth(10, of: .openCombine, .instructions)],
                rs: { ReactiveSignalsPeer.observeDispose(among: 1_000, .opaque()) },
                oc: { OpenCombinePeer.observeDispose(among: 1_000, .opaque()) }),
            Row(
                "two-threads", "two threads sending into one signal", measures: [.time],
                must: [.oneNth(5, of: .openCombine, .time)], aim: [.oneNth(10, of: .openCombine, .time)],
                rs: { ReactiveSignalsPeer.twoThreads(.opaque()) }, oc: { OpenCombinePeer.twoThreads(.opaque()) },
                aa: { AsyncPeer.twoThreads(.opaque()) }, floor: { FloorPeer.twoThreads(.opaque()) }),
            Row(
                "queue", "1,000,000 events through observe(on: QueueScheduler)", measures: [.time, .allocations],
                count: 1_000_000, timed: 1_000_000,
                must: [.oneNth(3, of: .openCombine, .time), .atMost(1, .allocations)],
                aim: [.oneNth(10, of: .openCombine, .time)],
                rs: { ReactiveSignalsPeer.queue() }, oc: { OpenCombinePeer.queue() }, aa: { AsyncPeer.queue() },
                floor: { FloorPeer.queue() }),
            Row(
                "memory", "memory of a signal, its input and an observer", measures: [.blocks, .bytes], count: 1_000,
                must: [.atMost(320, .bytes), .atMost(5, .blocks)], aim: [.atMost(272, .bytes), .atMost(5, .blocks)],
                rs: { ReactiveSignalsPeer.memory() }, oc: { OpenCombinePeer.memory() }),
            Row(
                "memory-stage", "memory of a derived stage", measures: [.blocks, .bytes], count: 1_000,
                must: [.atMost(320, .bytes), .atMost(4, .blocks)], aim: [.atMost(240, .bytes), .atMost(3, .blocks)],
                rs: { ReactiveSignalsPeer.memoryOfStage() }, oc: { OpenCombinePeer.memoryOfStage() }),
            Row(
                "memory-stage-observed", "  with an observer", measures: [.blocks, .bytes], count: 1_000,
                rs: { ReactiveSignalsPeer.memoryOfObservedStage() }, oc: { OpenCombinePeer.memoryOfObservedStage() }),
        ] + cold + state + concurrency

    /// Producers.
    private static let cold: [Row] = [
        Row(
            "sequence", "a value of an array through map, filter, reduce", count: 100_000, timed: 1_000_000,
            must: [.oneNth(20, of: .openCombine, .instructions), .atMost(0, .allocations)],
            aim: [.oneNth(1 / 1.2, of: .floor, .instructions)],
            rs: { ReactiveSignalsPeer.sequence(.opaque()) }, oc: { OpenCombinePeer.sequence(.opaque()) },
            floor: { FloorPeer.sequence(.opaque()) }),
        Row(
            "sequence-visible", "  closures visible", count: 100_000, timed: 1_000_000,
            must: [.oneNth(60, of: .openCombine, .instructions)],
            rs: { ReactiveSignalsPeer.visibleSequence() }, oc: { OpenCombinePeer.sequence(.opaque()) },
            floor: { FloorPeer.sequence(.opaque()) }),
        // Whether the optimizer sees through a chain of this length.
        Row(
            "sequence-maps", "  through six maps", measures: [.instructions, .allocations], count: 100_000,
            must: [.times(2, row: "sequence", .instructions)],
            rs: { ReactiveSignalsPeer.sequenceMaps(.opaque()) }),
        Row(
            "value", "make, start and complete a producer of one value",
            must: [.oneNth(15, of: .openCombine, .instructions), .atMost(1, .allocations)],
            aim: [.oneNth(20, of: .openCombine, .instructions)],
            rs: { ReactiveSignalsPeer.value(.opaque()) }, oc: { OpenCombinePeer.value(.opaque()) }),
        Row(
            "value-map", "  with a map",
            must: [.oneNth(3.5, of: .openCombine, .instructions), .atMost(6, .allocations)],
            aim: [.oneNth(6, of: .openCombine, .instructions), .atMost(3, .allocations)],
            rs: { ReactiveSignalsPeer.valueMap(.opaque()) }, oc: { OpenCombinePeer.valueMap(.opaque()) }),
        Row(
            "handler", "  of a start handler, to OC's Just",
            must: [.oneNth(3.5, of: .openCombine, .instructions), .atMost(5, .allocations)],
            aim: [.oneNth(4.5, of: .openCombine, .instructions), .atMost(4, .allocations)],
            rs: { ReactiveSignalsPeer.handler(.opaque()) }, oc: { OpenCombinePeer.value(.opaque()) }),
        Row(
            "handler-values", "a value that a start handler sends", must: [.atMost(0, .allocations)],
            rs: { ReactiveSignalsPeer.valuesOfHandler(.directly, .opaque()) }),
        Row(
            "handler-values-named", "  with a name", must: [.noMoreThan(row: "handler-values", .instructions)],
            rs: { ReactiveSignalsPeer.valuesOfHandler(.withName, .opaque()) }),
        Row(
            "handler-values-using", "  inside a using with an asynchronous release",
            must: [.times(2, row: "handler-values", .instructions)],
            rs: { ReactiveSignalsPeer.valuesOfHandler(.withAsynchronousRelease, .opaque()) }),
        Row(
            "handler-values-tapped", "  with a tap", must: [.times(1.6, row: "handler-values", .instructions)],
            rs: { ReactiveSignalsPeer.valuesOfHandler(.withTap, .opaque()) }),
        Row(
            "flatmap-merge", "an inner producer of one value through flatMap(.merge)", count: 10_000, timed: 100_000,
            must: [.oneNth(4, of: .openCombine, .instructions), .atMost(3, .allocations)],
            aim: [.oneNth(10, of: .openCombine, .instructions)],
            rs: { ReactiveSignalsPeer.merge(.opaque()) }, oc: { OpenCombinePeer.merge(.opaque()) }),
        Row(
            "flatmap-concat", "  .concat", count: 10_000, timed: 100_000,
            must: [.oneNth(4, of: .openCombine, .instructions), .atMost(3, .allocations)],
            aim: [.oneNth(10, of: .openCombine, .instructions)],
            rs: { ReactiveSignalsPeer.concat(.opaque()) }, oc: { OpenCombinePeer.concat(.opaque()) }),
        Row(
            "flatmap-latest", "  .latest", count: 10_000, timed: 100_000,
            must: [.oneNth(4, of: .openCombine, .instructions), .atMost(3, .allocations)],
            aim: [.oneNth(10, of: .openCombine, .instructions)],
            rs: { ReactiveSignalsPeer.latest(.opaque()) }, oc: { OpenCombinePeer.latest(.opaque()) }),
        Row(
            "flatmap-work", "  .merge, of one with work of its own", measures: [.instructions, .allocations, .blocks],
            count: 10_000, rs: { ReactiveSignalsPeer.mergeWork(.opaque()) }),
        Row(
            "flatmap-start", "make, start and end the flatMap of one value",
            measures: [.instructions, .allocations, .blocks], must: [.atMost(45, .allocations)],
            rs: { ReactiveSignalsPeer.flatMapStart(.opaque()) }),
        Row(
            "take-until-start", "  the take(until:) of one", measures: [.instructions, .allocations, .blocks],
            rs: { ReactiveSignalsPeer.takeUntilStart(.opaque()) }),
        Row(
            "zip-producers", "a pair of two producers of 100,000 values through zip", measures: [.time], timed: 100_000,
            must: [.oneNth(20, of: .asyncAlgorithms, .time)], aim: [.oneNth(100, of: .asyncAlgorithms, .time)],
            rs: { ReactiveSignalsPeer.zipOfProducers(.opaque()) }, aa: { AsyncPeer.zipOfSequences(.opaque()) }),
        Row(
            "combine-producers", "  through combineLatest", measures: [.time], timed: 100_000,
            must: [.oneNth(20, of: .asyncAlgorithms, .time)], aim: [.oneNth(100, of: .asyncAlgorithms, .time)],
            rs: { ReactiveSignalsPeer.combineLatestOfProducers(.opaque()) },
            aa: { AsyncPeer.combineLatestOfSequences(.opaque()) }),
        Row(
            "replay", "replay to a late start, of 1,000 values, a value", measures: [.instructions, .allocations],
            deliveries: 1_000, count: 20, must: [.atMost(0, .allocations)],
            rs: { ReactiveSignalsPeer.replay(.opaque()) }),
        Row(
            "repeat", "a round of repeat", measures: [.instructions, .allocations, .blocks],
            rs: { ReactiveSignalsPeer.repeated(.opaque()) }),
        Row(
            "retry", "an attempt of retry", measures: [.instructions, .allocations, .blocks],
            rs: { ReactiveSignalsPeer.retried(.opaque()) }),
        Row(
            "concat", "an inner producer of a collection through concat",
            measures: [.instructions, .allocations, .blocks],
            rs: { ReactiveSignalsPeer.concatenated(.opaque()) }),
        Row(
            "rate-limiter", "acquire a permit of a RateLimiter that has one", measures: [.instructions, .allocations],
            must: [.atMost(150, .instructions), .atMost(0, .allocations)],
            rs: { ReactiveSignalsPeer.rateLimiter() }),
        Row(
            "rate-limiter-keyed", "  of a RateLimiter.Keyed with 1,000 keys", measures: [.instructions, .allocations],
            must: [.atMost(0, .allocations)],
            rs: { ReactiveSignalsPeer.keyedRateLimiter() }),
        Row(
            "rate-limiter-new-key", "  of one that remembers a key and forgets another",
            measures: [.instructions, .allocations], rs: { ReactiveSignalsPeer.keyedRateLimiter(areNew: true) }),
        Row(
            "one-recorded", "one event, one observer, recorded by StreamGraph",
            measures: [.instructions, .allocations],
            must: [.atMost(0, .allocations)],
            rs: { ReactiveSignalsPeer.recorded { ReactiveSignalsPeer.observers(1, .opaque()) } }),
        Row(
            "ten-recorded", "  to 10 observers", measures: [.instructions, .allocations], count: 1_000,
            must: [.atMost(0, .allocations)],
            rs: { ReactiveSignalsPeer.recorded { ReactiveSignalsPeer.observers(10, .opaque()) } }),
        Row(
            "handler-recorded", "  a start handler", measures: [.instructions, .allocations],
            must: [.times(1.3, row: "handler", .instructions)],
            rs: { ReactiveSignalsPeer.recorded { ReactiveSignalsPeer.handler(.opaque()) } }),
    ]

    /// The floor here is what one would use instead: `AsyncStream`, a plain `for await`, a heap of closures.
    private static let concurrency: [Row] = [
        Row(
            "values", "a value from a signal into for await on a task, to AsyncStream", measures: [.time],
            timed: 1_000_000,
            must: [.oneNth(4.0 / 3, of: .floor, .time)], aim: [.oneNth(5, of: .floor, .time)],
            rs: { ReactiveSignalsPeer.values(.opaque()) }, floor: { FloorPeer.values(.opaque()) }),
        Row(
            "bounded", "a value from a task through pipe(capacity: 64) into a slow for await, to a channel",
            measures: [.time], timed: 1_000_000,
            must: [.oneNth(2, of: .asyncAlgorithms, .time)], aim: [.oneNth(4, of: .asyncAlgorithms, .time)],
            rs: { ReactiveSignalsPeer.bounded(.opaque()) }, aa: { AsyncPeer.bounded(.opaque()) }),
        Row(
            "bounded-10", "  to 10 consumers, per delivery, to 10 AsyncStreams", measures: [.time], deliveries: 10,
            timed: 20_000, must: [.oneNth(1, of: .floor, .time)], aim: [.oneNth(5, of: .floor, .time)],
            rs: { ReactiveSignalsPeer.bounded(consumers: 10, .opaque()) },
            floor: { FloorPeer.streams(consumers: 10, .opaque()) }),
        Row(
            "bounded-1000", "  to 1,000 consumers, per delivery, to 1,000 AsyncStreams", measures: [.time],
            deliveries: 1_000, timed: 500, must: [.oneNth(1, of: .floor, .time)],
            aim: [.oneNth(5, of: .floor, .time)],
            rs: { ReactiveSignalsPeer.bounded(consumers: 1_000, .opaque()) },
            floor: { FloorPeer.streams(consumers: 1_000, .opaque()) }),
        Row(
            "from-async", "an element of an AsyncStream through a producer, to for await", measures: [.time],
            timed: 1_000_000,
            must: [.oneNth(1 / 1.5, of: .floor, .time)], aim: [.oneNth(1 / 1.1, of: .floor, .time)],
            rs: { ReactiveSignalsPeer.fromAsync(.opaque()) }, floor: { FloorPeer.iterate(.opaque()) }),
        Row(
            "from-async-ready", "  of a sequence that never waits", measures: [.time, .instructions], count: 100_000,
            timed: 1_000_000,
            must: [.oneNth(1 / 1.5, of: .floor, .time)], aim: [.oneNth(1 / 1.1, of: .floor, .time)],
            rs: { ReactiveSignalsPeer.fromReadyAsync(.opaque()) }, floor: { FloorPeer.iterateReady(.opaque()) }),
        Row(
            "virtual-time", "an action on a TestScheduler, to a closure through a Heap",
            measures: [.time, .instructions, .allocations], count: 100_000, timed: 1_000_000,
            must: [.oneNth(1.0 / 3, of: .floor, .time)], aim: [.oneNth(1 / 1.5, of: .floor, .time)],
            rs: { ReactiveSignalsPeer.virtualTime(.opaque()) }, floor: { FloorPeer.virtualTime(.opaque()) }),
    ]

    private static let state: [Row] = [
        Row(
            "set", "set a property with one observer",
            must: [.oneNth(6, of: .openCombine, .instructions), .atMost(0, .allocations)],
            aim: [.oneNth(8, of: .openCombine, .instructions)],
            rs: { ReactiveSignalsPeer.set(.opaque()) }, oc: { OpenCombinePeer.set(.opaque()) }),
        Row(
            "read", "read a property",
            must: [.oneNth(3, of: .openCombine, .instructions), .atMost(0, .allocations)],
            aim: [.oneNth(4, of: .openCombine, .instructions)],
            rs: { ReactiveSignalsPeer.read() }, oc: { OpenCombinePeer.read() }),
        Row(
            "read-derived", "  a derived one, to OC's subject",
            must: [.oneNth(3, of: .openCombine, .instructions), .atMost(0, .allocations)],
            aim: [.oneNth(4, of: .openCombine, .instructions)],
            rs: { ReactiveSignalsPeer.readDerived(.opaque()) }, oc: { OpenCombinePeer.read() }),
        Row(
            "set-map", "set a property through a map to one observer",
            must: [.oneNth(4, of: .openCombine, .instructions), .atMost(0, .allocations)],
            aim: [.oneNth(5, of: .openCombine, .instructions)],
            rs: { ReactiveSignalsPeer.setThroughMap(.opaque()) }, oc: { OpenCombinePeer.setThroughMap(.opaque()) }),
        Row(
            "set-combined", "  that is combined with a global property",
            must: [.times(1.3, row: "set-map", .instructions), .times(1.5, row: "set-map", .time)],
            rs: { ReactiveSignalsPeer.setCombined(.opaque()) }),
        Row(
            "set-history", "  after 40,000 combinations with others",
            must: [.times(1.2, row: "set-map", .instructions), .times(1.2, row: "set-map", .time)],
            rs: { ReactiveSignalsPeer.setAfterCombinations(.opaque()) }),
        Row(
            "read-history", "read a property after 300 requests have derived 100 others each",
            must: [.times(1.2, row: "read", .instructions), .times(1.2, row: "read", .time)],
            rs: { ReactiveSignalsPeer.readAfterRequests(.opaque()) }),
        Row(
            "set-released", "set a property with one observer that was combined before",
            must: [.times(1.2, row: "set", .instructions), .times(1.2, row: "set", .time)],
            rs: { ReactiveSignalsPeer.setAfterCombination(.opaque()) }),
        Row(
            "read-released", "  read it",
            must: [.times(1.2, row: "read", .instructions), .times(1.2, row: "read", .time)],
            rs: { ReactiveSignalsPeer.readAfterCombination() }),
        Row(
            "set-tapped", "set a property with a tap",
            must: [.times(3, row: "set", .instructions), .atMost(0, .allocations)],
            rs: { ReactiveSignalsPeer.setTapped(.opaque()) }),
        Row(
            "set-map-tapped", "  a map with a tap",
            must: [.times(1.5, row: "set-map", .instructions), .atMost(0, .allocations)],
            rs: { ReactiveSignalsPeer.setMapTapped(.opaque()) }),
        Row(
            "two-unrelated", "two threads that set a combined property each", measures: [.time],
            rs: { ReactiveSignalsPeer.setOnTwoThreads(isShared: false, .opaque()) }),
        Row(
            "two-combined", "  both combined with the same global property", measures: [.time],
            must: [.times(1 / 0.9, row: "two-unrelated", .time)],
            rs: { ReactiveSignalsPeer.setOnTwoThreads(isShared: true, .opaque()) }),
        Row(
            "read-observed", "read a derived property that is observed",
            must: [.atMost(22, .instructions)], rs: { ReactiveSignalsPeer.readObserved(.opaque()) }),
        Row(
            "derive", "derive a property, read it and release it",
            must: [.atMost(2_500, .instructions)], rs: { ReactiveSignalsPeer.derive(.opaque()) }),
        Row(
            "derive-combined", "  from two", must: [], rs: { ReactiveSignalsPeer.deriveCombined(.opaque()) }),
        Row(
            "observe-derived", "observe a derived property, and dispose of that",
            must: [.atMost(4_000, .instructions)], rs: { ReactiveSignalsPeer.observeDerived(.opaque()) }),
        Row(
            "modify", "modify an array of 1 MiB that was combined with another property",
            count: 100, must: [.times(30, row: "set", .instructions)],
            rs: { ReactiveSignalsPeer.modifyAfterCombination() }),
        Row(
            "link", "bind one of 1,000 properties to a hub, both ways",
            deliveries: 1_000, count: 1, must: [], rs: { ReactiveSignalsPeer.link() }),
        Row(
            "graph-100", "set the root of 100 derived properties, a property", deliveries: 100, count: 100,
            must: [.atMost(0, .allocations)], rs: { ReactiveSignalsPeer.graph(100, .opaque()) }),
        Row(
            "graph-1000", "  of 1,000", deliveries: 1_000, count: 10,
            must: [.noMoreThan(row: "graph-100", .instructions), .atMost(0, .allocations)],
            rs: { ReactiveSignalsPeer.graph(1_000, .opaque()) }),
        Row(
            "graph-part", "  of 1,000 of which 100 change", deliveries: 100, count: 100,
            must: [.noMoreThan(row: "graph-100", .instructions), .atMost(0, .allocations)],
            rs: { ReactiveSignalsPeer.partOfGraph(.opaque()) }),
        Row(
            "action", "apply and start an action of one value, from a start handler",
            must: [.times(10, row: "handler", .instructions), .atMost(20, .allocations)],
            aim: [.times(4, row: "handler", .instructions), .atMost(8, .allocations)],
            rs: { ReactiveSignalsPeer.action(.opaque()) }),
        Row(
            "action-value", "  from SignalProducer(value:)",
            must: [.atMost(20, .allocations)], aim: [.atMost(8, .allocations)],
            rs: { ReactiveSignalsPeer.actionOfValue(.opaque()) }),
    ]
}
