// swift-tools-version: 6.2
import PackageDescription

// A separate package of the programs with which Scripts/scale measures rxtop.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Scale",
  dependencies: [.package(name: "Reactive", path: "../..")],
  targets: [
    .executableTarget(
      name: "crowd",
      dependencies: [.product(name: "Reactive", package: "Reactive")],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "depth",
      dependencies: [.product(name: "Reactive", package: "Reactive")],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "many-events",
      dependencies: [
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "many-subscriptions",
      dependencies: [.product(name: "Reactive", package: "Reactive")],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "scale",
      dependencies: [
        .product(name: "InspectorUI", package: "Reactive"),
        .product(name: "TraceFindings", package: "Reactive"),
        .product(name: "TraceModel", package: "Reactive"),
        .product(name: "TraceReading", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
