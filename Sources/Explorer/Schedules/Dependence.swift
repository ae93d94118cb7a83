#if Explore
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Which accesses of an execution could also have happened in another order, with another result.
///
/// Two segments of different threads are *dependent* if both access the same object and one of them writes it.
/// Schedules that differ only in the order of independent segments are equivalent: the threads see the same, and so do
/// the checks. Objects are words, locks, conditions, fields with an ``Ownership``, the state of a scenario
/// (``Trial/State``), and reference counts, of which the last release depends on the earlier ones.
///
/// An access *races* with an earlier one of another thread if it is dependent on it, and nothing else that has happened
/// orders the two. ``DepthFirst`` says what follows from that.
///
/// There is one instance for each real thread that runs executions, because the hooks of the runtime get no context.
/// They must not retain or release anything, so all memory is raw.
final class Dependence {
    /// An access, by the thread and the number of its event.
    struct Access {
        let thread: Int32
        let isWrite: Bool
        let event: UInt32
        /// The choice with which the thread continued before this access, although it could have been interrupted.
        /// -1 if there was no such choice.
        let choice: Int32
    }

    typealias Clock = SIMD16<UInt32>

    /// For each thread, the events of all threads that are ordered before its next event.
    let clocks = UnsafeMutablePointer<Clock>.allocate(capacity: VectorClock.threadLimit)
    /// For each thread, the choice with which its segment began, or -1.
    let choices = UnsafeMutablePointer<Int32>.allocate(capacity: VectorClock.threadLimit)
    /// For each thread, a hash of what it has done and of all that is ordered before it.
    private let hashes = UnsafeMutablePointer<UInt64>.allocate(capacity: VectorClock.threadLimit)
    /// Whether an access races with a choice, by the number of the choice.
    private let isRacing = UnsafeMutablePointer<Bool>.allocate(capacity: choiceLimit)
    private var choiceCount = 0
    static let choiceLimit = 1 << 16
    /// Whether something has happened whose dependences are not known.
    private(set) var isUnknown = false
    private(set) var isOn = false
    private let releases = ReleaseTable()

    init() { isRacing.initialize(repeating: false, count: Self.choiceLimit) }

    func begin() {
        clocks.update(repeating: Clock(), count: VectorClock.threadLimit)
        choices.update(repeating: -1, count: VectorClock.threadLimit)
        hashes.update(repeating: 1, count: VectorClock.threadLimit)
        isRacing.update(repeating: false, count: choiceCount)
        choiceCount = 0
        isUnknown = false
    }

    func turnOn() {
        isOn = true
        releases.begin(self)
    }

    func turnOff() {
        if isOn { releases.end() }
        isOn = false
    }

    /// Whether releases are not noted.
    static var isPaused: Bool {
        get { ReleaseTable.isPaused }
        set { ReleaseTable.isPaused = newValue }
    }

    /// Sets the thread that runs.
    func run(_ thread: Int) { if isOn { releases.thread(thread) } }

    /// The choices with which an access races.
    var racing: [Int] { (0..<choiceCount).filter { isRacing[$0] } }

    func giveUp() { isUnknown = true }

    /// Records an access, and finds what it races with.
    func access(_ footprint: inout Footprint, _ thread: Int, isWrite: Bool) {
        for access in footprint.accesses where (isWrite || access.isWrite) && access.thread != Int32(thread) {
            race(access, with: thread)
        }
        clocks[thread] = pointwiseMax(clocks[thread], footprint.writes)
        if isWrite { clocks[thread] = pointwiseMax(clocks[thread], footprint.reads) }
        tick(thread)
        if isWrite {
            footprint.writes = clocks[thread]
            hashes[thread] = mix(hashes[thread], footprint.writeHash &+ footprint.readHash)
            footprint.writeHash = hashes[thread]
            footprint.readHash = 0
        } else {
            footprint.reads = pointwiseMax(footprint.reads, clocks[thread])
            hashes[thread] = mix(hashes[thread], footprint.writeHash ^ 1)
            footprint.readHash &+= hashes[thread]
        }
        footprint.accesses.append(
            Access(
                thread: Int32(thread), isWrite: isWrite, event: clocks[thread][thread], choice: choices[thread]))
    }

    /// Finds what an access races with that a thread cannot perform yet, because it has to wait.
    func attempt(_ footprint: Footprint, _ thread: Int) {
        for access in footprint.accesses where access.thread != Int32(thread) { race(access, with: thread) }
    }

    /// Orders what a thread has done so far before the first event of another one.
    func spawn(_ child: Int, by parent: Int) {
        tick(parent)
        clocks[child] = clocks[parent]
    }

    /// Notes a race with an event of another thread, unless that is ordered before.
    fileprivate func race(_ event: UInt32, _ choice: Int32, by other: Int, with thread: Int) {
        guard choice >= 0, clocks[thread][other] < event else { return }
        if choice >= Self.choiceLimit { return giveUp() }
        isRacing[Int(choice)] = true
        choiceCount = max(choiceCount, Int(choice) + 1)
    }

