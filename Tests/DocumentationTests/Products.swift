import Foundation

/// The products that SwiftPM has built with these tests.
enum Products {
    static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// The compiler options for code that uses the modules, as a user would compile it: without upcoming features.
    static var options: [String] {
        var options = [
            "-I", folder.appending(path: "Modules").path(), "-swift-version", "6", "-suppress-warnings",
            // Reports all errors, not only those of the first file.
            "-continue-building-after-errors",
            "-module-cache-path", folder.appending(path: "ModuleCache").path(),
        ]
        // The objects must be linked with the runtimes that they were compiled for.
        if has("__tsan_init") { options.append("-sanitize=thread") }
        if has("__asan_init") { options.append("-sanitize=address") }
        if has("__llvm_profile_write_file") { options.append("-profile-generate") }
        return options
    }

    static func objects(of module: String) throws -> [String] {
        let folder = folder.appending(path: "\(module).build")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return files.map { $0.path() }.filter { $0.hasSuffix(".o") }.sorted()
    }

    /// The target that the modules were built for.
    static var target: String {
        #if arch(arm64)
        "aarch64-unknown-linux-gnu"
        #else
        "x86_64-unknown-linux-gnu"
        #endif
    }

    private static func has(_ symbol: String) -> Bool { dlsym(nil, symbol) != nil }
}

/// Runs other programs.
enum Command {
    struct Output {
        let text: String
        let errors: String
    }

    /// Runs blocking work on a separate thread, as other tests need the threads of the pool.
    static func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    static func run(_ arguments: [String]) throws -> Output {
        let folder = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files rather than pipes, which would have to be read while the program writes.
        let (output, errors) = (folder.appending(path: "out"), folder.appending(path: "err"))
        _ = FileManager.default.createFile(atPath: output.path(), contents: nil)
        _ = FileManager.default.createFile(atPath: errors.path(), contents: nil)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        // A build that collects coverage must not write its data into the package.
        process.environment = ProcessInfo.processInfo.environment.merging(
            [
                "LLVM_PROFILE_FILE": folder.appending(path: "profile").path(),
                // An example may leave work running, which is not a leak of the library. A crash is reported in one
                // line.
                "ASAN_OPTIONS": "detect_leaks=0", "SWIFT_BACKTRACE": "enable=no",
            ]
        ) { $1 }
        try process.run()
        process.waitUntilExit()
        return Output(
            text: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}
