// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that building Reactive does not require OpenCombine.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "Reactive", path: ".."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", .upToNextMinor(from: "0.14.0")),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .target(name: "CBenchmarkShims"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CBenchmarkShims",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "Reactive", package: "Reactive"),
        .product(name: "ReactiveTrace", package: "Reactive"),
      ],
      swiftSettings: strict
    ),
    // `bench --hops` runs this program in separate processes.
    .executableTarget(
      name: "hops",
      dependencies: [.product(name: "ReactiveTrace", package: "Reactive")],
      swiftSettings: strict
    ),
  ],
  swiftLanguageModes: [.v6]
)
