// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target, which are those of the library.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let reactiveSignals = Target.Dependency.product(name: "ReactiveSignals", package: "ReactiveSignals")
let reactiveSignalsTesting = Target.Dependency.product(name: "ReactiveSignalsTesting", package: "ReactiveSignals")

// A package of its own, so that neither users of the library nor those of the other integrations need a C library.
let package = Package(
    name: "Cluster",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ReactiveCluster", targets: ["ReactiveCluster"]),
        .library(name: "ReactiveClusterNATS", targets: ["ReactiveClusterNATS"]),
        .library(name: "ReactiveClusterTesting", targets: ["ReactiveClusterTesting"]),
    ],
    dependencies: [.package(name: "ReactiveSignals", path: "../..")],
    targets: [
        // The types that reach across machines, over the protocol `Transport`.
        .target(name: "ReactiveCluster", dependencies: [reactiveSignals], swiftSettings: settings),
        // For tests: a transport with faults on virtual time, the contract of transports, and a checker of histories.
        .target(
            name: "ReactiveClusterTesting", dependencies: ["ReactiveCluster", reactiveSignals, reactiveSignalsTesting],
            swiftSettings: settings),
        // What the tests share.
        .target(name: "ClusterTestSupport", path: "Tests/Support", swiftSettings: settings),
        .testTarget(
            name: "ClusterTests",
            dependencies: [
                "ClusterTestSupport", "ReactiveCluster", "ReactiveClusterTesting", reactiveSignals,
                reactiveSignalsTesting,
            ], swiftSettings: settings),

        // The C client of NATS: Scripts/install. Only what depends on the transport over NATS needs it.
        .systemLibrary(
            name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
        .target(
            name: "ReactiveClusterNATS", dependencies: ["CNATS", "ReactiveCluster", reactiveSignals],
            swiftSettings: settings),
        // What Scripts/measure runs: the transport beside the C client.
        .target(name: "Baseline", dependencies: ["CNATS"], path: "Benchmarks/Baseline"),
        .executableTarget(
            name: "Measure", dependencies: ["Baseline", "ReactiveCluster", "ReactiveClusterNATS", reactiveSignals],
            path: "Benchmarks/Measure", swiftSettings: settings),
        // What LiveBoard's Scripts/cluster checks its history with.
        .executableTarget(
            name: "CheckHistory", dependencies: ["ReactiveClusterTesting"], path: "Tools/CheckHistory",
            swiftSettings: settings),
        // Servers for tests, which end with the tests.
        .target(
            name: "NATSServers", dependencies: ["ClusterTestSupport"], path: "Tests/NATSServers",
            swiftSettings: settings),
        // A process that a test starts twice.
        .executableTarget(
            name: "Increments", dependencies: ["ClusterTestSupport", "ReactiveCluster", "ReactiveClusterNATS"],
            path: "Tests/Increments", swiftSettings: settings),
        // A process whose wall clock a test sets back.
        .target(name: "WallClock", path: "Tests/WallClock"),
        .executableTarget(
            name: "SetBack",
            dependencies: [
                "ClusterTestSupport", "ReactiveCluster", "ReactiveClusterNATS", "WallClock", reactiveSignals,
            ], path: "Tests/SetBack", swiftSettings: settings),
        .testTarget(
            name: "NATSTests",
            dependencies: [
                "ClusterTestSupport", "Increments", "NATSServers", "SetBack", "ReactiveCluster", "ReactiveClusterNATS",
                "ReactiveClusterTesting",
                reactiveSignals,
                reactiveSignalsTesting,
            ], swiftSettings: settings),
    ]
)
