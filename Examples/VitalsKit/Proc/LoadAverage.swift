/// How many tasks wanted a CPU, on average over one, five and fifteen minutes: /proc/loadavg.
struct LoadAverage: Sendable, Equatable {
    var one: Double
    var five: Double
    var fifteen: Double
    var runningTasks: UInt64
    var tasks: UInt64
}

extension LoadAverage {
    static func parse(_ text: String, file: String) throws(VitalsError) -> LoadAverage {
        let line = try ProcText(text, file: file).firstLine()
        let field = try line.field(3)
        let counts = field.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
        guard counts.count == 2, let running = counts[0], let all = counts[1] else {
            throw line.malformed(field, "is not of the form running/tasks")
        }
        return LoadAverage(
            one: try line.decimal(0), five: try line.decimal(1), fifteen: try line.decimal(2), runningTasks: running,
            tasks: all)
    }
}
