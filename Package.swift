// swift-tools-version: 6.2
import PackageDescription

/// What every target of the package is compiled with.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Modules bear no name of a type nor a common word: a target `Action` or `Property` would clash with a user's own.
// Hence the `path:` arguments, which keep the folders short.
let package = Package(
    name: "ReactiveSignals",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        // What README tells a user to import: the five modules of the core under one name.
        .library(name: "ReactiveSignals", targets: ["ReactiveSignals"]),
        // Each of them by itself, for a program that is to be small.
        .library(name: "HotSignals", targets: ["HotSignals"]),
        .library(name: "ColdProducers", targets: ["ColdProducers"]),
        .library(name: "ReactiveProperties", targets: ["ReactiveProperties"]),
        .library(name: "ReactiveAsync", targets: ["ReactiveAsync"]),
        .library(name: "ReactiveActions", targets: ["ReactiveActions"]),
        .library(name: "ReactiveDiagnostics", targets: ["ReactiveDiagnostics"]),
        .library(name: "ReactiveServer", targets: ["ReactiveServer"]),
        .library(name: "MemoizedSequences", targets: ["MemoizedSequences"]),
        .library(name: "ReactiveSignalsTesting", targets: ["ReactiveSignalsTesting"]),
        .library(name: "ReactiveSignalsFoundation", targets: ["ReactiveSignalsFoundation"]),
        .library(name: "ReactiveObservation", targets: ["ReactiveObservation"]),
        .executable(name: "Vitals", targets: ["Vitals"]),
        .executable(name: "LineCount", targets: ["LineCount"]),
        .executable(name: "ConfigReload", targets: ["ConfigReload"]),
        .executable(name: "Quickstart", targets: ["Quickstart"]),
    ],
    traits: [
        .trait(
            name: "Explore",
            description:
                "Replaces locks and atomics, so that tests can run all interleavings of threads. Never ship it.")
    ],
    dependencies: [],
    targets: [
        // The core. The order is the layering, and the compiler enforces it.
        .target(
            name: "HotSignals",
            dependencies: [.target(name: "InterleavingExplorer", condition: .when(traits: ["Explore"]))],
            path: "Sources/Signals", swiftSettings: settings),
        // Runs the threads of a scenario one at a time, in every order. Empty without the trait `Explore`.
        .target(name: "InterleavingExplorer", path: "Sources/Explorer", swiftSettings: settings),
        .target(
            name: "ColdProducers", dependencies: ["HotSignals"], path: "Sources/Producers", swiftSettings: settings),
        .target(
            name: "ReactiveProperties", dependencies: ["HotSignals", "ColdProducers"], path: "Sources/Property",
            swiftSettings: settings),
        // Takes values of streams and properties to async code.
        .target(
            name: "ReactiveAsync", dependencies: ["HotSignals", "ColdProducers", "ReactiveProperties"],
            path: "Sources/Async", swiftSettings: settings),
        .target(
            name: "ReactiveActions",
            dependencies: ["HotSignals", "ColdProducers", "ReactiveProperties", "ReactiveAsync"],
            path: "Sources/Action", swiftSettings: settings),

        // What a user imports.
        .target(
            name: "ReactiveSignals",
            dependencies: [
                "HotSignals", "ColdProducers", "ReactiveProperties", "ReactiveAsync", "ReactiveActions",
            ],
            swiftSettings: settings),

        // What a user imports besides.
        .target(
            name: "ReactiveDiagnostics", dependencies: ["HotSignals"], path: "Sources/Diagnostics",
            swiftSettings: settings),
        .target(
            name: "ReactiveServer", dependencies: ["HotSignals", "ColdProducers", "ReactiveProperties"],
            path: "Sources/Server", swiftSettings: settings),
        // Lazy sequences, with the atomics and the waiting room of the hot signals.
        .target(
            name: "MemoizedSequences", dependencies: ["HotSignals", "ColdProducers"], path: "Sources/Sequences",
            swiftSettings: settings),
        .target(
            name: "ReactiveSignalsTesting",
            dependencies: [
                "ReactiveSignals", "HotSignals", "ColdProducers",
                .target(name: "InterleavingExplorer", condition: .when(traits: ["Explore"])),
            ],
            path: "Sources/SignalsTesting",
            swiftSettings: settings),
        // Integrations with other modules of the toolchain. Only this target may import Foundation.
        .target(
            name: "ReactiveSignalsFoundation", dependencies: ["HotSignals", "ColdProducers", "ReactiveAsync"],
            path: "Sources/SignalsFoundation", swiftSettings: settings),
        .target(
            name: "ReactiveObservation", dependencies: ["HotSignals", "ColdProducers", "ReactiveProperties"],
            path: "Sources/Observation", swiftSettings: settings),

        // Examples: a library holds what a test wants to reach, an executable the few lines around it.
        .target(name: "ExamplesKit", path: "Examples/ExamplesKit", swiftSettings: settings),
        .target(
            name: "VitalsKit", dependencies: ["ExamplesKit", "ReactiveSignals", "ReactiveServer"],
            path: "Examples/VitalsKit", swiftSettings: settings),
        .executableTarget(
            name: "Vitals", dependencies: ["VitalsKit", "ReactiveSignals"], path: "Examples/Vitals",
            swiftSettings: settings),
        .target(
            name: "LineCountKit", dependencies: ["ExamplesKit", "ReactiveSignals", "ReactiveServer"],
            path: "Examples/LineCountKit", swiftSettings: settings),
        .executableTarget(
            name: "LineCount", dependencies: ["LineCountKit"], path: "Examples/LineCount", swiftSettings: settings),
        .target(
            name: "ConfigReloadKit", dependencies: ["ExamplesKit", "ReactiveSignals", "ReactiveServer"],
            path: "Examples/ConfigReloadKit", swiftSettings: settings),
        .executableTarget(
            name: "ConfigReload", dependencies: ["ConfigReloadKit"], path: "Examples/ConfigReload",
            exclude: ["config.json"], swiftSettings: settings),
        .executableTarget(
            name: "Quickstart", dependencies: ["ReactiveSignals", "MemoizedSequences"], path: "Examples/Quickstart",
            swiftSettings: settings),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: ["ReactiveSignals", "HotSignals", "ColdProducers", "ReactiveSignalsTesting"],
            path: "Tests/Support", swiftSettings: settings),
        // Random chains of operators, and models of what must come of them: for ContractTests and the fuzzer.
        .target(
            name: "RandomChains", dependencies: ["TestSupport", "ReactiveSignals", "ReactiveSignalsTesting"],
            path: "Tests/RandomChains", swiftSettings: settings),
        // What the tests of producers share.
        .target(
            name: "ProducerTestSupport",
            dependencies: ["TestSupport", "ReactiveSignals", "HotSignals", "ReactiveSignalsTesting"],
            path: "Tests/ProducerSupport", swiftSettings: settings),
        .testTarget(
            name: "SignalsTests",
            dependencies: ["TestSupport", "ReactiveSignals", "HotSignals", "ReactiveAsync", "ReactiveSignalsTesting"],
            path: "Tests/SignalsTests", swiftSettings: settings),
        .testTarget(
            name: "ProducersTests",
            dependencies: [
                "TestSupport", "ProducerTestSupport", "ReactiveSignals", "HotSignals", "ColdProducers",
                "ReactiveServer",
                "ReactiveSignalsTesting",
            ],
            path: "Tests/ProducersTests", swiftSettings: settings),
        .testTarget(
            name: "PropertyTests",
            dependencies: [
                "TestSupport", "ReactiveSignals", "HotSignals", "ReactiveProperties", "ReactiveSignalsTesting",
            ],
            path: "Tests/PropertyTests", swiftSettings: settings),
        .testTarget(
            name: "ActionTests",
            dependencies: [
                "TestSupport", "ReactiveSignals", "HotSignals", "ReactiveActions", "ReactiveSignalsTesting",
            ],
            path: "Tests/ActionTests", swiftSettings: settings),
        .testTarget(
            name: "DiagnosticsTests",
            dependencies: [
                "TestSupport", "ReactiveSignals", "HotSignals", "ReactiveDiagnostics", "ReactiveSignalsTesting",
            ],
            path: "Tests/DiagnosticsTests", swiftSettings: settings),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "TestSupport", "ProducerTestSupport", "ReactiveSignals", "HotSignals", "ColdProducers",
                "ReactiveServer",
                "ReactiveSignalsTesting",
            ],
            path: "Tests/ServerTests", swiftSettings: settings),
        .testTarget(
            name: "SequencesTests",
            dependencies: [
                "TestSupport", "ProducerTestSupport", "ReactiveSignals", "HotSignals", "MemoizedSequences",
                "ReactiveSignalsTesting",
            ],
            path: "Tests/SequencesTests", swiftSettings: settings),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "TestSupport", "RandomChains", "ReactiveSignals", "HotSignals", "ColdProducers", "ReactiveServer",
                "MemoizedSequences", "ReactiveSignalsFoundation", "ReactiveSignalsTesting",
            ],
            path: "Tests/ContractTests", swiftSettings: settings),
        .testTarget(
            name: "SignalsTestingTests",
            dependencies: ["TestSupport", "ReactiveSignals", "HotSignals", "ReactiveSignalsTesting"],
            path: "Tests/SignalsTestingTests", swiftSettings: settings),
        .testTarget(
            name: "FoundationTests",
            dependencies: [
                "TestSupport", "ReactiveSignalsFoundation", "ReactiveSignals", "HotSignals", "ReactiveSignalsTesting",
            ],
            path: "Tests/FoundationTests", swiftSettings: settings),
        .testTarget(
            name: "ObservationTests",
            dependencies: [
                "TestSupport", "ReactiveObservation", "ReactiveSignals", "HotSignals", "ReactiveSignalsTesting",
            ],
            path: "Tests/ObservationTests", swiftSettings: settings),
        .testTarget(
            name: "ExplorerTests",
            dependencies: [
                "InterleavingExplorer", "ReactiveSignals", "HotSignals", "ColdProducers", "ReactiveDiagnostics",
                "ReactiveServer", "MemoizedSequences", "ReactiveSignalsTesting",
            ],
            path: "Tests/ExplorerTests", exclude: ["Faults/faults.txt"], swiftSettings: settings),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "TestSupport", "ReactiveSignals", "ReactiveDiagnostics", "ReactiveServer", "MemoizedSequences",
                "ReactiveSignalsTesting", "ReactiveSignalsFoundation", "ReactiveObservation",
            ],
            path: "Tests/DocumentationTests", swiftSettings: settings),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "TestSupport", "ExamplesKit", "VitalsKit", "Vitals", "LineCountKit", "LineCount", "ConfigReloadKit",
                "ConfigReload", "Quickstart", "ReactiveSignals", "ReactiveSignalsTesting", "HotSignals",
            ],
            path: "Tests/ExamplesTests", resources: [.copy("Fixtures")], swiftSettings: settings),
    ]
)

