// swift-tools-version: 6.2
import PackageDescription

// A package of its own: programs that look like those of a server, for Scripts/bench-server.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Server",
  dependencies: [
    .package(name: "Reactive", path: "../..")
  ],
  targets: [
    // What the programs tell of themselves.
    .target(name: "Usage", swiftSettings: strict),
    .executableTarget(
      name: "worker",
      dependencies: ["Usage", .product(name: "Reactive", package: "Reactive")],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
