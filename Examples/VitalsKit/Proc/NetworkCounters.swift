/// The bytes through each network interface since it came up: /proc/net/dev.
struct NetworkCounters: Sendable, Equatable {
    var interfaces: [String: Bytes]

    struct Bytes: Sendable, Equatable {
        var received: UInt64
        var sent: UInt64
    }
}

extension NetworkCounters {
    static func parse(_ text: String, file: String) throws(VitalsError) -> NetworkCounters {
        // Old kernels write "eth0:123" without a blank, so the name ends at the colon and not at a blank.
        let text = ProcText(text.replacingFirstColons(), file: file)
        _ = try text.firstLine()
        var interfaces: [String: Bytes] = [:]
        for line in text.lines where !line.fields.contains(where: { $0.contains("|") }) {
            guard line.fields.count > 1, line.fields[1] == ":" else { throw line.malformed("no interface is named") }
            interfaces[String(line.fields[0])] = Bytes(received: try line.counter(2), sent: try line.counter(10))
        }
        return NetworkCounters(interfaces: interfaces)
    }
}

extension String {
    /// Every line with blanks around its first colon, which makes the colon a field.
    fileprivate func replacingFirstColons() -> String {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { line in
                guard let colon = line.firstIndex(of: ":") else { return String(line) }
                return "\(line[..<colon]) : \(line[line.index(after: colon)...])"
            }
            .joined(separator: "\n")
    }
}