// The test targets to build, separated by commas, or `all`, as the gate (.ci/run) does. By default those of the core:
// the others take as long again, and test what a change of the core seldom breaks alone.
let named = Context.environment["REACTIVE_SIGNALS_TESTS"]
if named != "all" {
    let core = ["SignalsTests", "ProducersTests", "PropertyTests", "ActionTests"]
    let kept = named?.split(separator: ",").map(String.init) ?? core
    package.targets.removeAll { $0.type == .test && !kept.contains($0.name) }
    // What only some tests or the fuzzer share.
    let isFuzzed = Context.environment["REACTIVE_SIGNALS_FUZZER"] != nil
    if !isFuzzed, !kept.contains("ContractTests") {
        package.targets.removeAll { $0.name == "RandomChains" }
    }
    if !isFuzzed, !package.targets.contains(where: { $0.type == .test }) {
        package.targets.removeAll { $0.path?.hasPrefix("Tests/") == true }
    }
    let examples = named == nil || kept.contains("ExamplesTests")
    if !examples {
        package.targets.removeAll { $0.path?.hasPrefix("Examples/") == true }
        let programs = ["Vitals", "LineCount", "ConfigReload", "Quickstart"]
        package.products.removeAll { programs.contains($0.name) }
    }
}

// A first build gets one compiler for each module of tests. It expands each macro once, where several would each expand
// those of all files, and writes no debug information. Who names targets builds them again after each change, for which
// several compilers are faster.
if named == nil {
    for target in package.targets where target.path?.hasPrefix("Tests/") == true {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [
                .unsafeFlags([
                    "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2",
                    "-no-emit-module-separately-wmo", "-gnone",
                ])
            ]
    }
}

// For Scripts/fuzz alone: a program that compares the library with models on cases of a fuzzer.
if Context.environment["REACTIVE_SIGNALS_FUZZER"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzzer", dependencies: ["RandomChains"], path: "Tests/Fuzzer", exclude: ["Corpus"],
            swiftSettings: settings))
}

// For the gate: whether a release build optimizes the library alone. Optimizing the tests takes four times as long.
if Context.environment["REACTIVE_SIGNALS_PLAIN_TESTS"] != nil {
    for target in package.targets where target.path?.hasPrefix("Tests/") == true {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
    }
}
