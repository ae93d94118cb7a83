// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target, which are those of the library.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// A separate package, so that users of the library do not inherit its dependencies.
let package = Package(
    name: "LiveBoard",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "LiveBoard", targets: ["LiveBoard"])
    ],
    traits: [
        .trait(
            name: "Cluster",
            description: "Builds --cluster. Needs libnats: see ../../Integrations/Cluster/Scripts/install.")
    ],
    dependencies: [
        .package(name: "ReactiveSignals", path: "../.."),
        .package(path: "../../Integrations"),
        .package(path: "../../Integrations/Cluster"),
        .package(path: "../ServerKit"),
        // Without the other traits, which read configuration files.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    ],
    targets: [
        // The library has the code that the tests call. The executable only starts it.
        .target(
            name: "LiveBoardKit",
            dependencies: [
                .product(name: "ReactiveSignals", package: "ReactiveSignals"),
                .product(name: "ReactiveSignalsFoundation", package: "ReactiveSignals"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ReactiveCluster", package: "Cluster", condition: .when(traits: ["Cluster"])),
                .product(name: "ReactiveClusterNATS", package: "Cluster", condition: .when(traits: ["Cluster"])),
                .product(name: "ReactiveSignalsMetrics", package: "Integrations"),
                .product(name: "ReactiveSignalsPrometheus", package: "Integrations"),
                .product(name: "ReactiveSignalsTop", package: "Integrations"),
                .product(name: "ReactiveSignalsTracing", package: "Integrations"),
                .product(name: "ServerKit", package: "ServerKit"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ], resources: [.copy("Resources/Page")], swiftSettings: settings),
        .executableTarget(
            name: "LiveBoard",
            dependencies: [
                "LiveBoardKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: settings),
        .testTarget(
            name: "LiveBoardKitTests",
            dependencies: [
                "LiveBoardKit", "LiveBoard",
                .product(name: "ReactiveSignals", package: "ReactiveSignals"),
                .product(name: "ReactiveSignalsFoundation", package: "ReactiveSignals"),
                .product(name: "ReactiveSignalsTesting", package: "ReactiveSignals"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "ReactiveSignalsPrometheus", package: "Integrations"),
                .product(name: "ServerKitTesting", package: "ServerKit"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ], resources: [.copy("Fixtures")], swiftSettings: settings),
    ]
)
