// swift-tools-version: 6.2
import PackageDescription

// A separate package, so its operators can use only the public API.
let package = Package(
  name: "Operators",
  dependencies: [.package(name: "Reactive", path: "../..")],
  targets: [
    .executableTarget(
      name: "operators",
      dependencies: [
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
      ]
    ),
    .testTarget(
      name: "OperatorsTests",
      dependencies: [
        "operators",
        .product(name: "TraceFindings", package: "Reactive"),
        .product(name: "TraceModel", package: "Reactive"),
        .product(name: "TraceReading", package: "Reactive"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
