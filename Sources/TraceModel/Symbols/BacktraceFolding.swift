import TracePlatform

/// The owner of the code of a function on a backtrace.
package enum FrameOwner: String, CaseIterable, Sendable {
  case program = "the program"
  case reactive = "Reactive"
  case swift = "Swift"
  case foundation = "Foundation"
  case dispatch = "Dispatch"
  case nio = "NIO"
  case system = "the system"
  case compiler = "the compiler"

  /// The name in exports: `program`, `library` for code of libraries, or `runtime` for code of
  /// Swift and the system.
  package var schemaName: String {
    switch self {
    case .program: "program"
    case .reactive, .foundation, .dispatch, .nio: "library"
    case .swift, .system, .compiler: "runtime"
    }
  }

  /// The owner of the function on a line that ``AsyncBacktraceText/lines(of:from:_:)`` returned.
  package init(ofLine line: some StringProtocol) {
    let module = line.lastRange(of: " in ").map { line[$0.upperBound...] } ?? line[...]
    if line.hasPrefix("thunk for ") || line.hasPrefix("specialized thunk for ") {
      self = .swift
    } else if let owner = Self(ofModule: Substring(module)) {
      self = owner
    } else if let place = line.lastRange(of: " at ").map({ line[$0.upperBound...] }) {
      self = Self(ofPath: String(place))
    } else if let owner = ToolchainNames.owner(ofFunction: line).flatMap(Self.init(rawValue:)) {
      self = owner
    } else {
      self = .program
    }
  }

  private init?(ofModule name: Substring) {
    guard let library = FunctionNames.libraries.first(where: { name.hasPrefix($0.prefix) }),
      let owner = FrameOwner(rawValue: library.owner)
    else { return nil }
    self = owner
  }

  private init(ofPath path: String) {
    let own = [
      "Reactive", "ReactiveTrace", "ReactiveFoundation", "ReactiveNIO", "ReactiveTesting",
      "CReactiveTraceShims",
    ]
    if own.contains(where: { path.containsText("Sources/\($0)/") }) {
      self = .reactive
    } else if path.containsText("/swift-nio/Sources/") {
      self = .nio
    } else {
      // Code that the compiler has generated and expansions of macros count as Swift's.
      let isMade = ["<compiler-generated>", "/@__swiftmacro_"].contains(where: path.containsText)
      self = isMade ? .swift : .program
    }
  }
}

extension SymbolizedFrame {
  /// The owner of the code.
  package var owner: FrameOwner { FrameOwner(ofLine: shortText) }
}

extension AsyncBacktraceText {
  /// The owners of the functions on the lines of a backtrace; nil for a separator of two stacks.
  ///
  /// If other functions of the program have line numbers, a function without one counts as made by
  /// the compiler.
  package static func owners(of lines: [String]) -> [FrameOwner?] {
    let owners = lines.map { $0.hasPrefix("…") ? nil : FrameOwner(ofLine: $0) }
    let hasPlaces = zip(lines, owners).contains { $0.contains(" at ") && $1 == .program }
    return zip(lines, owners).map { line, owner in
      owner == .program && hasPlaces && !line.contains(" at ") ? .compiler : owner
    }
  }

  /// The program's own functions of each stack, and one line for all others: `(14 more of Reactive
  /// and Swift)`.
  ///
  /// A stack without functions of the program keeps its innermost function, unless that is one of
  /// Reactive and another stack has a function of the program. A function that called itself is
  /// listed once, with the number of calls. If other functions of the program have line numbers, a
  /// function without one counts as made by the compiler.
  public static func folded(_ lines: [String]) -> [String] {
    var folded: [String] = []
    let all = owners(of: lines)
    let hasOwn = all.contains(.program)
    var rest = lines[...]
    while !rest.isEmpty {
      let stack = rest.prefix { !$0.hasPrefix("…") }
      rest = rest.dropFirst(stack.count)
      let owners = all[stack.indices].compactMap { $0 }
      var kept = zip(stack, owners).filter { $0.1 == .program }.map(\.0)
      var others = owners.filter { $0 != .program }
      if kept.isEmpty, let first = stack.first, !hasOwn || owners.first != .reactive {
        kept = [first]
        others.removeFirst()
      }
      folded += kept.counted
      if !others.isEmpty {
        let names = FrameOwner.allCases.filter(others.contains).map(\.rawValue)
        let list = names.dropLast().joined(separator: ", ")
        let last = (list.isEmpty ? "" : list + " and ") + (names.last ?? "")
        folded.append("(\(others.count)\(kept.isEmpty ? "" : " more") of \(last))")
      }
      folded += rest.prefix { $0.hasPrefix("…") }
      rest = rest.drop { $0.hasPrefix("…") }
    }
    return folded
  }
}

extension [String] {
  /// Consecutive equal lines merged into one, with their number.
  fileprivate var counted: [String] {
    var counted: [String] = []
    var rest = self[...]
    while let first = rest.first {
      let count = rest.prefix { $0 == first }.count
      counted.append(count == 1 ? first : "\(first), \(count) times")
      rest = rest.dropFirst(count)
    }
    return counted
  }
}

extension StringProtocol {
  /// The last occurrence of `needle`.
  package func lastRange(of needle: String) -> Range<Index>? {
    var start = endIndex
    while start > startIndex {
      formIndex(before: &start)
      if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
    }
    return nil
  }
}
