// swift-tools-version: 6.2
import PackageDescription

// A separate package, because Scripts/fuzz builds it with sanitizers.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "Reactive", path: "..")],
  targets: [
    .target(name: "FuzzSupport", swiftSettings: strict),
    .executableTarget(
      name: "fuzz-keys",
      dependencies: [
        "FuzzSupport",
        .product(name: "InspectorUI", package: "Reactive"),
        .product(name: "TraceExports", package: "Reactive"),
        .product(name: "TraceFindings", package: "Reactive"),
        .product(name: "TraceModel", package: "Reactive"),
        .product(name: "TraceReading", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "fuzz-reader",
      dependencies: [
        "FuzzSupport",
        .product(name: "InspectorUI", package: "Reactive"),
        .product(name: "TraceExports", package: "Reactive"),
        .product(name: "TraceFindings", package: "Reactive"),
        .product(name: "TraceModel", package: "Reactive"),
        .product(name: "TraceReading", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "fuzz-text",
      dependencies: [
        "FuzzSupport",
        .product(name: "TraceReading", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
