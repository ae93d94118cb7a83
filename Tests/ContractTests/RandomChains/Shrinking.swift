extension ChainCase {
    /// The smallest case, taking away one thing after another, that still fails.
    func shrunk(while fails: (ChainCase) -> Bool) -> ChainCase {
        var smallest = self
        while let smaller = smallest.smaller.first(where: fails) { smallest = smaller }
        return smallest
    }

    /// The same with one thing less.
    private var smaller: [ChainCase] {
        var results: [ChainCase] = []
        func without(_ change: (inout ChainCase) -> Void) {
            var result = self
            change(&result)
            results.append(result)
        }
        if enqueues { without { $0.enqueues = false } }
        for index in reactions.indices {
            without { $0.reactions.remove(at: index) }
            for act in reactions[index].acts.indices { without { $0.reactions[index].acts.remove(at: act) } }
        }
        for index in early.indices { without { $0.early.remove(at: index) } }
        for index in script.indices { without { $0.script.remove(at: index) } }
        for index in steps.indices { without { $0.steps.remove(at: index) } }
        return results.filter { $0.reactions.allSatisfy { !$0.acts.isEmpty } }
    }
}
