// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that building Reactive does not require swift-metrics.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "ReactiveMetrics",
  products: [
    .library(name: "ReactiveMetrics", targets: ["ReactiveMetrics"]),
    .library(name: "ReactiveFindingMetrics", targets: ["ReactiveFindingMetrics"]),
  ],
  dependencies: [
    .package(name: "Reactive", path: "../.."),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ],
  targets: [
    .target(
      name: "ReactiveMetrics",
      dependencies: [
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "ReactiveFindingMetrics",
      dependencies: [
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
        .product(name: "TraceFindings", package: "Reactive"),
        .product(name: "TraceModel", package: "Reactive"),
        .product(name: "TraceReading", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
    // Prometheus scrapes this program in Scripts/consumers-prometheus.
    .executableTarget(
      name: "prometheus-program",
      dependencies: [
        "ReactiveFindingMetrics", "ReactiveMetrics",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
      ],
      path: "Tests/PrometheusProgram",
      swiftSettings: strict
    ),
    .testTarget(
      name: "ReactiveMetricsTests",
      dependencies: [
        "ReactiveFindingMetrics", "ReactiveMetrics",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTesting", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
