public import TraceModel

/// The findings that are already known from earlier runs, and the findings that are allowed for a
/// while.
///
/// A baseline is read from a text file with one statement per line; lines that begin with `#` are
/// comments:
///
///     known 9f86d081884c7d65 7d8641b0e2a1c3f4 LEAK growth-at-site subscribe Pane.swift:94
///     allow kind=reentrancy file=Pane.swift until=2027-01-31 the pane reloads itself on purpose
///
/// A finding is *known* if one of its fingerprints is equal to that of the statement and its level
/// is no worse; each statement covers one finding. `allow` takes patterns for `kind`, `operator`,
/// `file`, `module` and `fingerprint`, in which `*` matches any text; it requires a last day
/// (`until=never` for none) and a reason.
public struct FindingBaseline: Sendable, Equatable {
  /// A finding of an earlier run.
  public struct Known: Sendable, Equatable {
    /// The fingerprint that depends on the line.
    public var fingerprint: String
    /// The fingerprint that does not depend on the line.
    public var looseFingerprint: String
    /// The level of the finding in that run.
    public var level: FindingLevel
    /// A description for people.
    public var note: String

    /// Creates a known finding.
    public init(fingerprint: String, looseFingerprint: String, level: FindingLevel, note: String) {
      (self.fingerprint, self.looseFingerprint) = (fingerprint, looseFingerprint)
      (self.level, self.note) = (level, note)
    }
  }

  /// A statement that allows findings.
  public struct Allowance: Sendable, Equatable {
    /// The pattern that a finding must match for each key (`kind`, `file`, …); `*` matches any
    /// text.
    public var patterns: [String: String]
    /// The last day on which the allowance holds, as `2027-01-31`; nil if it never expires.
    public var until: String?
    /// Why the findings are allowed.
    public var reason: String
    /// The line in the file, from 1.
    public var line: Int
  }

  /// The findings of earlier runs.
  public var known: [Known] = []
  /// The statements that allow findings; allowed findings do not count.
  public var allowances: [Allowance] = []

  private static let keys = ["kind", "operator", "file", "module", "fingerprint"]

  /// Creates a baseline that knows the given findings and allows nothing.
  public init(known: [Known] = []) { self.known = known }

  // MARK: Reading

