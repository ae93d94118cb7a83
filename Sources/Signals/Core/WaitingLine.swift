/// A first-in, first-out queue whose elements can also be removed from the middle. Each operation takes constant time.
///
/// Implemented as a doubly linked list within an array, with an index from the keys to the places in the array. A place
/// that an element has left is reused. A value type, without a lock.
@frozen @usableFromInline
package struct WaitingLine<Key: Hashable & Sendable, Element: Sendable>: Sendable {
    @frozen @usableFromInline
    struct Place {
        /// `nil` for a free place.
        @usableFromInline var occupant: (key: Key, element: Element)?
        /// The neighbor toward the first element.
        @usableFromInline var previous: Int?
        /// The neighbor toward the last element. For a free place, the next free place.
        @usableFromInline var next: Int?

        @_alwaysEmitIntoClient
        init(occupant: (key: Key, element: Element)?, previous: Int?, next: Int?) {
            self.occupant = occupant
            self.previous = previous
            self.next = next
        }
    }

    @usableFromInline var places: [Place] = []
    @usableFromInline var firstPlace: Int?
    @usableFromInline var lastPlace: Int?
    /// The first of the free places.
    @usableFromInline var free: Int?
    @usableFromInline var placeOfKey: [Key: Int] = [:]

    @_alwaysEmitIntoClient
    package init() {}

    @_alwaysEmitIntoClient
    package var count: Int { placeOfKey.count }

    /// The element that ``popFirst()`` would take.
    @_alwaysEmitIntoClient
    package var first: Element? { firstPlace.flatMap { places[$0].occupant?.element } }

    /// The number of places, taken or free: the greatest length of the queue since it was created, or since it was last
    /// empty after it had been long.
    @_alwaysEmitIntoClient
    package var capacity: Int { places.count }

    /// Adds an element at the end.
    ///
    /// - Parameter key: Must not be in the queue.
    @_alwaysEmitIntoClient
    package mutating func append(_ element: Element, for key: Key) {
        let index = occupy(Place(occupant: (key, element), previous: lastPlace, next: nil))
        if let lastPlace { places[lastPlace].next = index } else { firstPlace = index }
        lastPlace = index
        placeOfKey[key] = index
    }

    /// Adds an element before the first one.
    ///
    /// - Parameter key: Must not be in the queue.
    @_alwaysEmitIntoClient
    package mutating func prepend(_ element: Element, for key: Key) {
        let index = occupy(Place(occupant: (key, element), previous: nil, next: firstPlace))
        if let firstPlace { places[firstPlace].previous = index } else { lastPlace = index }
        firstPlace = index
        placeOfKey[key] = index
    }

    /// Puts an element into a free place, or into a new one.
    @_alwaysEmitIntoClient
    mutating func occupy(_ new: Place) -> Int {
        guard let index = free else {
            places.append(new)
            return places.count - 1
        }
        free = places[index].next
        places[index] = new
        return index
    }

    /// Removes and returns the element that has been in the queue the longest.
    @_alwaysEmitIntoClient
    package mutating func popFirst() -> Element? {
        guard let firstPlace, let key = places[firstPlace].occupant?.key else { return nil }
        return remove(key)
    }

    /// Removes and returns an element, wherever it is. Returns `nil` if it is not in the queue.
    @_alwaysEmitIntoClient
    package mutating func remove(_ key: Key) -> Element? {
        guard let index = placeOfKey.removeValue(forKey: key) else { return nil }
        let place = places[index]
        if let previous = place.previous { places[previous].next = place.next } else { firstPlace = place.next }
        if let next = place.next { places[next].previous = place.previous } else { lastPlace = place.previous }
        places[index] = Place(occupant: nil, previous: nil, next: free)
        free = index
        // Frees the memory of a long queue.
        if placeOfKey.isEmpty, places.count > 64 { self = WaitingLine() }
        return place.occupant?.element
    }
}
