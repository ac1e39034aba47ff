// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that building Reactive does not require swift-service-context.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "ReactiveServiceContext",
  products: [.library(name: "ReactiveServiceContext", targets: ["ReactiveServiceContext"])],
  dependencies: [
    .package(name: "Reactive", path: "../.."),
    .package(url: "https://github.com/apple/swift-service-context", from: "1.5.1"),
  ],
  targets: [
    .target(
      name: "ReactiveServiceContext",
      dependencies: [
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
        .product(name: "ServiceContextModule", package: "swift-service-context"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ReactiveServiceContextTests",
      dependencies: [
        "ReactiveServiceContext",
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTesting", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
        .product(name: "ServiceContextModule", package: "swift-service-context"),
        .product(name: "TraceReading", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
