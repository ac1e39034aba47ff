/// Prints each result on one line, as soon as it is known.
protocol Report {
  func begin(pairs: Int)
  func add(_ result: Comparison)
}

/// Prints a table for people.
struct TableReport: Report {
  let isVerbose: Bool
  private var width: Int { 26 }

  func begin(pairs: Int) {
    print("\(pairs) pairs of runs each; ns of one unit of work where nothing else is said.\n")
    print(
      "workload".padded(to: width),
      "ours".indented(to: 9),
      "peer".indented(to: 9),
      "floor".indented(to: 7),
      "ratio".indented(to: 7),
      "95 % interval".indented(to: 17),
      "goal".indented(to: 8),
      " goal is"
    )
  }

  func add(_ result: Comparison) {
    let workload = result.workload
    let unit = workload.unit == .nanoseconds ? "" : " (\(workload.unit.rawValue))"
    let interval = "\(result.interval.lowerBound.figure) … \(result.interval.upperBound.figure)"
    let goal =
      switch workload.goal {
      case nil: ""
      case .atLeast(let goal): "≥ \(goal)"
      case .atMost(let goal): "≤ \(goal)"
      }
    print(
      (workload.name + unit).padded(to: width),
      result.ours.figure.indented(to: 9),
      result.peer.figure.indented(to: 9),
      (result.floor?.figure ?? "").indented(to: 7),
      result.ratio.figure.indented(to: 7),
      interval.indented(to: 17),
      goal.indented(to: 8),
      result.verdict.map { " \($0.rawValue)" } ?? ""
    )
    if isVerbose {
      print("    \(workload.quotient.rawValue), checksum \(result.checksum) on both sides")
    }
  }
}

/// Prints one JSON object a line, for programs.
struct JSONReport: Report {
  let isVerbose: Bool

  func begin(pairs: Int) {}

  func add(_ result: Comparison) {
    let workload = result.workload
    var members = [
      #""workload":"\#(workload.name)""#,
      #""unit":"\#(workload.unit.rawValue)""#,
      #""ours":\#(result.ours.text(places: 2))"#,
      #""peer":\#(result.peer.text(places: 2))"#,
      #""ratio":\#(result.ratio.text(places: 3))"#,
      #""low":\#(result.interval.lowerBound.text(places: 3))"#,
      #""high":\#(result.interval.upperBound.text(places: 3))"#,
      #""quotient":"\#(workload.quotient.rawValue)""#,
    ]
    if let floor = result.floor { members.append(#""floor":\#(floor.text(places: 2))"#) }
    switch workload.goal {
    case nil: break
    case .atLeast(let goal): members.append(#""goal":{"atLeast":\#(goal)}"#)
    case .atMost(let goal): members.append(#""goal":{"atMost":\#(goal)}"#)
    }
    if let verdict = result.verdict { members.append(#""verdict":"\#(verdict.rawValue)""#) }
    if isVerbose { members.append(#""checksum":\#(result.checksum)"#) }
    print("{\(members.joined(separator: ","))}")
  }
}
