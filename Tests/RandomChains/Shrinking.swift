/// A random case that can be shrunk when it fails.
protocol RandomCase {
    /// The cases with one element less.
    var smaller: [Self] { get }
}

extension RandomCase {
    /// The smallest case that still fails, found by removing one element at a time.
    func shrunk(while fails: (Self) -> Bool) -> Self {
        var smallest = self
        while let smaller = smallest.smaller.first(where: fails) { smallest = smaller }
        return smallest
    }

    /// The cases without one of some elements.
    func without<Element>(each elements: WritableKeyPath<Self, [Element]>) -> [Self] {
        self[keyPath: elements].indices.map { index in
            var result = self
            result[keyPath: elements].remove(at: index)
            return result
        }
    }

    func with<Value>(_ value: Value, as property: WritableKeyPath<Self, Value>) -> Self {
        var result = self
        result[keyPath: property] = value
        return result
    }

    /// The cases without one of the reactions, or without one act of a reaction.
    func without(each reactions: WritableKeyPath<Self, [Reaction]>) -> [Self] {
        var results: [Self] = []
        for (index, reaction) in self[keyPath: reactions].enumerated() {
            var result = self
            result[keyPath: reactions].remove(at: index)
            results.append(result)
            guard reaction.acts.count > 1 else { continue }
            for act in reaction.acts.indices {
                var result = self
                result[keyPath: reactions][index].acts.remove(at: act)
                results.append(result)
            }
        }
        return results
    }
}

extension ChainCase: RandomCase {
    var smaller: [ChainCase] {
        (enqueues ? [with(false, as: \.enqueues)] : []) + without(each: \.reactions) + without(each: \.early)
            + without(each: \.script) + without(each: \.steps)
    }
}

extension ProducerCase: RandomCase {
    var smaller: [ProducerCase] {
        (startsWithSignal ? [with(false, as: \.startsWithSignal)] : []) + without(each: \.reactions)
            + without(each: \.script) + without(each: \.steps)
    }
}
