/// The receivers of a signal, in the order in which they were added. Only for the owner of the gate.
///
/// A single receiver needs no buffer. Removing a receiver leaves a hole, because a delivery may be iterating. Holes are
/// closed when a delivery begins, and when a receiver is added to slots that are mostly holes. So adding and removing
/// take constant time on average, and a delivery is safe without a copy: receivers added meanwhile lie beyond the count
/// with which the delivery began. Besides, additions never come from inside a delivery, because the gate's inbox holds
/// them back.
@usableFromInline
struct Slots {
    @usableFromInline typealias Slot = Unmanaged<AnyReceiver>?

    /// The buffer, or the only receiver if there is no buffer.
    @usableFromInline var storage: UnsafeMutableRawPointer?
    /// The number of receivers and holes.
    @usableFromInline var count: Int32 = 0
    /// The number of slots in the buffer, or 0 if there is none.
    @usableFromInline var room: Int32 = 0
    @usableFromInline let owner = Owner(of: "the slots of a signal")

    /// Frees the buffer. It is empty at this point, because a receiver in place keeps its signal alive.
    @inline(__always)
    func deallocate() {
        if room != 0 { deallocateBuffer() }
    }

    @inline(never)
    private func deallocateBuffer() { storage?.deallocate() }

    /// The slots, if there is a buffer. A method, so that no caller keeps the pointer across an addition.
    @inlinable @inline(__always)
    func buffer() -> UnsafeMutablePointer<Slot>? {
        owner.reads()
        return room == 0 ? nil : storage?.assumingMemoryBound(to: Slot.self)
    }

    /// Adds the first receiver. Call only if there has been none.
    @inlinable @inline(__always)
    mutating func begin(with receiver: AnyReceiver) {
        owner.writes()
        let reference = Unmanaged.passRetained(receiver)
        if room == 0 { storage = reference.toOpaque() } else { buffer()?[0] = reference }
        receiver.index = 0
        count = 1
    }

    /// Adds a receiver. `live` is the number of receivers in place.
    mutating func append(_ receiver: AnyReceiver, live: Int32) {
        if room == 0, storage == nil { return begin(with: receiver) }
        owner.writes()
        let reference = Unmanaged.passRetained(receiver)
        if count > 2 &* live { compact() }
        if count >= room { grow() }
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
        let newRoom = Swift.max(4, Int(room) * 2)
        let new = UnsafeMutablePointer<Slot>.allocate(capacity: newRoom)
        if let old = buffer() {
            new.update(from: old, count: Int(count))
            old.deallocate()
        } else if let only = storage {
            new[0] = .fromOpaque(only)
        }
        storage = UnsafeMutableRawPointer(new)
        room = Int32(newRoom)
    }
}
