// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]
// Not enabled for tests: where many of their files are compiled at once, C types that they use may
// seem to belong to another module than the imported one.
let imports = SwiftSetting.enableUpcomingFeature("MemberImportVisibility")

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
    // Example programs, which are in Examples/ rather than in Sources/.
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
    // Tiny programs with and without faults, which show how many faults rxtop's findings detect and
    // how often they are wrong.
    .executableTarget(
      name: "corpus",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Examples/corpus"
    ),
    // Programs rebuilt from bug reports of other projects, for the same purpose.
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
    // A recorded program that crashes, forks or is killed in tests.
    .executableTarget(
      name: "traced-program",
      dependencies: ["CReactiveTraceShims", "ReactiveTrace", "TraceReading"],
      path: "Tests/TracedProgram"
    ),
    // A program without a fault, whose recording `Scripts/attack` damages while the program runs.
    .executableTarget(
      name: "victim",
      dependencies: ["CVictimShims", "Reactive", "ReactiveTrace"],
      path: "Tests/Victim"
    ),
    .target(name: "CVictimShims", path: "Tests/CVictimShims"),
    // A program that passes work to tasks, queues and threads, and checks the recorded asynchronous
    // backtraces of the work.
    .executableTarget(
      name: "hops-program",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Tests/HopsProgram"
    ),
    // A program with a helper function that subscribes for several callers, one of which leaks.
    .executableTarget(
      name: "callers-program",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Tests/CallersProgram"
    ),
    // Presses random keys in rxtop's screens, without a terminal, for `Scripts/soak` and a test.
    .executableTarget(
      name: "soak",
      dependencies: ["InspectorUI", "TraceExports", "TraceFindings", "TraceModel", "TraceReading"],
      path: "Tests/Soak"
    ),
    // A shop without a fault, which runs for simulated days, for `Scripts/soak days`.
    .executableTarget(
      name: "healthy-days",
      dependencies: ["Reactive", "ReactiveTrace"],
      path: "Tests/HealthyDays"
    ),
    // Checks that need the run loop of a main thread, which tests cannot run themselves.
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
  guard !target.name.hasPrefix("C") else { continue }
  target.swiftSettings = target.type == .test ? strict : strict + [imports]
}

// With REACTIVE_PARTS=libraries or =threads, the package consists of the libraries and their tests,
// which the sanitizers check.
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
/// `Scripts/test` checks that no suite that starts threads is left out.
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
      "System/SandboxTraceTests.swift",
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

// With REACTIVE_PARTS=model, the package contains only the tests that compare operators with a
// separate model, let threads race, or depend on code that is inlined into programs. It is quick to
// build, so it is also tested with optimised code. With REACTIVE_PARTS=memory, for the address
// sanitizer, the tests of the recorder and the reader replace the program `hops-program`.
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
