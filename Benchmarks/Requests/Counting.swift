// Runs each row in a process of its own, so that neither the heap nor a property that others have used changes its
// count. Scripts/check-requests runs the program in valgrind.

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A row: its name, and what runs it a number of times.
typealias RepeatedRow = (name: String, run: (Int) -> Void)

/// Whether the repetitions are counted. Makes the two functions below differ, or the compiler merges them.
nonisolated(unsafe) public var isCounting = false

/// callgrind sets its counters to zero when this is called.
@inline(never) public func beginCounting() { isCounting = true }

/// callgrind writes its counters to a file when this is called.
@inline(never) public func endCounting() { isCounting = false }

/// Prints the titles of the sections and the names of their rows. With arguments, runs rows and prints the process of
/// each. The arguments are how often to run a row before it is counted, how often to count it, and names of rows.
func count(_ sections: [(title: String, rows: [RepeatedRow])]) {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count > 2, let before = Int(arguments[1]), let counted = Int(arguments[2]) else {
        for section in sections {
            print("#", section.title)
            for row in section.rows { print(row.name) }
        }
        return
    }
    // Swift imports no `fork`, because a child with threads is not safe. This process has only one.
    guard let address = dlsym(dlopen(nil, RTLD_NOW), "fork") else { fatalError("no fork") }
    let fork = unsafeBitCast(address, to: (@convention(c) () -> pid_t).self)
    let chosen = Set(arguments.dropFirst(2))
    for row in sections.flatMap(\.rows) where chosen.contains(row.name) {
        let child = fork()
        if child == 0 {
            row.run(before)
            beginCounting()
            row.run(counted)
            endCounting()
            _exit(0)
        }
        var status: CInt = 0
        guard waitpid(child, &status, 0) == child, status == 0 else { fatalError("\(row.name): status \(status)") }
        print(child, row.name)
    }
}
