/// The keys and values that a JSON text gives, and what is wrong with them so far.
struct Document {
    private var found: [(offset: Int, problem: Problem)] = []
    private var values: [Key: JSONNode] = [:]
    private let bytes: [UInt8]

    /// In the order of the text.
    var problems: [Problem] {
        var (position, offset) = (TextPosition(), 0)
        return found.sorted { $0.offset < $1.offset }.map { found in
            position.advance(over: bytes[offset..<found.offset])
            offset = found.offset
            var problem = found.problem
            problem.position = position
            return problem
        }
    }

    var hasErrors: Bool { found.contains { $0.problem.severity == .error } }

    init(_ bytes: [UInt8]) throws(JSONError) {
        self.bytes = bytes
        let root = try JSONParser.parse(bytes)
        if case .object(let members) = root.content {
            add(members, path: "")
        } else {
            report("expected an object, found \(root.found)", at: nil, root.offset)
        }
    }

    private mutating func add(_ members: [JSONNode.Member], path: String) {
        var names: Set<String> = []
        for member in members {
            // A name that contains a dot is not a known key, whatever its path looks like.
            let name = member.name.contains(".") ? "\"\(member.name)\"" : member.name
            let path = path.isEmpty ? name : "\(path).\(name)"
            if !names.insert(member.name).inserted {
                report("given more than once; the last value is used", at: path, member.offset, .warning)
                values = values.filter { !$0.key.rawValue.hasPrefix(path + ".") }
            }
            if let key = Key(rawValue: path) {
                values[key] = member.value
            } else if !Key.areIn(path) {
                report("unknown key", at: path, member.offset, .warning)
            } else if case .object(let members) = member.value.content {
                add(members, path: path)
            } else {
                report("expected an object, found \(member.value.found)", at: path, member.value.offset)
            }
        }
    }

    // MARK: Values

    mutating func integer(_ key: Key) -> Int? {
        value(key, "a whole number") { content in
            guard case .number(let number) = content else { return nil }
            return Int(exactly: number)
        }
    }

    mutating func string(_ key: Key) -> String? {
        value(key, "a string") { content in
            guard case .string(let string) = content else { return nil }
            return string
        }
    }

    /// Nil if the value is not there, and if it is something else, which is reported.
    private mutating func value<Value>(
        _ key: Key, _ expected: String, _ read: (JSONNode.Content) -> Value?
    ) -> Value? {
        guard let node = values[key] else { return nil }
        if let value = read(node.content) { return value }
        report("expected \(expected), found \(node.found)", at: key.rawValue, node.offset)
        return nil
    }

    // MARK: Problems

    /// Reports a value that has the right type and is wrong all the same.
    ///
    /// One that is wrong only beside another is not reported if the other one is wrong itself.
    mutating func report(_ objection: Objection, to key: Key, _ severity: Problem.Severity = .error) {
        let other = objection.other
        if let other, isWrong(other) { return }
        let isGiven = values[key] != nil
        let node = values[key] ?? other.flatMap { values[$0] }
        let reason = isGiven ? objection.reason : objection.reason + " (the default, because it is not given)"
        report(reason, at: key.rawValue, node?.offset ?? 0, severity)
    }

    private mutating func report(
        _ reason: String, at path: String?, _ offset: Int, _ severity: Problem.Severity = .error
    ) {
        found.append((offset, Problem(severity: severity, keyPath: path, reason: reason)))
    }

    private func isWrong(_ key: Key) -> Bool {
        found.contains { $0.problem.keyPath == key.rawValue && $0.problem.severity == .error }
    }
}
