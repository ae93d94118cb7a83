/// Names and texts as Prometheus allows them.
enum PrometheusName {
    /// The name of a metric: letters, digits and `_`, with a suffix unless it has it already.
    ///
    /// Prometheus allows `:` as well, for the rules of its configuration.
    static func metric(_ label: String, suffix: String) -> String {
        let name = valid(label)
        return name.hasSuffix(suffix) ? name : name + suffix
    }

    /// The labels as they are written between braces, ordered by name.
    static func labels(_ dimensions: [(String, String)]) -> String {
        if dimensions.isEmpty { return "" }
        var values: [String: [String]] = [:]
        for (name, value) in dimensions { values[label(name), default: []].append(value) }
        return values.sorted { $0.key < $1.key }
            .map { name, values in "\(name)=\"\(escape(values.joined(separator: ";"), quotes: true))\"" }
            .joined(separator: ",")
    }

    private static func label(_ name: String) -> String {
        let name = valid(name)
        // Prometheus adds the first two itself, and keeps names with two underscores for itself.
        return name == "le" || name == "quantile" || name.hasPrefix("__") ? "exported_\(name)" : name
    }

    private static func valid(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": name.unicodeScalars.append(scalar)
            case "0"..."9":
                if name.isEmpty { name = "_" }
                name.unicodeScalars.append(scalar)
            default: name += "_"
            }
        }
        return name.isEmpty ? "_" : name
    }

    /// Escapes what would end a line or a quoted text.
    static func escape(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || $0 == 0x22 }) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A number as Prometheus reads it, without a fraction if it has none.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let integer = Int64(exactly: value), abs(value) < 1e18 { return "\(integer)" }
        return "\(value)"
    }
}
