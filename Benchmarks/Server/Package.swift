// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that building or testing Reactive does not require Hummingbird.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Server",
  dependencies: [
    .package(name: "Reactive", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
  ],
  targets: [
    // The measurements that the programs report about themselves.
    .target(name: "Usage", swiftSettings: strict),
    .target(name: "CLoadShims"),
    .executableTarget(name: "load", dependencies: ["CLoadShims", "Usage"], swiftSettings: strict),
    .executableTarget(
      name: "server",
      dependencies: [
        "Usage",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Reactive", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "worker",
      dependencies: ["Usage", .product(name: "Reactive", package: "Reactive")],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
