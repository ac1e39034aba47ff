// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Reactive",
  products: [
    .library(name: "Reactive", targets: ["Reactive"]),
    .library(name: "ReactiveFoundation", targets: ["ReactiveFoundation"]),
    .library(name: "ReactiveTesting", targets: ["ReactiveTesting"]),
    .library(name: "ReactiveTrace", targets: ["ReactiveTrace"]),
    .library(name: "TraceReading", targets: ["TraceReading"]),
    .library(name: "TraceModel", targets: ["TraceModel"]),
    .library(name: "TraceFindings", targets: ["TraceFindings"]),
    .library(name: "TraceExports", targets: ["TraceExports"]),
    .library(name: "InspectorUI", targets: ["InspectorUI"]),
    .executable(name: "rxtop", targets: ["rxtop"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
  ],
  targets: [
    .target(name: "CReactiveTraceShims"),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CNcurses"),
    .systemLibrary(name: "CSQLite"),
    .target(name: "CTerminalGuard"),
    .target(name: "TraceFormat"),
    .target(name: "TracePlatform", dependencies: ["CReactiveTraceShims", "TraceFormat"]),
    .target(
      name: "ReactiveTrace",
      dependencies: ["CReactiveTraceShims", "TraceFormat", "TracePlatform"]
    ),
    .target(
      name: "TraceReading",
      dependencies: ["CReactiveTraceShims", "TraceFormat", "TracePlatform"]
    ),
    .target(
      name: "Reactive",
      dependencies: [
        "CReactiveTraceShims", "ReactiveTrace", "TraceFormat",
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .target(
      name: "ReactiveFoundation",
      dependencies: ["CReactiveTraceShims", "Reactive", "ReactiveTrace"]
    ),
    .target(name: "GraphLayout"),
    .target(name: "TraceModel", dependencies: ["TraceFormat", "TracePlatform", "TraceReading"]),
    .target(name: "TraceFindings", dependencies: ["TraceModel", "TraceReading"]),
    .target(
      name: "TraceExports",
      dependencies: ["CSQLite", "GraphLayout", "TraceFindings", "TraceModel", "TraceReading"]
    ),
    .target(
      name: "InspectorUI",
      dependencies: ["GraphLayout", "TraceExports", "TraceFindings", "TraceModel", "TraceReading"]
    ),
    .target(
      name: "ReactiveTesting",
      dependencies: [
        "CReactiveTraceShims", "Reactive", "ReactiveTrace", "TraceFindings", "TraceFormat",
        "TraceModel",
        "TracePlatform", "TraceReading",
      ]
    ),
    .executableTarget(
      name: "rxtop",
      dependencies: [
        "CCurl", "CNcurses", "CTerminalGuard", "InspectorUI", "ReactiveTrace", "TraceExports",
        "TraceFindings", "TraceModel", "TraceReading",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    // The targets outside Sources/: programs to look at, in the folder where people look for one.
    .executableTarget(
      name: "watchtower",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Examples/watchtower"
    ),
    .executableTarget(
      name: "relay",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Examples/relay"
    ),
    .executableTarget(name: "login", dependencies: ["Reactive"], path: "Examples/login"),
    .executableTarget(
      name: "inbox",
      dependencies: ["Reactive", "ReactiveFoundation"],
      path: "Examples/inbox"
    ),
    .executableTarget(name: "report", dependencies: ["Reactive"], path: "Examples/report"),
    .executableTarget(name: "crash", dependencies: ["Reactive"], path: "Examples/crash"),
    .executableTarget(name: "words", dependencies: ["Reactive"], path: "Examples/words"),
    // Tiny programs with and without faults, to measure findings by.
    .executableTarget(
      name: "corpus",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Examples/corpus"
    ),
    // Programs rebuilt from bug reports of other projects, to measure findings by.
    .executableTarget(
      name: "real",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Examples/real",
      exclude: [
        "first-run.json", "first-run-2.json", "first-run-3.json", "first-run-4.json",
        "first-run-5.json", "first-run-6.json", "first-run-7.json", "first-run-8.json",
        "first-run-9.json",
      ]
    ),
    // Broken by tests in every way, in processes of its own.
    .executableTarget(
      name: "traced-program",
      dependencies: ["CReactiveTraceShims", "ReactiveTrace", "TraceReading"],
      path: "Tests/TracedProgram"
    ),
    // In order, while its recording is attacked by `Scripts/attack`.
    .executableTarget(
      name: "victim",
      dependencies: ["CVictimShims", "Reactive", "ReactiveTrace"],
      path: "Tests/Victim"
    ),
    .target(name: "CVictimShims", path: "Tests/CVictimShims"),
    // Work that goes over hops of the system, of which the chain is compared with what was done.
    .executableTarget(
      name: "hops-program",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Tests/HopsProgram"
    ),
    // A helper that subscribes for several callers, of which one leaks.
    .executableTarget(
      name: "callers-program",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Tests/CallersProgram"
    ),
    // Random keys at rxtop's screens without a terminal, for `Scripts/soak` and a test.
    .executableTarget(
      name: "soak",
      dependencies: ["InspectorUI", "TraceExports", "TraceFindings", "TraceModel", "TraceReading"],
      path: "Tests/Soak"
    ),
    // A shop without a fault over simulated days, for `Scripts/soak days`.
    .executableTarget(
      name: "healthy-days",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Tests/HealthyDays"
    ),
    // What needs the run loop of a main thread, which tests do not have.
    .executableTarget(
      name: "run-loop-program",
      dependencies: ["Reactive"],
      path: "Tests/RunLoopProgram"
    ),
    // Compares layouts of graphs with those of Graphviz, for Scripts/layout.
    .executableTarget(
      name: "layout-bench",
      dependencies: ["GraphLayout"],
      path: "Tests/LayoutBench"
    ),
    .testTarget(name: "GraphLayoutTests", dependencies: ["GraphLayout", "layout-bench"]),
    .testTarget(
      name: "ReactiveTests",
      dependencies: [
        "Reactive", "ReactiveTesting", "ReactiveTrace", "TraceFindings", "TraceFormat",
        "TraceModel", "TraceReading",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Tour/README.md"]
    ),
    .testTarget(
      name: "ReactiveFoundationTests",
      dependencies: [
        "Reactive", "ReactiveFoundation", "ReactiveTesting", "ReactiveTrace", "TraceReading",
      ]
    ),
    .testTarget(
      name: "ReactiveTraceTests",
      dependencies: [
        "CReactiveTraceShims", "ReactiveTrace", "TraceFormat", "TracePlatform", "TraceReading",
      ],
      exclude: ["Fixtures"]
    ),
    .testTarget(
      name: "InspectorTests",
      dependencies: [
        "CReactiveTraceShims", "InspectorUI", "Reactive", "ReactiveTrace", "TraceExports",
        "TraceFindings", "TraceModel", "TracePlatform", "TraceReading",
      ],
      exclude: ["Golden"]
    ),
    .testTarget(
      name: "InspectorSharingTests",
      dependencies: [
        "ReactiveTrace", "TraceExports", "TraceFindings", "TraceModel", "TraceReading",
      ]
    ),
    .testTarget(
      name: "RxtopTests",
      dependencies: [
        "InspectorUI", "ReactiveTrace", "TraceExports", "TraceFindings", "TraceModel",
        "TraceReading",
        "corpus", "healthy-days", "rxtop", "soak", "traced-program",
      ],
      exclude: ["Documentation/StandIns"]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where ![.system, .plugin].contains(target.type) {
  if !target.name.hasPrefix("C") { target.swiftSettings = strict }
}

// What the sanitizers look at: the libraries, with the tests that they run of them.
if let chosen = Context.environment["REACTIVE_PARTS"], ["libraries", "threads"].contains(chosen) {
  let others: Set = [
    "CCurl", "CNcurses", "CTerminalGuard", "GraphLayoutTests", "InspectorTests",
    "InspectorUI", "RxtopTests",
  ]
  package.targets.removeAll { $0.type == .executable || others.contains($0.name) }
  package.products.removeAll { ["InspectorUI", "rxtop"].contains($0.name) }
  if chosen == "threads" { keepTestsOfThreads(of: package) }
}

/// Leaves out tests in which nothing happens on two threads at once, for the thread sanitizer.
///
/// `Scripts/test` checks that every suite that starts threads is still there.
func keepTestsOfThreads(of package: Package) {
  let operators = [
    "Aggregating/SequenceEqualTests.swift", "Combining/AmbTests.swift", "Creating",
    "Filtering/SkipUntilTests.swift", "Filtering/TakeUntilReplacementTests.swift", "Grouping",
    "Sharing", "Timing", "Transforming/LaterSubscriptionsTests.swift",
  ]
  let others = [
    "Actions", "Async", "Backtraces", "Contract", "Core", "Disposables", "Properties",
    "ReactiveTesting", "Schedulers", "Sequences", "Stress", "Subjects", "Support", "System",
  ]
  let left = [
    "ReactiveTests": [
      "Actions/DisabledTracesTests.swift", "Core/CallersTests.swift",
      "Core/ComposedNamesInternalTests.swift", "Core/CountedOnceTests.swift",
      "Core/FailureTextTests.swift", "Core/NamedSignalTests.swift",
      "Core/OwnerHeldTests.swift", "Properties/PropertyTraceTests.swift",
      "ReactiveTesting/AssertNoLeaksTests.swift", "ReactiveTesting/TracedContractTests.swift",
      "Sequences/LazyListDepthTests.swift", "Stress/DepthTests.swift",
    ],
    "ReactiveTraceTests": [
      "Backtraces/ElfSymbolsTests.swift", "Platform/OutputDirectoryTests.swift",
      "Reading/HolesTests.swift", "Reading/RobustnessTests.swift",
      "Reading/TraceRecordsTests.swift", "Recording/CompactCopyTests.swift",
      "Recording/MarkMemoryTests.swift", "Recording/MarkTests.swift",
      "Recording/OwnerTests.swift", "Recording/PlaceTests.swift", "Recording/SiteTests.swift",
      "Recording/SlabTests.swift", "Recording/StartupTests.swift", "Recording/StopTests.swift",
      "Recording/TracerRecordTests.swift", "Recording/ValueTests.swift",
    ],
  ]
  for target in package.targets {
    target.exclude += left[target.name] ?? []
    if target.name == "ReactiveTests" {
      target.sources = operators.map { "Operators/\($0)" } + others
    }
  }
}

// What is compared with a separate model, raced by threads, or inlined into programs: quick to build, so that it is tested optimised, too.
// For the address sanitizer, with the tests of the recorder and the reader in place of a program.
if let chosen = Context.environment["REACTIVE_PARTS"], ["model", "memory"].contains(chosen) {
  let parts: Set = [
    "CReactiveTraceShims", "Reactive", "ReactiveTesting", "ReactiveTests", "ReactiveTrace",
    "TraceFindings", "TraceFormat", "TraceModel", "TracePlatform", "TraceReading",
    chosen == "model" ? "hops-program" : "ReactiveTraceTests",
  ]
  package.targets.removeAll { !parts.contains($0.name) }
  package.products.removeAll { !parts.contains($0.name) }
  for target in package.targets where target.name == "ReactiveTests" {
    target.sources = [
      "Model", "Support", "Stress/KeptValueThreadsTests.swift", "Async/AwaitOneTests.swift",
      "Operators/Timing/TimeoutTests.swift", "Actions/ActionTests.swift",
    ]
  }
}
