import Foundation

/// The compiler's messages about code that imports `ReactiveSignals`, or an empty string.
package func compilerMessages(about source: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "typecheck-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Source.swift")
    try "import ReactiveSignals\n\(source)\n".write(to: file, atomically: true, encoding: .utf8)

    // Compiles up to the diagnostics on isolation, which follow type checking, with the modules that these tests were
    // built with.
    let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let messages = Pipe()
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = [
        "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I",
        products.appending(path: "Modules").path(),
        "-module-cache-path", folder.path(), file.path(),
    ]
    compiler.standardError = messages
    try compiler.run()
    let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    return text
}
