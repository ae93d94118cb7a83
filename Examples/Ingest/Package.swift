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
    name: "Ingest",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "Ingest", targets: ["Ingest"])
    ],
    dependencies: [
        .package(name: "ReactiveSignals", path: "../.."),
        .package(path: "../ServerKit"),
        // Without the other traits, which read configuration files.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    ],
    targets: [
        // The library has the code that the tests call. The executable only starts it.
        .target(
            name: "IngestKit",
            dependencies: [
                .product(name: "ReactiveSignals", package: "ReactiveSignals"),
                .product(name: "ReactiveServer", package: "ReactiveSignals"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServerKit", package: "ServerKit"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "Ingest",
            dependencies: [
                "IngestKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: settings),
        .testTarget(
            name: "IngestKitTests",
            dependencies: [
                "IngestKit", "Ingest",
                .product(name: "ReactiveSignals", package: "ReactiveSignals"),
                .product(name: "ReactiveSignalsTesting", package: "ReactiveSignals"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServerKitTesting", package: "ServerKit"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], swiftSettings: settings),
    ]
)
