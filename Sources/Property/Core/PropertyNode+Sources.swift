import HotSignals

// The roots that a node is derived from. Each node lists those of its inputs, unless these are many in many steps.
extension PropertyNode {
    /// The roots of several inputs, each once, unless there are many.
    struct Sources {
        private(set) var first, second: Unmanaged<PropertyNode>?
        private(set) var others: [Unmanaged<PropertyNode>]?
        /// The addresses of the others; `nil` while there are few.
        private var known: Set<UnsafeMutableRawPointer>?
        private(set) var areMany = false
        private(set) var listed: UInt32 = 0

        init(isLarge: Bool) { if isLarge { known = [] } }

        mutating func add(_ input: PropertyNode) {
            if input.hasManySources { areMany = true }
            addListed(input.listed)
            if first == nil, known == nil, let source = input.source {
                (first, second, others) = (source, input.secondSource, input.moreSources)
                return
            }
            add(input.source ?? .passUnretained(input))
            if let second = input.secondSource { add(second) }
            guard let more = input.moreSources else { return }
            if known == nil { known = Set((others ?? []).map { $0.toOpaque() }) }
            for source in more { add(source) }
        }

        private mutating func add(_ source: Unmanaged<PropertyNode>) {
            let address = source.toOpaque()
            if first == nil {
                first = source
            } else if first?.toOpaque() == address || second?.toOpaque() == address {
                return
            } else if second == nil {
                // Even if there are many: the code that checks the first one looks at this.
                second = source
            } else if !areMany {
                let isNew = known?.insert(address).inserted ?? !(others ?? []).contains { $0.toOpaque() == address }
                if isNew { others = (others.take() ?? []) + [source] }
            }
        }

        private mutating func addListed(_ count: UInt32) {
            let (sum, overflows) = listed.addingReportingOverflow(count)
            listed = overflows ? .max : sum
        }

        /// Call when all inputs have been added. There are many if a read of all lists below would take far longer than
        /// one of this one, as in a fold. In the explorer, more than two are many, so that short scenarios reach it.
        mutating func decide() {
            guard let count = others?.count, !areMany else { return }
            addListed(UInt32(clamping: count))
            #if Explore
            areMany = true
            #else
            areMany = count >= 64 && Int(listed) / 128 >= count
            #endif
        }
    }

    /// The roots of a node with many of them, except the first two.
    final class SourceList: Sendable {
        let roots: [Unmanaged<PropertyNode>]

        init(_ roots: [Unmanaged<PropertyNode>]) { self.roots = roots }
    }

    /// Only for a node with many sources. They are listed when they are first needed, which is when the property itself
    /// is read or observed. If every node listed them, a fold of n properties would take n² steps and words.
    final var otherSources: SourceList {
        if let list = UnsafeRawPointer(bitPattern: sourceList.load()) {
            return Unmanaged<SourceList>.fromOpaque(list).takeUnretainedValue()
        }
        var (roots, candidates): ([Unmanaged<PropertyNode>], [PropertyNode]) = ([], [self])
        var seen: Set<UnsafeMutableRawPointer> = [source!.toOpaque(), secondSource!.toOpaque()]
        while let node = candidates.popLast() {
            if node.hasManySources {
                node.forEachInput { _, input in
                    if seen.insert(Unmanaged.passUnretained(input).toOpaque()).inserted { candidates.append(input) }
                }
            } else if node.isRoot {
                roots.append(.passUnretained(node))
            } else {
                for root in node.sources where seen.insert(root.toOpaque()).inserted { roots.append(root) }
            }
        }
        let list = SourceList(roots)
        let reference = Unmanaged.passRetained(list)
        // Another thread may have stored the same.
        if !sourceList.compareExchangeReleasing(from: 0, to: UInt(bitPattern: reference.toOpaque())) {
            reference.release()
        }
        return list
    }

    final var sources: [Unmanaged<PropertyNode>] {
        guard let source else { return [.passUnretained(self)] }
        let others = hasManySources ? otherSources.roots : moreSources
        return [source] + (secondSource.map { [$0] } ?? []) + (others ?? [])
    }
}
