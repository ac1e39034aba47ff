import TraceModel
import TraceReading

/// The commands and actions of a program, as far as a trace shows which signals and subscriptions
/// belong to each.
///
/// A command consists of several signals, which are made one after another at one line; the
/// subscription to its enabling condition is made at the same line after them. A command announces
/// an execution on the same thread right before the execution begins. If the records do not show
/// the announcement, it is unknown which command has begun an execution, unless there is only one
/// command.
struct Commands {
  /// A command, or an action.
  struct Command {
    /// The line at which the command was made.
    var site: UInt32
    /// The signals of the command, in the order of creation.
    var signals: [TraceSlot]
    /// The subscription to the enabling condition; nil if there is none.
    var condition: TraceSlot?
    /// Executions under way, the oldest first.
    var running: [TraceSlot] = []
  }

  private let context: FindingContext
  private(set) var all: [Command] = []
  /// The index of each command in ``all``, by the identifiers of its signals.
  private var places: [UInt32: Int] = [:]

  /// The minimum number of signals of a command or an action; nothing else makes so many at one
  /// line.
  private static let minimumParts = 4
  /// The maximum number of seconds between the announcement of an execution and its beginning.
  private static let shortly = 0.1

  /// - Complexity: O(slots), and O(records) if executions run.
  init(_ context: FindingContext) {
    self.context = context
    var parts: [UInt32: [TraceSlot]] = [:]
    for slot in facts.slots where slot.kind == .signal {
      if case .part = facts.argument(of: slot) { parts[slot.site, default: []].append(slot) }
    }
    for site in parts.keys.sorted() {
      all += Self.commands(at: site, parts[site] ?? [])
    }
    for (place, command) in all.enumerated() {
      for signal in command.signals { places[signal.id.rawValue] = place }
    }
    guard !all.isEmpty else { return }
    findConditions()
    findExecutions()
  }

  private var facts: FindingFacts { context.facts }

  /// The command that an upstream path leads to: the last stage of the path subscribes to a signal
  /// of the command, or a stage of the path has executions of the command as inner signals.
  func command(of path: [TraceSlot]) -> Command? {
    guard !all.isEmpty, let last = path.last else { return nil }
    if let place = places[last.signal] { return all[place] }
    for stage in path.reversed() where facts.site(stage.site).traits.contains(.merging) {
      let inputs = context.walk.upstreams(of: stage)
      if let place = inputs.lazy.compactMap({ places[$0.signal] }).first { return all[place] }
    }
    return nil
  }

  /// Groups the signals of a line into commands: a signal with the same argument as an earlier
  /// signal begins the next command.
  private static func commands(at site: UInt32, _ signals: [TraceSlot]) -> [Command] {
    var found: [Command] = []
    var seen: Set<UInt32> = []
    for signal in signals.sorted(by: { $0.serial < $1.serial }) {
      if found.isEmpty || !seen.insert(signal.argument).inserted {
        found.append(Command(site: site, signals: []))
        seen = [signal.argument]
      }
      found[found.count - 1].signals.append(signal)
    }
    return found.filter { $0.signals.count >= minimumParts }
  }

  private mutating func findConditions() {
    let sites = Set(all.map(\.site))
    let slots = facts.slots.filter {
      $0.isLiveSubscription && $0.link == .none && sites.contains($0.site)
        && places[$0.signal] == nil
    }
    for slot in slots {
      // A condition belongs to the last command that was made at its line before the condition.
      let place = all.indices.filter {
        all[$0].site == slot.site && (all[$0].signals.last?.serial ?? .max) < slot.serial
      }
      .max { all[$0].signals[0].serial < all[$1].signals[0].serial }
      if let place, all[place].condition == nil { all[place].condition = slot }
    }
  }

  private mutating func findExecutions() {
    let running = facts.slots.filter {
      $0.isLiveSubscription && facts.site($0.site).traits.contains(.executes)
    }
    for slot in running.sorted(by: { $0.serial < $1.serial }) {
      if let place = announcingCommand(of: slot) ?? (all.count == 1 ? 0 : nil) {
        all[place].running.append(slot)
      }
    }
  }

  /// The command that announced an execution right before it began.
  private func announcingCommand(of execution: TraceSlot) -> Int? {
    let records = facts.records
    let creation = records.lastRow(of: RecordKinds([.subscribed])) {
      $0.entity == execution.id && $0.subscribing?.serial == execution.serial
    }
    guard let creation else { return nil }
    let began = records[creation]
    let turn = records.lastRow(of: RecordKinds([.turnEnded]), before: creation) {
      $0.thread == began.thread
    }
    guard let turn, facts.seconds(from: records[turn].ticks, to: began.ticks) <= Self.shortly
    else { return nil }
    return places[records[turn].entity.rawValue]
  }

