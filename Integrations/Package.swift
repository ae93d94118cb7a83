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
let diagnostics = Target.Dependency.product(name: "ReactiveDiagnostics", package: "ReactiveSignals")
let foundation = Target.Dependency.product(name: "ReactiveSignalsFoundation", package: "ReactiveSignals")

// A separate package, so that users of the library do not inherit its dependencies. Each product depends on one other
// library, so that a program builds only what it uses.
let package = Package(
    name: "Integrations",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ReactiveSignalsLifecycle", targets: ["ReactiveSignalsLifecycle"]),
        .library(name: "ReactiveSignalsLogging", targets: ["ReactiveSignalsLogging"]),
        .library(name: "ReactiveSignalsMetrics", targets: ["ReactiveSignalsMetrics"]),
        .library(name: "ReactiveSignalsNIO", targets: ["ReactiveSignalsNIO"]),
        .library(name: "ReactiveSignalsPrometheus", targets: ["ReactiveSignalsPrometheus"]),
        .library(name: "ReactiveSignalsTop", targets: ["ReactiveSignalsTop"]),
        .library(name: "ReactiveSignalsTracing", targets: ["ReactiveSignalsTracing"]),
        .executable(name: "signals-top", targets: ["SignalsTop"]),
    ],
    dependencies: [
        .package(name: "ReactiveSignals", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    ],
    targets: [
        .target(
            name: "ReactiveSignalsLifecycle",
            dependencies: [
                reactiveSignals, .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], swiftSettings: settings),
        .target(
            name: "ReactiveSignalsLogging",
            dependencies: [reactiveSignals, .product(name: "Logging", package: "swift-log")], swiftSettings: settings),
        .target(
            name: "ReactiveSignalsMetrics",
            dependencies: [reactiveSignals, diagnostics, .product(name: "Metrics", package: "swift-metrics")],
            swiftSettings: settings),
        .target(
            name: "ReactiveSignalsPrometheus",
            dependencies: [.product(name: "CoreMetrics", package: "swift-metrics")], swiftSettings: settings),
        .target(
            name: "ReactiveSignalsTracing",
            dependencies: [reactiveSignals, .product(name: "Tracing", package: "swift-distributed-tracing")],
            swiftSettings: settings),
        .target(
            name: "ReactiveSignalsNIO",
            dependencies: [
                reactiveSignals,
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
            ], swiftSettings: settings),
        // What the server and the viewer of `signals-top` say to each other.
        .target(
            name: "TopProtocol",
            dependencies: [diagnostics, .product(name: "NIOCore", package: "swift-nio")], swiftSettings: settings),
        .target(
            name: "ReactiveSignalsTop",
            dependencies: [
                "TopProtocol", reactiveSignals, diagnostics, foundation,
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], swiftSettings: settings),
        // The program `signals-top` without its `main`, so that tests can use it.
        .target(
            name: "TopViewer",
            dependencies: [
                "TopProtocol", diagnostics,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "SignalsTop",
            dependencies: [
                "TopProtocol", "TopViewer", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: settings),
        // What the tests of several products use.
        .target(
            name: "IntegrationsTestSupport",
            path: "Tests/Support", swiftSettings: settings),
        .testTarget(
            name: "LifecycleTests",
            dependencies: [
                "ReactiveSignalsLifecycle", "IntegrationsTestSupport", reactiveSignals,
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ], swiftSettings: settings),
        .testTarget(
            name: "LoggingTests",
            dependencies: [
                "ReactiveSignalsLogging", "IntegrationsTestSupport", reactiveSignals,
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: settings),
        .testTarget(
            name: "MetricsTests",
            dependencies: [
                "ReactiveSignalsMetrics", "IntegrationsTestSupport", reactiveSignals, diagnostics,
                .product(name: "ReactiveSignalsTesting", package: "ReactiveSignals"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ], swiftSettings: settings),
        .testTarget(
            name: "PrometheusTests",
            dependencies: [
                "ReactiveSignalsMetrics", "ReactiveSignalsPrometheus", reactiveSignals,
                .product(name: "Metrics", package: "swift-metrics"),
            ], swiftSettings: settings),
        .testTarget(
            name: "TopTests",
            dependencies: [
                "ReactiveSignalsTop", "SignalsTop", "TopProtocol", "TopViewer", "IntegrationsTestSupport",
                reactiveSignals, diagnostics, foundation,
                .product(name: "NIOCore", package: "swift-nio"),
            ], swiftSettings: settings),
        .testTarget(
            name: "TracingTests",
            dependencies: [
                "ReactiveSignalsTracing", "IntegrationsTestSupport", reactiveSignals,
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ], swiftSettings: settings),
        .testTarget(
            name: "NIOTests",
            dependencies: [
                "ReactiveSignalsNIO", "IntegrationsTestSupport", reactiveSignals,
                .product(name: "ReactiveSignalsTesting", package: "ReactiveSignals"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], swiftSettings: settings),
    ]
)
