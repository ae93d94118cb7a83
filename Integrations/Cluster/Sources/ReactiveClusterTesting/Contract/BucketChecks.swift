import ReactiveCluster
import ReactiveSignals

extension TransportContract {
    static var bucketChecks: [Check] {
        [
            Check("a value is read as it was written, with growing revisions") { context in
                let (first, second) = (try await context.connect("first"), try await context.connect("second"))
                let configuration = try context.bucket()
                let bucket = try await first.bucket(configuration)
                let other = try await second.bucket(configuration)
                let (a, b) = (try BucketKey("a"), try BucketKey("b.c/d=1"))
                try context.expect(try await bucket.get(a) == nil, "a value without a write")
                let one = try await bucket.put([1], for: a, id: nil)
                let two = try await other.put([2], for: b, id: nil)
                let three = try await other.put([], for: a, id: nil)
                try context.expect(one < two && two < three, "the revisions \(one), \(two), \(three)")
                try context.expect(
                    try await bucket.get(a) == BucketEntry(key: a, value: [], revision: three), "the value of a")
                try context.expect(
                    try await bucket.get(b) == BucketEntry(key: b, value: [2], revision: two), "the value of b")
            },
            Check("an update succeeds only with the present revision") { context in
                let transport = try await context.connect()
                let bucket = try await transport.bucket(try context.bucket())
                let key = try BucketKey("key")
                let first = try await bucket.update([1], for: key, expecting: 0, id: nil)
                try await expectConflict(context, bucket, key, expecting: 0)
                let second = try await bucket.update([2], for: key, expecting: first, id: nil)
                try await expectConflict(context, bucket, key, expecting: first)
                try await expectConflict(context, bucket, key, expecting: second + 10)
                try context.expect(try await bucket.get(key)?.value == [2], "a refused update has written")
            },
            Check("after a deletion there is no value, and an update expects 0") { context in
                let transport = try await context.connect()
                let bucket = try await transport.bucket(try context.bucket())
                let key = try BucketKey("key")
                try await bucket.delete(key)
                for round in 0..<3 as Range<UInt8> {
                    let revision = try await bucket.update([round], for: key, expecting: 0, id: nil)
                    try await bucket.delete(key)
                    try context.expect(try await bucket.get(key) == nil, "a value after the deletion")
                    try await expectConflict(context, bucket, key, expecting: revision)
                }
            },
            Check("a write with a known id has no effect, whatever it expects") { context in
                let transport = try await context.connect()
                let bucket = try await transport.bucket(try context.bucket())
                let key = try BucketKey("key")
                let first = try await bucket.update([1], for: key, expecting: 0, id: "a")
                let second = try await bucket.put([2], for: key, id: "b")
                let repeated = try await bucket.update([1], for: key, expecting: 0, id: "a")
                try context.expect(repeated, is: first, "the revision of the repeated update")
                let again = try await bucket.put([2], for: key, id: "b")
                try context.expect(again, is: second, "the revision of the repeated write")
                try context.expect(
                    try await bucket.get(key) == BucketEntry(key: key, value: [2], revision: second), "the value")
            },
            Check("of concurrent updates none is lost") { context in
                let configuration = try context.bucket()
                let key = try BucketKey("counter")
                let done = Received<Bool>()
                for name in ["a", "b", "c"] {
                    let bucket = try await context.connect(name).bucket(configuration)
                    SignalProducer<Void, TransportError>.async { () async throws(TransportError) in
                        for _ in 0..<20 {
                            while true {
                                let entry = try await bucket.get(key)
                                let count = entry?.value.first ?? 0
                                do throws(TransportError) {
                                    _ = try await bucket.update(
                                        [count + 1], for: key, expecting: entry?.revision ?? 0, id: nil)
                                    break
                                } catch .conflict {}
                            }
                        }
                    }.startWithResult { result in if case .success = result { done.add(true) } }
                }
                try await context.eventually("the writers have not finished") { done.all.count == 3 }
                let bucket = try await context.connect("reader").bucket(configuration)
                try context.expect(try await bucket.get(key)?.value == [60], "the counter")
            },
            Check("a watch reports the present values, and then each change") { context in
                let transport = try await context.connect()
                let bucket = try await transport.bucket(try context.bucket())
                let (a, b) = (try BucketKey("a"), try BucketKey("b"))
                _ = try await bucket.put([1], for: a, id: nil)
                _ = try await bucket.put([2], for: b, id: nil)
                try await bucket.delete(b)
                let (all, one, none) = (Received<BucketEvent>(), Received<BucketEvent>(), Received<BucketEvent>())
                let watch = try bucket.watch(nil) { all.add($0) }
                _ = try bucket.watch(a) { one.add($0) }
                _ = try bucket.watch(try BucketKey("none")) { none.add($0) }
                for received in [all, one, none] {
                    try await context.eventually("no snapshot: \(received.all)") {
                        received.all.contains(.synchronized)
                    }
                }
                try context.expect(summary(all), is: ["a=1", "synchronized"], "the snapshot of all")
                try context.expect(summary(one), is: ["a=1", "synchronized"], "the snapshot of one key")
                try context.expect(summary(none), is: ["synchronized"], "the snapshot of a key without a value")
                _ = try await bucket.put([3], for: b, id: nil)
                _ = try await bucket.put([4], for: a, id: nil)
                // A watch may miss a value that is replaced before it is reported.
                for received in [all, one] {
                    try await context.eventually("no value: \(received.all)") { summary(received).last == "a=4" }
                }
                try await bucket.delete(a)
                for received in [all, one] {
                    try await context.eventually("no deletion: \(received.all)") {
                        summary(received).last == "a deleted"
                    }
                }
                try context.expect(
                    summary(all), is: ["a=1", "synchronized", "b=3", "a=4", "a deleted"], "the events of all")
                try context.expect(summary(one), is: ["a=1", "synchronized", "a=4", "a deleted"], "those of one key")
                watch.dispose()
                let count = all.all.count
                _ = try await bucket.put([5], for: a, id: nil)
                try await context.eventually("the other watch has stopped") { summary(one).last == "a=5" }
                await context.environment.pause()
                try context.expect(all.all.count, is: count, "events after the disposal")
            },
            Check("a bucket that exists is opened again, but not with another configuration") { context in
                let transport = try await context.connect()
                let configuration = try context.bucket()
                let bucket = try await transport.bucket(configuration)
                _ = try await bucket.put([1], for: try BucketKey("a"), id: nil)
                let again = try await transport.bucket(configuration)
                try context.expect(try await again.get(try BucketKey("a"))?.value == [1], "the value")
                var other = configuration
                other.maximumAge = .seconds(3600)
                let changed = other
                try await context.expectError("configurationMismatch") {
                    _ = try await transport.bucket(changed)
                } where: {
                    if case .configurationMismatch(configuration.name.description, _) = $0 { true } else { false }
                }
            },
        ]
    }

    static func expectConflict(
        _ context: ContractContext, _ bucket: any TransportBucket, _ key: BucketKey, expecting revision: UInt64
    ) async throws {
        try await context.expectError("conflict") {
            _ = try await bucket.update([9], for: key, expecting: revision, id: nil)
        } where: {
            if case .conflict(revision, _) = $0 { true } else { false }
        }
    }

    /// The events as short text. A watch may begin with an interruption.
    static func summary(_ received: Received<BucketEvent>) -> [String] {
        received.all.compactMap { event in
            switch event {
            case .value(let entry): "\(entry.key)=\(entry.value.map(String.init).joined(separator: ","))"
            case .deleted(let key, _): "\(key) deleted"
            case .synchronized: "synchronized"
            case .interrupted: nil
            case .failed(let error): "\(error)"
            }
        }
    }
}