  // MARK: Texts

  /// Explains whether a command is disabled, and by what.
  ///
  /// If `isExplained` is set, a finding explains why the execution does not end, and details about
  /// that execution are omitted.
  func describe(_ command: Command, isExplained: Bool, in explanation: inout Explanation) {
    let name = facts.site(command.site).place
    if let run = command.running.first {
      let line = facts.site(run.site).location
      let time = Duration.seconds(facts.age(run.createdAt)).brief
      let count = refused(at: run.site, since: run.createdAt).count
      let source = context.walk.endlessSource(upstreamOf: run)
      let what =
        "the execution that was asked for at \(line) has run for \(time) and has not ended"
        + (source.map { ", and \($0.place), which it follows, never ends" } ?? "")
      if isExplained {
        explanation.answer += " \(name) is disabled."
      } else if count > 0 {
        explanation.answer +=
          " \(name) is disabled: \(what); \(Words.count(count, "execution")) asked for since \(count == 1 ? "was" : "were") refused."
      } else {
        explanation.answer +=
          " While it executes, \(name) is disabled, unless executions may run beside each other: \(what)."
      }
    }
    if let condition = command.condition { describe(condition, of: name, in: &explanation) }
  }

  /// Explains what is known about the condition that enables a command.
  private func describe(
    _ condition: TraceSlot,
    of command: String,
    in explanation: inout Explanation
  ) {
    let stage = context.walk.upstreams(of: condition).first ?? condition
    let name = facts.site(stage.site).place
    guard condition.eventCount > 0 else {
      explanation.known.append(
        "\(name), which says whether \(command) is enabled, has sent nothing, so that \(command) "
          + "counts as enabled"
      )
      return
    }
    let ago = Duration.seconds(facts.age(condition.lastEventAt)).brief
    let text = facts.records(about: [stage]) { $0 == .value }[stage.id]?.last?.valueText
    let refused = refusedByCondition(since: condition.lastEventAt)
    if text?.text == "false" {
      explanation.answer +=
        " \(command) is disabled: \(name), which says whether \(command) is enabled, sent false last, \(ago) ago."
    } else if let text {
      explanation.known.append(
        "\(name), which says whether \(command) is enabled, sent \(text.text) last, \(ago) ago"
      )
    } else if !refused.isEmpty {
      let lines = Set(refused.map { facts.site($0.site).location }).sorted()
      explanation.answer +=
        " \(command) is disabled: \(Words.count(refused.count, "execution")) asked for at \(lines.joined(separator: ", ")) \(refused.count == 1 ? "was" : "were") "
        + "refused while none ran, after the last value of \(name), which says whether \(command) is enabled, \(ago) ago."
    } else {
      let values = Words.count(condition.eventCount, "value")
      explanation.known.append(
        "\(name) says whether \(command) is enabled: \(values), the last \(ago) ago"
      )
      explanation.unknown.append(
        "whether \(name) sent true or false last: values are recorded at level values only"
      )
    }
  }

  /// Executions that were refused since an instant, and that only a condition can have refused;
  /// empty unless exactly one command has a condition.
  private func refusedByCondition(since ticks: UInt64) -> [History] {
    guard let histories = context.histories, all.count(where: { $0.condition != nil }) == 1 else {
      return []
    }
    let executions = histories.all.enumerated().filter { place, one in
      facts.site(one.site).traits.contains(.executes) && !histories.isRefused(place)
    }
    .map(\.element)
    return refused(at: nil, since: ticks).filter { one in
      !executions.contains {
        $0.createdAt <= one.createdAt && ($0.endedAt ?? .max) >= one.createdAt
      }
    }
  }

  /// Executions that were requested since an instant and refused, at a line, or anywhere if `site`
  /// is nil.
  private func refused(at site: UInt32?, since ticks: UInt64) -> [History] {
    guard let histories = context.histories else { return [] }
    return histories.all.indices.filter { place in
      let one = histories.all[place]
      return site.map { $0 == one.site } ?? true && one.createdAt > ticks
        && facts.site(one.site).traits.contains(.executes) && histories.isRefused(place)
    }
    .map { histories.all[$0] }
  }
}
