// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// A package of its own, so that the peers and the harness never reach a user of the library.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ReactiveSignals", path: ".."),
        // Without `traits: []` the harness wants two packages of its own that are not needed here: allocations are
        // counted by CAllocations, instructions by callgrind.
        .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    ],
    targets: [
        // What is measured: a module a peer, as none of them shall share code, nor be merged with it by the optimiser.
        .target(name: "PeerSupport", dependencies: ["COpaque"], path: "Sources/Peers/Support", swiftSettings: settings),
        .target(
            name: "PeerReactiveSignals",
            dependencies: [
                "PeerSupport",
                .product(name: "ReactiveSignals", package: "ReactiveSignals"),
                .product(name: "ReactiveDiagnostics", package: "ReactiveSignals"),
                .product(name: "ReactiveServer", package: "ReactiveSignals"),
                .product(name: "ReactiveSignalsTesting", package: "ReactiveSignals"),
            ],
            path: "Sources/Peers/ReactiveSignals", swiftSettings: settings),
        .target(
            name: "PeerOpenCombine",
            dependencies: [
                "PeerSupport",
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
            ],
            path: "Sources/Peers/OpenCombine", swiftSettings: settings),
        .target(
            name: "PeerAsyncAlgorithms",
            dependencies: [
                "PeerSupport", .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ],
            path: "Sources/Peers/AsyncAlgorithms", swiftSettings: settings),
        .target(
            name: "PeerFloor",
            dependencies: ["PeerSupport", .product(name: "HeapModule", package: "swift-collections")],
            path: "Sources/Peers/Floor", swiftSettings: settings),
        // The table of rows.
        .target(
            name: "Rows",
            dependencies: [
                "PeerSupport", "PeerReactiveSignals", "PeerOpenCombine", "PeerAsyncAlgorithms", "PeerFloor",
            ],
            swiftSettings: settings),
        .target(name: "COpaque"),

        // How it is measured. Time, by the harness; its plugin wants the folder right below one called Benchmarks.
        .executableTarget(
            name: "Timings",
            dependencies: ["Rows", "PeerSupport", .product(name: "Benchmark", package: "benchmark")],
            path: "Timings",
            swiftSettings: settings,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
        // Many tasks with one source, in time: beside `share` of swift-async-algorithms.
        .executableTarget(
            name: "Multicast",
            dependencies: [
                .product(name: "ReactiveSignals", package: "ReactiveSignals"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ],
            path: "Multicast", swiftSettings: settings),
        // What a request takes, of peers: see Scripts/check-requests.
        .executableTarget(
            name: "PeerRequests",
            dependencies: [
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ],
            path: "Requests", exclude: ["Requests.swift", "Operators"], swiftSettings: settings),
        // Instructions: one workload, a number of times, for callgrind.
        .executableTarget(name: "Workloads", dependencies: ["Rows", "PeerSupport"], swiftSettings: settings),
        // Allocations: the same behind a malloc that counts.
        .target(name: "CAllocations"),
        .executableTarget(
            name: "Allocations", dependencies: ["Rows", "PeerSupport", "CAllocations"], swiftSettings: settings),
    ]
)
