/// A register with compare-and-set.
public struct RegisterModel<Value: Hashable & Sendable>: SequentialModel {
    /// An operation of a register.
    public enum Call: Sendable, Equatable {
        /// Returns the value.
        case read
        /// Sets the value.
        case write(Value)
        /// Sets the value to the second one if it is the first one.
        case compareAndSet(Value, Value)
    }

    /// What an operation returns.
    public enum Answer: Sendable, Equatable {
        /// The value that was read.
        case value(Value)
        /// The value was set.
        case done
        /// The value was another one.
        case refused
    }

    /// The first value.
    public let initial: Value

    /// Creates a register.
    public init(initial: Value) { self.initial = initial }

    /// Performs an operation.
    public func perform(_ call: Call, on state: inout Value) -> Answer {
        switch call {
        case .read: return .value(state)
        case .write(let value):
            state = value
            return .done
        case .compareAndSet(let expected, let value):
            if state != expected { return .refused }
            state = value
            return .done
        }
    }
}

/// A list to which elements are appended, and which is read as a whole.
public struct ListModel<Element: Hashable & Sendable>: SequentialModel {
    /// An operation of a list.
    public enum Call: Sendable, Equatable {
        /// Returns all elements.
        case read
        /// Appends an element, and returns how many there are then.
        case append(Element)
    }

    /// What an operation returns.
    public enum Answer: Sendable, Equatable {
        /// The elements that were read.
        case elements([Element])
        /// The number of elements after an append.
        case count(Int)
    }

    /// The empty list.
    public let initial: [Element] = []

    /// Creates an empty list.
    public init() {}

    /// Performs an operation.
    public func perform(_ call: Call, on state: inout [Element]) -> Answer {
        switch call {
        case .read: return .elements(state)
        case .append(let element):
            state.append(element)
            return .count(state.count)
        }
    }
}
