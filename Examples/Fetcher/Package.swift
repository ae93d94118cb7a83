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
    name: "Fetcher",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "Fetcher", targets: ["Fetcher"])
    ],
    dependencies: [
        .package(name: "ReactiveSignals", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.80.0"),
    ],
    targets: [
        // The library has the code that the tests call. The executable only starts it.
        .target(
            name: "FetcherKit",
            dependencies: [
                .product(name: "ReactiveSignals", package: "ReactiveSignals"),
                .product(name: "ReactiveServer", package: "ReactiveSignals"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "Fetcher",
            dependencies: ["FetcherKit"], swiftSettings: settings),
        .testTarget(
            name: "FetcherKitTests",
            dependencies: [
                "FetcherKit", "Fetcher",
                .product(name: "ReactiveSignals", package: "ReactiveSignals"),
                .product(name: "ReactiveSignalsTesting", package: "ReactiveSignals"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], swiftSettings: settings),
    ]
)
