/// What went through the network interfaces during an interval.
struct NetworkTraffic: Sendable, Equatable {
    /// Every interface that was there at both ends of the interval, `lo` as well.
    var interfaces: [String: Transfer]
    /// What came into the machine and left it; see ``counted(_:)``.
    var total: Transfer

    init(from earlier: NetworkCounters, to later: NetworkCounters, over interval: Interval) {
        var interfaces: [String: Transfer] = [:]
        for (name, now) in later.interfaces {
            guard let before = earlier.interfaces[name] else { continue }
            interfaces[name] = Transfer(
                in: (before.received, now.received), out: (before.sent, now.sent), over: interval)
        }
        self.interfaces = interfaces
        let counted = Self.counted(later.interfaces.keys)
        total = .sum(interfaces.filter { counted.contains($0.key) }.values, over: interval)
    }

    /// The interfaces that make the total.
    ///
    /// `lo` never leaves the machine. Virtual ones repeat the bytes of the interface that carries them, so they count
    /// only where there is nothing else, as in a container.
    static func counted(_ names: some Sequence<String>) -> Set<String> {
        let others = Set(names).subtracting(["lo"])
        let physical = others.filter { name in
            let isVLAN = name.firstIndex(of: ".").map { others.contains(String(name[..<$0])) } ?? false
            return !isVLAN && !virtualPrefixes.contains { name.hasPrefix($0) }
        }
        return physical.isEmpty ? others : physical
    }

    private static let virtualPrefixes = [
        "bond", "br-", "cali", "cni", "docker", "dummy", "flannel", "ifb", "tap", "tun", "veth", "virbr", "vnet", "wg",
    ]
}