    /// The same for equivalent schedules, and different for those in which other accesses of words, locks, conditions,
    /// fields or states are ordered in another way, unless hashes collide.
    var trace: UInt64 { (0..<VectorClock.threadLimit).reduce(0) { mix($0, hashes[$1]) } }

    private func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var bits = (left &* 0x9E37_79B9_7F4A_7C15) ^ (right &* 0xC2B2_AE3D_27D4_EB4F &+ 0x1656_67B1_9E37_79F9)
        bits = (bits ^ (bits >> 29)) &* 0xBF58_476D_1CE4_E5B9
        return bits ^ (bits >> 32)
    }

    private func tick(_ thread: Int) { clocks[thread][thread] += 1 }

    private func race(_ access: Access, with thread: Int) {
        race(access.event, access.choice, by: Int(access.thread), with: thread)
    }
}

/// The accesses of an object, for ``Dependence``.
struct Footprint {
    fileprivate(set) var accesses: [Dependence.Access] = []
    fileprivate(set) var writes = Dependence.Clock()
    fileprivate(set) var reads = Dependence.Clock()
    fileprivate var writeHash: UInt64 = 0
    fileprivate var readHash: UInt64 = 0

    mutating func clear() {
        accesses.removeAll(keepingCapacity: true)
        writes = Dependence.Clock()
        reads = Dependence.Clock()
        writeHash = 0
        readHash = 0
    }
}

/// The last release of each reference-counted object by each thread.
///
/// While it is on, the runtime of Swift calls it for each release in the process.
private final class ReleaseTable {
    /// The last release of an object by a thread.
    private struct Release {
        var event: UInt32
        var choice: Int32
    }

    private struct Slot {
        var object: UInt
        /// The number of the execution in which the slot was last used.
        var stamp: Int
    }

    private static let capacity = 1 << 14
    private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
    private let entries = UnsafeMutablePointer<Release>.allocate(capacity: capacity * VectorClock.threadLimit)
    private var stamp = 0

    init() { slots.initialize(repeating: Slot(object: 0, stamp: 0), count: Self.capacity) }

    // MARK: The hooks

    private typealias Object = UnsafeMutableRawPointer
    private typealias Hook = @convention(c) (Object?) -> Void
    private typealias CountingHook = @convention(c) (Object?, UInt32) -> Void
    private typealias ReturningHook = @convention(c) (Object?) -> Object?
    private typealias ReturningCountingHook = @convention(c) (Object?, UInt32) -> Object?

    /// What the hooks use, on the thread that runs the execution.
    private struct State {
        var thread: Int
        var table: Unmanaged<ReleaseTable>
        var dependence: Unmanaged<Dependence>
    }

    nonisolated(unsafe) private static var release: Hook?
    nonisolated(unsafe) private static var releaseCount: CountingHook?
    nonisolated(unsafe) private static var retain: ReturningHook?
    nonisolated(unsafe) private static var retainCount: ReturningCountingHook?
    nonisolated(unsafe) private static var tryRetain: ReturningHook?
    nonisolated(unsafe) private static var isEnabled: UnsafeMutablePointer<Bool>?
    nonisolated(unsafe) private static let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    /// The real thread that runs the execution, or 0.
    nonisolated(unsafe) private static var runner: UInt = 0
    /// Whether the explorer runs, which may itself release something.
    nonisolated(unsafe) fileprivate static var isPaused = false
    /// Whether a hook runs, which may itself release something.
    nonisolated(unsafe) private static var isInside = false
    /// Whether this platform has the hooks.
    private static let isInstalled = install()

    private static func install() -> Bool {
        let name = "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly"
        guard let enabled = dlsym(nil, name), let release = dlsym(nil, "_swift_release"),
            let releaseCount = dlsym(nil, "_swift_release_n"), let retain = dlsym(nil, "_swift_retain"),
            let retainCount = dlsym(nil, "_swift_retain_n"), let tryRetain = dlsym(nil, "_swift_tryRetain")
        else { return false }
        func replace<Function>(_ address: Object, _ former: inout Function?, _ hook: Function) {
            let variable = address.assumingMemoryBound(to: Function.self)
            former = variable.pointee
            variable.pointee = hook
        }
        replace(release, &Self.release) { object in
            guard let object, ReleaseTable.isObject(object) else { return }
            ReleaseTable.note(object, 1)
            ReleaseTable.release.unsafelyUnwrapped(object)
        }
        replace(releaseCount, &Self.releaseCount) { object, count in
            guard let object, ReleaseTable.isObject(object) else { return }
            ReleaseTable.note(object, count)
            ReleaseTable.releaseCount.unsafelyUnwrapped(object, count)
        }
        replace(retain, &Self.retain) { object in
            guard let object, ReleaseTable.isObject(object) else { return object }
            return ReleaseTable.retain.unsafelyUnwrapped(object)
        }
        replace(retainCount, &Self.retainCount) { object, count in
            guard let object, ReleaseTable.isObject(object) else { return object }
            return ReleaseTable.retainCount.unsafelyUnwrapped(object, count)
        }
        replace(tryRetain, &Self.tryRetain) { object in
            guard let object, ReleaseTable.isObject(object) else { return object }
            return ReleaseTable.tryRetain.unsafelyUnwrapped(object)
        }
        isEnabled = enabled.assumingMemoryBound(to: Bool.self)
        return true
    }

