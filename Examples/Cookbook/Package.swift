// swift-tools-version: 6.2
import PackageDescription

/// The compiler settings of the library, for every target.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// A separate package, so that its dependencies never reach a user of the library.
let package = Package(
    name: "Cookbook",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "Cookbook", targets: ["Cookbook"])
    ],
    dependencies: [
        .package(name: "ReactiveSignals", path: "../.."),
        .package(path: "../ServerKit"),
        // Without the default traits: the recipes read no configuration files.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    ],
    targets: [
        // The recipes, one folder each. The tests import them; the executable only parses its options.
        .target(
            name: "CookbookKit",
            dependencies: [
                .product(name: "ReactiveSignals", package: "ReactiveSignals"),
                .product(name: "ReactiveServer", package: "ReactiveSignals"),
                .product(name: "ReactiveSignalsFoundation", package: "ReactiveSignals"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServerKit", package: "ServerKit"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "Cookbook",
            dependencies: [
                "CookbookKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServerKit", package: "ServerKit"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ], swiftSettings: settings),
        .testTarget(
            name: "CookbookKitTests",
            dependencies: [
                "CookbookKit", "Cookbook",
                .product(name: "ReactiveSignals", package: "ReactiveSignals"),
                .product(name: "ReactiveServer", package: "ReactiveSignals"),
                .product(name: "ReactiveSignalsFoundation", package: "ReactiveSignals"),
                .product(name: "ReactiveSignalsTesting", package: "ReactiveSignals"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServerKitTesting", package: "ServerKit"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ], resources: [.copy("Fixtures")], swiftSettings: settings),
    ]
)
