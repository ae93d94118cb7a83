// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target, which are those of the library.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// What the servers among the examples share: Ingest, LiveBoard and Cookbook.
let package = Package(
    name: "ServerKit",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ServerKit", targets: ["ServerKit"]),
        .library(name: "ServerKitTesting", targets: ["ServerKitTesting"]),
    ],
    dependencies: [
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", exact: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    ],
    targets: [
        .target(
            name: "ServerKit",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ], swiftSettings: settings),
        // Sends raw bytes, so that tests can break HTTP.
        .target(name: "ServerKitTesting", swiftSettings: settings),
    ]
)
