import Foundation
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Tests the example at the beginning of README, and the plain Swift to which README links.
@Suite("The supplier", .watched)
struct SupplierReadmeTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("is in README as it is compiled and tested", arguments: ["Supplier.swift", "SupplierTests.swift"])
    func verbatim(file: String) throws {
        let code = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        let page = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        #expect(page.contains("```swift\n\(code)```\n"), "README shows other code than \(file)")
    }

    @Test("in plain Swift takes as long")
    func plain() async {
        let scheduler = TestScheduler()
        let ends: [String] = await scheduler.run {
            let supplier = PlainSupplier(clock: scheduler) { _ in
                try? await Task.sleep(for: .seconds(60), clock: scheduler)
                return 0
            }
            return await withTaskGroup(of: String.self) { group in
                for item in ["tea", "salt", "oil"] {
                    group.addTask {
                        do {
                            return "\(try await supplier.quote(item)) at \(scheduler.now)"
                        } catch {
                            return "\(error) at \(scheduler.now)"
                        }
                    }
                }
                await scheduler.advance(by: .seconds(10))
                var ends: [String] = []
                for await end in group { ends.append(end) }
                return ends
            }
        }
        #expect(ends == ["timeout at 3.3 seconds", "timeout at 3.3 seconds", "timeout at 6.6 seconds"])
    }
}
