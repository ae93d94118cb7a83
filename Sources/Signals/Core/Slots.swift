/// The receivers of a signal, in the order in which they were added. Only for the owner of the gate.
///
/// A single receiver needs no buffer. Removing a receiver leaves a hole, because a delivery may be iterating. Holes are
/// closed when a delivery begins, and when a receiver is added to slots that are mostly holes. So adding and removing
/// take constant time on average, and a delivery is safe without a copy: receivers added meanwhile lie beyond the count
/// with which the delivery began. Besides, additions never come from inside a delivery, because the gate's inbox holds
/// them back.
///
/// Slots that count values always have a buffer: see ``beginCounting()``.
@usableFromInline
struct Slots {
    @usableFromInline typealias Slot = Unmanaged<AnyReceiver>?

    /// The buffer, or the only receiver if there is no buffer.
    @usableFromInline var storage: UnsafeMutableRawPointer?
    /// The number of receivers and holes.
    @usableFromInline var count: Int32 = 0
    /// The capacity of the buffer, or 0 if there is none. Its complement if values are counted, so that a single check
    /// for 0 tells the usual case from all others.
    @usableFromInline var capacity: Int32 = 0
    @usableFromInline let owner = Owner(of: "the slots of a signal")

    init() {}

    /// Frees the buffer. It is empty at this point, because a receiver in place keeps its signal alive.
    @inline(__always)
    func deallocate() {
        if capacity != 0 { deallocateBuffer() }
    }

    @inline(never)
    private func deallocateBuffer() {
        if capacity < 0, storage != firstBlock { firstBlock?.deallocate() }
        storage?.deallocate()
    }

    /// The slots, if there is a buffer. A method, so that no caller keeps the pointer across an addition.
    @inlinable @inline(__always)
    func buffer() -> UnsafeMutablePointer<Slot>? {
        owner.reads()
        if capacity == 0 { return nil }
        if capacity > 0 { return storage?.assumingMemoryBound(to: Slot.self) }
        return storage.map { ($0 + Self.headerSize).assumingMemoryBound(to: Slot.self) }
    }

    /// What the buffer is in, if there is one.
    @inlinable @inline(__always)
    func block() -> UnsafeMutableRawPointer? {
        owner.reads()
        return capacity == 0 ? nil : storage
    }

    /// The number of slots in the buffer.
    private var room: Int32 { capacity < 0 ? ~capacity : capacity }

    /// Adds the first receiver. Call only if there has been none.
    @inlinable @inline(__always)
    mutating func begin(with receiver: AnyReceiver) {
        owner.writes()
        let reference = Unmanaged.passRetained(receiver)
        if capacity == 0 { storage = reference.toOpaque() } else { buffer()?[0] = reference }
        receiver.index = 0
        count = 1
    }

    /// Adds a receiver. `live` is the number of receivers in place.
    mutating func append(_ receiver: AnyReceiver, live: Int32) {
        if capacity == 0, storage == nil { return begin(with: receiver) }
        owner.writes()
        let reference = Unmanaged.passRetained(receiver)
        if count > 2 &* live { compact() }
        if count == room || capacity == 0 { grow() }
        // `grow` made the buffer.
        buffer()![Int(count)] = reference
        receiver.index = count
        count += 1
    }

    /// Removes a receiver and passes its reference to the caller.
    mutating func remove(_ receiver: Unmanaged<AnyReceiver>) {
        owner.writes()
        guard let slots = buffer() else {
            storage = nil
            count = 0
            return
        }
        slots[receiver._withUnsafeGuaranteedRef { Int($0.index) }] = nil
        while count > 0, slots[Int(count) - 1] == nil { count -= 1 }
    }

    /// Calls `body` with each receiver. Receivers may be removed during the iteration.
    @usableFromInline
    func visit(_ body: (AnyReceiver) -> Void) {
        if let slots = buffer() {
            for position in 0..<Int(count) { slots[position]?._withUnsafeGuaranteedRef(body) }
        } else if let only = storage {
            Unmanaged<AnyReceiver>.fromOpaque(only)._withUnsafeGuaranteedRef(body)
        }
    }