  /// Reads the text of a file.
  ///
  /// - Throws: ``BaselineError`` with the line, what is wrong there, and what was expected.
  public init(parsing text: String) throws(BaselineError) {
    // A line may end with a carriage return and a line feed, which are one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      switch first {
      case "known": known.append(try Self.known(words, line: index + 1))
      case "allow": allowances.append(try Self.allowance(words, line: index + 1))
      default:
        throw BaselineError(
          line: index + 1,
          "'\(first)' is not a statement; expected known or allow"
        )
      }
    }
  }

  private static func known(_ words: [String], line: Int) throws(BaselineError) -> Known {
    guard words.count >= 4, words[1].count == 16, words[2].count == 16,
      let level = FindingLevel.allCases.first(where: { $0.label == words[3] })
    else {
      throw BaselineError(
        line: line,
        "expected known, two fingerprints of 16 hexadecimal digits each, and then the level: "
          + "VIOLATION, LEAK, SUSPECT or INFO"
      )
    }
    return Known(
      fingerprint: words[1],
      looseFingerprint: words[2],
      level: level,
      note: words.dropFirst(4).joined(separator: " ")
    )
  }

  private static func allowance(_ words: [String], line: Int) throws(BaselineError) -> Allowance {
    var patterns: [String: String] = [:]
    var until: String??
    var rest = words.dropFirst()
    while let word = rest.first, let equals = word.firstIndex(of: "=") {
      let key = String(word[..<equals])
      let value = String(word[word.index(after: equals)...])
      if key == "until" {
        guard value == "never" || isDate(value) else {
          throw BaselineError(
            line: line,
            "until='\(value)' is not a date; expected one such as 2027-01-31, or never"
          )
        }
        until = value == "never" ? .some(nil) : value
      } else if keys.contains(key) {
        patterns[key] = value
      } else {
        throw BaselineError(
          line: line,
          "'\(key)' is unknown; expected \(keys.joined(separator: ", ")) or until"
        )
      }
      rest = rest.dropFirst()
    }
    guard !patterns.isEmpty else {
      throw BaselineError(
        line: line,
        "allow does not say which findings; give one or more of "
          + "\(keys.map { "\($0)=…" }.joined(separator: ", "))"
      )
    }
    guard let until else {
      throw BaselineError(
        line: line,
        "allow has no last day; add one such as until=2027-01-31, or until=never"
      )
    }
    guard !rest.isEmpty else {
      throw BaselineError(line: line, "allow has no reason; write one at the end of the line")
    }
    return Allowance(
      patterns: patterns,
      until: until,
      reason: rest.joined(separator: " "),
      line: line
    )
  }

  private static func isDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], let month = Int(parts[1]), let day = Int(parts[2]) else {
      return false
    }
    return parts[0].allSatisfy(\.isNumber) && (1...12).contains(month) && (1...31).contains(day)
  }

  // MARK: Writing

  /// The statement that makes a finding known.
  ///
  /// Spaces in names are removed, so that a statement has a fixed number of words.
  public static func statement(_ finding: Finding) -> String {
    let name = finding.name.filter { !$0.isWhitespace }
    return "known \(finding.fingerprint) \(finding.looseFingerprint) \(finding.level.label) "
      + "\(finding.kind.rawValue) \(displayName(name)) \(displayName(finding.location))"
  }

  /// The statements that make findings known, sorted by kind, name and location, so that a diff of
  /// two versions of the file shows exactly what has changed.
  public static func statements(_ findings: [Finding]) -> [String] {
    let lines = findings.map(statement)
    func note(_ line: String) -> [Substring] {
      line.split(separator: " ").dropFirst(4) + [line[...]]
    }
    return lines.sorted { note($0).lexicographicallyPrecedes(note($1)) }
  }

  // MARK: Applying

  /// Sets whether each finding is new, known, worse than before, allowed or no longer allowed.
  ///
  /// - Parameters:
  ///   - inspection: The inspection whose findings are marked.
  ///   - today: The current day, as `2027-01-31`.
  /// - Returns: The known findings that were not found.
  @discardableResult
  public func apply(to inspection: inout Inspection, today: String) -> [Known] {
    var left = known
    var before: [Int: Known] = [:]
    // Findings that have not moved are matched first.
    for print in [\Finding.fingerprint, \Finding.looseFingerprint] {
      let knownKeyPath = print == \.fingerprint ? \Known.fingerprint : \Known.looseFingerprint
      for (index, finding) in inspection.findings.enumerated() where before[index] == nil {
        let place = left.firstIndex { $0[keyPath: knownKeyPath] == finding[keyPath: print] }
        if let place { before[index] = left.remove(at: place) }
      }
    }
    for index in inspection.findings.indices {
      let finding = inspection.findings[index]
      let file = inspection.site(finding.site)?.file ?? finding.location
      inspection.findings[index].baselineStatus = baselineStatus(
        finding,
        before[index],
        file,
        today
      )
    }
    return left
  }

  private func baselineStatus(
    _ finding: Finding,
    _ before: Known?,
    _ file: String,
    _ today: String
  ) -> Finding.BaselineStatus {
    var expired: Allowance?
    for one in allowances where Self.matches(one, finding, file) {
      if one.until.map({ $0 >= today }) ?? true { return .allowed(one.reason) }
      expired = one
    }
    if let expired { return .expired("line \(expired.line), until \(expired.until ?? "never")") }
    guard let level = before?.level else { return .new }
    return finding.level <= level ? .known : .worse(level)
  }

  private static func matches(_ one: Allowance, _ finding: Finding, _ file: String) -> Bool {
    let parts = file.split(separator: "/")
    let values = [
      "kind": [finding.kind.rawValue], "operator": [finding.name],
      "file": [String(parts.last ?? "")], "module": [String(parts.first ?? "")],
      "fingerprint": [finding.fingerprint, finding.looseFingerprint],
    ]
    return one.patterns.allSatisfy { key, pattern in
      (values[key] ?? []).contains { Glob.matches(Array($0), Array(pattern)) }
    }
  }
}

/// An error in a baseline file.
public struct BaselineError: Error, CustomStringConvertible {
  /// The line in the file, from 1.
  public let line: Int
  /// What is wrong, and what was expected.
  public let message: String

  init(line: Int, _ message: String) {
    self.line = line
    self.message = message
  }

  /// The error as text: `line 3: …`.
  public var description: String { "line \(line): \(message)" }
}

/// Matching of patterns in which `*` matches any text.
enum Glob {
  /// Whether a text matches a pattern, in O(text × pattern) at worst.
  static func matches(_ text: [Character], _ pattern: [Character]) -> Bool {
    var (here, place) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while here < text.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, here)
        place += 1
      } else if place < pattern.count, pattern[place] == text[here] {
        here += 1
        place += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (here, place) = (last.text + 1, last.pattern + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