    /// The pages that are known to be mapped, by a hash of their number.
    nonisolated(unsafe) private static let pages = {
        let pages = UnsafeMutablePointer<UInt>.allocate(capacity: pageCount)
        pages.initialize(repeating: 0, count: pageCount)
        return pages
    }()
    private static let pageCount = 1 << 12

    /// Whether an argument of a hook is the address of an object.
    ///
    /// The runtime also calls the hooks for short strings, whose characters are where others have an address. It has
    /// already removed the bits that tell them apart. Their characters are no address of mapped memory.
    private static func isObject(_ object: Object) -> Bool {
        let page = UInt(bitPattern: object) >> 12
        let known = pages + Int(bitPattern: page & UInt(pageCount - 1))
        guard page > 16 else { return false }
        if known.pointee == page { return true }
        guard let start = Object(bitPattern: page << 12) else { return false }
        var residence: UInt8 = 0
        guard mincore(start, 1, &residence) == 0 else { return false }
        known.pointee = page
        return true
    }

    func begin(_ dependence: Dependence) {
        // The hooks follow one real thread.
        guard Strand.isFiber, Self.isInstalled else { return dependence.giveUp() }
        stamp += 1
        Self.state.initialize(
            to: State(thread: 0, table: .passUnretained(self), dependence: .passUnretained(dependence)))
        Self.runner = UInt(pthread_self())
        Self.isPaused = false
        Self.isEnabled?.pointee = true
    }

    func end() {
        Self.runner = 0
        Self.isEnabled?.pointee = false
    }

    func thread(_ thread: Int) { Self.state.pointee.thread = thread }

    /// Called before a release.
    private static func note(_ object: Object, _ count: UInt32) {
        guard runner != 0, !isInside, UInt(pthread_self()) == runner else { return }
        isInside = true
        defer { isInside = false }
        let thread = state.pointee.thread
        state.pointee.table._withUnsafeGuaranteedRef { table in
            state.pointee.dependence._withUnsafeGuaranteedRef { dependence in
                table.note(object, count, thread, dependence)
            }
        }
    }

    private func note(
        _ object: UnsafeMutableRawPointer, _ count: UInt32, _ thread: Int, _ dependence: Dependence
    ) {
        // The second word of an object: bits 33 to 62 hold the number of strong references minus one, unless bit 63 is
        // set. Then the object is immortal, or a weak reference to it has been formed.
        let bits = object.load(fromByteOffset: 8, as: UInt.self)
        var isLast = (bits & ~(1 << 63)) >> 33 < UInt(count)
        if bits >> 63 == 1 {
            if UInt32(truncatingIfNeeded: bits) == .max { return }
            isLast = swift_retainCount(object) <= UInt(count)
            // Whether a weak reference finds it depends on the moment.
            if isLast { return dependence.giveUp() }
        }
        if Self.isPaused, !isLast { return }
        let address = UInt(bitPattern: object)
        let hash = ((address >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 40
        var index = Int(bitPattern: hash) & (Self.capacity - 1)
        var tries = 0
        while slots[index].stamp == stamp, slots[index].object != address {
            index = (index + 1) & (Self.capacity - 1)
            tries += 1
            if tries > 256 { return dependence.giveUp() }
        }
        let first = entries + index * VectorClock.threadLimit
        if slots[index].stamp != stamp {
            // The last release of an object that has not been released before.
            if isLast { return }
            slots[index] = Slot(object: address, stamp: stamp)
            first.update(repeating: Release(event: 0, choice: -1), count: VectorClock.threadLimit)
        }
        if isLast {
            for other in 0..<VectorClock.threadLimit
            where !Self.isPaused && other != thread && first[other].event > 0 {
                dependence.race(first[other].event, first[other].choice, by: other, with: thread)
            }
            first.update(repeating: Release(event: 0, choice: -1), count: VectorClock.threadLimit)
        } else {
            // Part of the thread's next event, as other threads cannot have learned of it.
            first[thread] = Release(
                event: dependence.clocks[thread][thread] + 1, choice: dependence.choices[thread])
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@_silgen_name("swift_retainCount")
private func swift_retainCount(_ object: UnsafeMutableRawPointer) -> UInt
#endif
