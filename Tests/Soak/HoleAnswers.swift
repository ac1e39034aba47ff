import InspectorUI
import TraceExports
import TraceFindings
import TraceModel
import TraceReading

/// The answers of rxtop about a recording that may have holes: `--once --json`, `check`, `explain`
/// and `diff`.
struct HoleAnswers {
  /// The subscriptions and values that are explained, both for the complete recording and for one
  /// with holes.
  struct Questions {
    var subscriptions: [UInt64] = []
    var values: [UInt64] = []

    init() {}

    /// Selects a few of each, spread over the recording.
    init(_ snapshot: TraceSnapshot, each limit: Int = 4) {
      func spread(_ numbers: [UInt64]) -> [UInt64] {
        let step = max(1, (numbers.count + limit - 1) / limit)
        return stride(from: 0, to: numbers.count, by: step).map { numbers[$0] }
      }
      subscriptions = spread(snapshot.slots.filter { $0.kind == .subscription }.map(\.serial))
      var numbers: [UInt64] = []
      for record in snapshot.records where record.kind == .next {
        numbers.append(record.number)
        if numbers.count == 1 << 16 { break }
      }
      values = spread(numbers)
    }
  }

  /// One value or one text in an output.
  struct Leaf: Equatable {
    var section: String
    /// The column in which the value is; `key` is the last name on the path to the value, which may
    /// be nested in the column.
    var field: String
    var key: String
    var value: JSONTree
  }

  /// The answers by output and path, such as `once|sites[4].live`.
  private(set) var leaves: [String: Leaf] = [:]
  /// The status of `check`, for each level of `--fail-on`.
  private(set) var statuses: [ExitStatus] = []
  /// What each output says is lost or unknown, by the name of the output.
  private(set) var losses: [String: Set<String>] = [:]

  init(_ path: String, _ questions: Questions) throws(TraceError) {
    var source = try TraceSource(path: path)
    let inspection = try source.inspection(at: .end)
    let reported = Set(inspection.program.losses)
    losses = ["once": reported, "check": reported, "diff": reported]
    statuses = FindingLevel.allCases.map { ExitStatus(checking: inspection, failOn: $0) }
    for (level, status) in zip(FindingLevel.allCases, statuses) {
      add("check", "check", "status \(level.label)", .number(Double(status.rawValue)))
    }
    take("once", JSONTree(InspectionJSON.text(inspection)))
    let start = DiffText.firstMoment(inspection)
    if case .base(let base) = try source.query(.base(start)) {
      take("diff", JSONTree(DiffText(columns: 120).json(inspection, base)))
    }
    explain(path, questions)
  }

  private mutating func add(_ output: String, _ section: String, _ path: String, _ value: JSONTree)
  {
    let names = path.split(separator: "]").last?.split(separator: ".").map(String.init) ?? []
    let (field, key) = (names.first ?? path, names.last ?? path)
    leaves["\(output)|\(path)"] = Leaf(section: section, field: field, key: key, value: value)
  }

  // MARK: Rows

  private mutating func take(_ output: String, _ tree: JSONTree) {
    guard case .object(let sections) = tree else { return }
    for (name, value) in sections where name != "schema" {
      guard case .list(let rows) = value else {
        flatten(output, name, name, value)
        continue
      }
      for (index, row) in rows.enumerated() {
        let label = Self.label(row, index)
        flatten(output, output == "diff" ? "diff" : name, "\(name)[\(label)]", row)
      }
    }
  }

  /// The name of a row, which does not depend on the rows before it.
  private static func label(_ row: JSONTree, _ index: Int) -> String {
    if let key = row["key"], case .number(let serial)? = key["serial"] { return "\(Int(serial))" }
    if let kind = row["kind"], case .text(let kind) = kind, let site = row["site"],
      row["evidence"] != nil
    {
      if case .number(let site) = site { return "\(kind) \(Int(site))" }
    }
    for name in ["id", "number", "site"] {
      if case .number(let number)? = row[name] { return "\(Int(number))" }
    }
    return "row \(index)"
  }

  private mutating func flatten(
    _ output: String,
    _ section: String,
    _ path: String,
    _ value: JSONTree
  ) {
    switch value {
    case .object(let members):
      for (name, value) in members { flatten(output, section, "\(path).\(name)", value) }
    case .list, .null, .bool, .number, .text: add(output, section, path, value)
    }
  }

  // MARK: Explanations

  private mutating func explain(_ path: String, _ questions: Questions) {
    guard let snapshot = try? TraceReader(path: path).snapshot() else { return }
    func explain(_ name: String, _ make: () throws -> Explanation) {
      let output = "explain \(name)"
      do {
        var explanation = try make()
        explanation.addLosses(of: snapshot)
        losses[output] = Set(explanation.unknown)
        add(output, "explain", "answer", .text(explanation.answer))
        add(output, "explain", "text", .text(explanation.text()))
      } catch {
        losses[output] = ["\(error)"]
        add(output, "explain", "answer", .null)
      }
    }
    explain("crash") { try CrashExplanation.of(snapshot) }
    explain("error") { try FailureExplanation.of(nil, in: snapshot) }
    for serial in questions.subscriptions {
      explain("subscription \(serial)") { try SilenceExplanation.of(serial, in: snapshot) }
    }
    for value in questions.values {
      explain("value \(value)") { try ValueExplanation.of(value, in: snapshot) }
    }
  }
}
