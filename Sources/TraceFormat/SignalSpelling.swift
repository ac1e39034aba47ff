/// The call of an operator as it is written in code.
///
/// Used to compose the name of a signal, in the traced process as well as from a trace.
package struct SignalSpelling {
  /// The operator's arguments besides signals.
  package enum Argument {
    case inside([String])
    /// Not an argument, but the name of this signal among several signals of one object, such as
    /// `values` in `command(…).values`.
    case behind(String)
    /// No argument; the signals are in an array.
    case array
  }

  /// Operators that are functions, called with all their signals in parentheses.
  private static let functions: Set<String> = ["combineLatest", "forkJoin", "if", "zip"]
  /// The labels of what an operator has in parentheses, for operators whose recorded name does not
  /// contain these labels.
  private static let labels = [
    "if": ["", "then:", "else:"],
    "measureInterval": ["on:"],
    "merge": ["with:"],
    "onFailureResumeNext": ["with:"],
    "timestamped": ["on:"],
  ]
  /// Operators with a further argument, shown as `…`, after the recorded one; those in
  /// ``takingMoreBefore`` have it before the recorded one.
  private static let takingMore: Set<String> = [
    "buffer", "flatMap(limit:)", "flatten(limit:policy:)", "lazyMap(on:)", "startEagerly(on:)",
    "startLazily(on:)",
  ]
  private static let takingMoreBefore: Set<String> = ["from(on:)", "writing(to:)"]

  private let operation: String
  private let inputs: [String]
  private let argument: Argument

  package init(_ operation: String, _ inputs: [String], _ argument: Argument) {
    self.operation = operation
    self.inputs = inputs
    self.argument = argument
  }

  /// The whole text.
  ///
  /// Each part, except the texts of the inputs, is passed through `spend`, which may shorten it.
  package func text(_ spend: (String) -> String) -> String {
    if case .array = argument { return spend(call(["[\(inputs.joined(separator: ", "))]"])) }
    return switch operation {
    case _ where inputs.isEmpty: spend(call([]))
    case _ where Self.functions.contains(operation): spend(call(inputs))
    case "prepend": inputs[inputs.count - 1] + spend("." + call(inputs.dropLast()))
    default: inputs[0] + spend("." + call(inputs.dropFirst()))
    }
  }

  /// For example, `take(until:)` and `[x]` give `take(until: x)`; `map` and `[…]` give `map(…)`.
  private func call(_ signals: some Sequence<String>) -> String {
    let parts = operation.split(separator: "(")
    let name = parts.first.map { String($0) } ?? operation
    var arguments = Array(signals)
    switch argument {
    case .behind(let part): return "\(name)(…).\(part)"
    case .inside(let own) where name == "timeout":
      arguments = own + arguments.map { "switchingTo: \($0)" }
    case .inside(let own): arguments += own
    case .array: break
    }
    var labels =
      parts.count > 1
      ? parts[1].dropLast().split(separator: ":").map { "\($0):" } : Self.labels[name] ?? []
    if Self.takingMore.contains(operation) { arguments.append("…") }
    if Self.takingMoreBefore.contains(operation) {
      arguments.insert("…", at: 0)
      labels.insert("", at: 0)
    }
    let labelled = arguments.enumerated().map { index, argument in
      index < labels.count && !labels[index].isEmpty ? "\(labels[index]) \(argument)" : argument
    }
    return "\(name)(\(labelled.joined(separator: ", ")))"
  }
}

extension SignalSpelling.Argument {
  /// Converts an argument from a trace.
  ///
  /// - Parameters:
  ///   - recorded: The argument in the trace.
  ///   - scheduler: Returns the name of the scheduler in a row of the scheduler table.
  package init(_ recorded: SignalArgument, scheduler: (UInt32) -> String?) {
    self =
      switch recorded {
      case .unknown: .inside(["?"])
      case .none: .inside([])
      case .closure: .inside(["…"])
      case .integer(let number): .inside([spelled(number)])
      case .duration(let nanoseconds):
        .inside([spelled(.nanoseconds(nanoseconds)), "…"])
      case .text(let text): .inside([text])
      case .part(let part): .behind(part)
      case .scheduler(let row): .inside([scheduler(row).map { spelled(scheduler: $0) } ?? "?"])
      case .list: .array
      }
  }
}

/// A number as it is written in code: `2`, or `.max`.
package func spelled(_ number: Int) -> String { number == .max ? ".max" : "\(number)" }

/// A duration as it is written in code: `.seconds(1)`, or in smaller units.
package func spelled(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  if attoseconds == 0 { return ".seconds(\(seconds))" }
  let nanoseconds = duration / .nanoseconds(1)
  for (unit, count) in [("milliseconds", 1e6), ("microseconds", 1e3)] {
    let number = nanoseconds / count
    if number == number.rounded(), let whole = Int(exactly: number) { return ".\(unit)(\(whole))" }
  }
  return Int(exactly: nanoseconds.rounded()).map { ".nanoseconds(\($0))" } ?? "\(duration)"
}

/// A scheduler as it is written in code, such as `.main`, if it is one of the predefined ones;
/// otherwise its name.
package func spelled(scheduler name: String) -> String {
  switch name {
  case "background", "immediate", "main", "trampoline", "ui": "." + name
  case "main actor": ".mainActor"
  default: name
  }
}
