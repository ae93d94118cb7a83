import HotSignals

/// What is alive in the process: signals, starts, properties, actions and buffers, and what waits for what.
///
/// ```swift
/// StreamGraph.start()
/// let (orders, input) = Signal<String, Never>.pipe()
/// orders.named("orders").filter { !$0.isEmpty }.observeNext { _ in }
/// print(StreamGraph.snapshot())
/// input.sendCompleted()
/// ```
///
/// Call ``start()`` at the beginning of the program: only what is created after that is recorded. ``snapshot(after:)``
/// then returns a value that prints as a tree, that ``Snapshot/dot`` draws, and whose ``Snapshot/warnings`` name what
/// looks wrong.
///
/// **What is recorded**: signals and their operators; starts of producers whose work does not end before `start`
/// returns, and starts of producers with a name; properties; actions; queues with a bound or without one. A start that
/// sends everything on the thread that starts it, such as that of a sequence, is recorded only if the producer has a
/// name: give it one with `named(_:)`. Events are not counted: to count those of a stream, tap it with `tapped(by:)`,
/// and those of all producers with a name with `StreamHooks.tap`.
///
/// Of the queues, those of `observe(on:)`, async sequences, `flatMap` and `flatten` of producers, suspended senders and
/// actions are shown, but not those of timed operators, `zip`, replays and gates.
///
/// **Places**: ``Node/fileID`` says where something was named or made, ``Node/startPlace`` where a start was begun, and
/// ``Node/observerPlaces`` where observers were added. What the library begins or adds has none, and neither has a
/// binding with `<~`. A method of yours that starts or observes for others can pass on the `file` and `line` of its
/// caller.
///
/// **Memory**: it keeps nothing alive. A snapshot retains a part of the streams while it looks at them, so what is
/// released in the meantime may be deinitialized by the thread that takes it. A stream costs about 150 bytes more, and
/// so does an observer.
///
/// **Threads**: every method can be called on any thread, and in an observer. It does not wait for streams. A snapshot
/// is not taken at one instant: a stream that begins or ends in the meantime may be missing.
///
/// **Cost**: nothing for a value, and nothing for a start before the first recording. While recording, up to a third
/// more for a start. From then on, each stream and start that is released is looked up in a table, also when nothing is
/// recorded any more.
public enum StreamGraph {
    /// Whether what is created now is recorded. `false` at first.
    public static var isRecording: Bool { GraphHook.isOn.isOn }

    /// Records what is created from now on.
    public static func start() { setRecording(true) }

    /// Stops recording. What has been recorded stays in the snapshots as long as it is alive.
    public static func stop() { setRecording(false) }

    private static func setRecording(_ isRecording: Bool) { GraphHook.set(GraphRegistry.hook, isOn: isRecording) }

    /// Describes what is alive now.
    ///
    /// Takes time in proportion to the number of recorded objects. No lock is held while it looks at them.
    ///
    /// - Parameter former: An earlier snapshot, to find the buffers that have grown since then.
    public static func snapshot(after former: Snapshot? = nil) -> Snapshot {
        snapshot(after: former, now: GraphRegistry.now)
    }

    /// - Parameter now: What counts as the current time: see ``GraphRegistry/now``.
    package static func snapshot(after former: Snapshot?, now: Int) -> Snapshot {
        var walk = GraphWalk(now: now)
        GraphRegistry.visit { member, record in walk.add(member, record) }
        return walk.finish(after: former)
    }
}
