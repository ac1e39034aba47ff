// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that building Reactive does not require NIO.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "ReactiveNIO",
  products: [.library(name: "ReactiveNIO", targets: ["ReactiveNIO"])],
  dependencies: [
    .package(name: "Reactive", path: "../.."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    .target(name: "CReactiveNIO"),
    .target(
      name: "ReactiveNIO",
      dependencies: [
        "CReactiveNIO",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
    // Schedules work on event loops in every way, and checks the recorded origin.
    .executableTarget(
      name: "nio-hops-program",
      dependencies: [
        "ReactiveNIO",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
      ],
      path: "Tests/NIOHopsProgram",
      swiftSettings: strict
    ),
    .testTarget(
      name: "ReactiveNIOTests",
      dependencies: [
        "ReactiveNIO", "nio-hops-program",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTesting", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
        .product(name: "TraceReading", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
