import Foundation
import Testing

/// The operator index lists exactly the operators that exist.
///
/// The existing operators are found by the names of the sites in the source code.
@Suite struct OperatorIndexTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func indexed() throws -> Set<String> {
    let file = root.appendingPathComponent("Sources/Reactive/Reactive.docc/OperatorIndex.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let names = text.split(separator: "\n").compactMap { line -> String? in
      guard let match = line.firstMatch(of: /^\| `([^`]+)` \|/) else { return nil }
      return String(match.1)
    }
    #expect(names.count == Set(names).count, "a row stands twice")
    return Set(names)
  }

  /// Names of sites that are not operators: owners of subscriptions, and executions of actions.
  private static let others: Set<String> = [
    "CompositeDisposable", "DisposableBag", "Lifetime", "execution",
  ]

  private static func existing() throws -> Set<String> {
    let names = try ["Sources/Reactive", "Sources/ReactiveFoundation"].flatMap { try sites(in: $0) }
    return Set(names).subtracting(others)
  }

  /// The names of the sites in the source code of a module.
  private static func sites(in module: String) throws -> Set<String> {
    let folder = root.appendingPathComponent(module)
    var names: Set<String> = []
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /Site\(\s*"([^"]+)"/) { names.insert(String(match.1)) }
    }
    return names
  }

  @Test func listsEveryOperatorThatExists() throws {
    let missing = try Self.existing().subtracting(Self.indexed())
    #expect(missing.isEmpty, "not in OperatorIndex.md: \(missing.sorted())")
  }

  @Test func listsNothingElse() throws {
    let surplus = try Self.indexed().subtracting(Self.existing())
    #expect(surplus.isEmpty, "in OperatorIndex.md, but no site is called so: \(surplus.sorted())")
  }

  @Test func everyRowHasAllColumns() throws {
    let file = Self.root.appendingPathComponent("Sources/Reactive/Reactive.docc/OperatorIndex.md")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
    #expect(rows.count > 40)
    for row in rows { #expect(row.count { $0 == "|" } == 8, "\(row)") }
  }

  /// The test files of operators, with their text.
  private static func operatorTests() throws -> [String] {
    let folders = ["Operators", "Properties"].map {
      root.appendingPathComponent("Tests/ReactiveTests/\($0)")
    }
    return
      try folders
      .flatMap { folder -> [URL] in
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return files?.allObjects as? [URL] ?? []
      }
      .filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// The names with which the tests call `checkOperatorContract`.
  private static func checked() throws -> Set<String> {
    let names = try operatorTests().flatMap { text in
      text.matches(of: /checkOperatorContract\(\s*"([^"]+)"/).map { String($0.1) }
    }
    return Set(names)
  }

  @Test func everyContractTestRunsTracedToo() throws {
    let list = try String(
      contentsOf: Self.root.appendingPathComponent(
        "Tests/ReactiveTests/ReactiveTesting/TracedContractTests.swift"
      ),
      encoding: .utf8
    )
    let missing = try Self.operatorTests().filter { $0.contains("checkOperatorContract(") }
      .map { text in text.matches(of: /@Suite.*struct (\w+)/).map { String($0.1) } }
      .filter { suites in !suites.contains { list.contains("{ \($0)().") } }
    let lines = missing.map { "{ \($0.joined(separator: " or "))().obeysTheOperatorContract() }" }
    #expect(missing.isEmpty, "add to TracedContractTests.checks: \(lines.joined(separator: ", "))")
  }

  /// Sources have no upstream, and so no operator contract.
  ///
  /// The sites of ReactiveFoundation are left out too: nearly all of them are sources.
  @Test func everyOperatorHasAContractTest() throws {
    let sources: Set<String> = [
      "create", "empty", "failed", "from", "from(async:)", "from(on:)", "fromCallback", "generate",
      "interval", "just", "task", "first", "last", "wait", "lazyList(on:)", "values",
      "never", "range", "repeating", "result", "startEagerly(on:)", "startLazily(on:)",
      "timer(after:)", "unfold",
      "bytes(of:)", "fileEvents", "lines(of:)", "processExit", "readable", "unixSignals",
      "writable", "writing(to:)",
      "AsyncSubject", "BehaviorSubject", "ReplaySubject", "Subject",
      "Channel", "MutableProperty", "Observed", "Property", "ValidatingProperty", "bindTwoWay(to:)",
      "channel",
      "observing",
      "Action", "Command", "Promise", "apply", "execute",
      "bind(to:)", "subscribe", "subscribeOnMainActor", "schedule(after:)", "schedule(every:)",
    ]
    let bridges = try Self.sites(in: "Sources/ReactiveFoundation")
    let missing = try Self.existing().subtracting(sources).subtracting(bridges)
      .subtracting(Self.checked())
    #expect(missing.isEmpty, "without checkOperatorContract: \(missing.sorted())")
  }
}