    /// Removes all receivers, and passes each one to `body` with its reference.
    mutating func removeAll(_ body: (AnyReceiver) -> Void) {
        owner.writes()
        if let slots = buffer() {
            for position in 0..<Int(count) {
                if let receiver = slots[position].take() { body(receiver.takeRetainedValue()) }
            }
        } else if let only = storage {
            storage = nil
            body(Unmanaged<AnyReceiver>.fromOpaque(only).takeRetainedValue())
        }
        count = 0
    }

    /// Closes the holes.
    @usableFromInline
    mutating func compact() {
        guard let slots = buffer() else { return }
        var target = 0
        for position in 0..<Int(count) {
            guard let receiver = slots[position] else { continue }
            slots[position] = nil
            slots[target] = receiver
            receiver._withUnsafeGuaranteedRef { $0.index = Int32(target) }
            target += 1
        }
        count = Int32(target)
    }

    private mutating func grow() {
        let newCapacity = Swift.max(4, Int(room) * 2)
        let new: UnsafeMutableRawPointer
        if capacity < 0 {
            new = Self.allocate(newCapacity)
            new.storeBytes(of: counter, as: UnsafeMutablePointer<ValueCounter>?.self)
            move(to: (new + Self.headerSize).assumingMemoryBound(to: Slot.self))
            if storage != firstBlock { storage?.deallocate() }
            capacity = ~Int32(newCapacity)
        } else {
            let slots = UnsafeMutablePointer<Slot>.allocate(capacity: newCapacity)
            move(to: slots)
            if capacity > 0 { storage?.deallocate() }
            new = UnsafeMutableRawPointer(slots)
            capacity = Int32(newCapacity)
        }
        storage = new
    }

    private func move(to new: UnsafeMutablePointer<Slot>) {
        if let old = buffer() {
            new.update(from: old, count: Int(count))
        } else if let only = storage {
            new[0] = .fromOpaque(only)
        }
    }
}

// MARK: Counting

// If values are counted, the slots are behind two words: the address of the counter, and in the first buffer the counter
// itself. The first buffer is freed with the signal, so other threads can read the counter at any time before that.
extension Slots {
    private static var wordSize: Int { 8 }
    @inlinable static var headerSize: Int { 16 }

    private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
        .allocate(byteCount: headerSize + capacity * wordSize, alignment: wordSize)
    }

    /// Counts the values from now on. Call only if there has been no receiver.
    ///
    /// - Returns: The counter, which lives until ``deallocate()``.
    mutating func beginCounting() -> UnsafePointer<ValueCounter> {
        let block = Self.allocate(1)
        let counter = (block + Self.wordSize).bindMemory(to: ValueCounter.self, capacity: 1)
        counter.initialize(to: ValueCounter())
        block.storeBytes(of: counter, as: UnsafeMutablePointer<ValueCounter>?.self)
        storage = block
        capacity = ~1
        return UnsafePointer(counter)
    }

    /// Only if values are counted.
    @inlinable @inline(__always)
    var counter: UnsafeMutablePointer<ValueCounter>? {
        storage?.load(as: UnsafeMutablePointer<ValueCounter>?.self)
    }

    private var firstBlock: UnsafeMutableRawPointer? { counter.map { UnsafeMutableRawPointer($0) - Self.wordSize } }

    /// Counts a value. Only if values are counted.
    ///
    /// - Returns: The only receiver. `nil` if there is none, or if there are several.
    @inlinable @inline(__always)
    func countValue() -> UnsafeMutableRawPointer? {
        counter.unsafelyUnwrapped.pointee.count()
        // The last slot is never a hole.
        guard count == 1 else { return nil }
        return storage.unsafelyUnwrapped.load(fromByteOffset: Self.headerSize, as: UnsafeMutableRawPointer?.self)
    }
}
