import TraceModel
import TraceReading

/// Executions that were refused because the condition of their action or command did not allow
/// them.
///
/// No record says which action has refused an execution. It is known if the recording contains only
/// one condition that has sent a value, if that condition was followed at the time, and if nothing
/// else can have refused the execution: no execution was running, and no other action or command
/// had been released.
///
/// Unlike ``Commands``, the search also covers what has ended.
struct RefusedExecutions {
  /// The indices of the refused executions, in the order of their requests.
  let all: [Int]
  /// The index of the subscription to the condition, which is made at the line of the action.
  let condition: Int
  /// The indices of all executions that were not refused.
  let begun: [Int]
  /// The signals of the action or command whose condition it is.
  let parts: Set<TraceID>

  /// The minimum number of signals that an action or a command makes at its line; nothing else
  /// makes so many that are parts of one thing.
  private static let minimumParts = 4

  /// Returns nil if there are none, or if it is not known which condition refused them.
  ///
  /// - Complexity: O(records) if the program has executions.
  init?(_ histories: Histories, _ facts: FindingFacts) {
    guard histories.isWhole, facts.hasEvents,
      facts.sites.contains(where: { $0.traits.contains(.executes) && $0.ended(.failed) > 0 })
    else { return nil }
    var refused: [Int] = []
    var begun: [Int] = []
    for (place, one) in histories.all.enumerated()
    where facts.site(one.site).traits.contains(.executes) {
      if histories.isRefused(place) { refused.append(place) } else { begun.append(place) }
    }
    guard !refused.isEmpty else { return nil }
    let signals = Signals(facts, of: Set(begun.lazy.map { histories.all[$0].signal }))
    let conditions = histories.all.indices.filter { place in
      let one = histories.all[place]
      return one.downstream < 0 && one.events > 0 && signals.areParts(at: one.site)
        && signals.lines[one.signal] != one.site && !histories.inputs[place].isEmpty
    }
    guard conditions.count == 1, let condition = conditions.first else { return nil }
    let one = histories.all[condition]
    let firstRelease = signals.firstRelease(except: one.site)
    let running = RunningTimes(begun.map { histories.all[$0] }, signals, facts)
    all = refused.filter { place in
      let time = histories.all[place].createdAt
      return time > one.firstEvent && time < (one.endedAt ?? .max) && time < firstRelease
        && !running.contains(time)
    }
    guard !all.isEmpty else { return nil }
    self.begun = begun
    self.condition = condition
    parts = Set(signals.lines.lazy.filter { $0.value == one.site }.map(\.key))
  }

  /// When executions were running, or may have been.
  ///
  /// A command that begins an execution makes a signal for it at once, but the execution may have
  /// to wait for the command's scheduler; meanwhile the command is disabled.
  private struct RunningTimes {
    /// When executions began, in order, and the latest end of each and of the ones before it.
    private var times: [(begin: UInt64, end: UInt64)]
    private let facts: FindingFacts

    /// The number of seconds for which the system may suspend a thread that has work to do.
    private static let pause = 0.05

    init(_ executions: [History], _ signals: Signals, _ facts: FindingFacts) {
      self.facts = facts
      times = executions.map { one in
        (min(one.createdAt, signals.creations[one.signal] ?? .max), one.endedAt ?? .max)
      }
      times.sort { $0.begin < $1.begin }
      for place in times.indices.dropFirst() {
        times[place].end = max(times[place].end, times[place - 1].end)
      }
    }

    func contains(_ ticks: UInt64) -> Bool {
      let count = times.prefixCount { $0.begin <= ticks }
      if count > 0, facts.seconds(from: times[count - 1].end, to: ticks) <= Self.pause {
        return true
      }
      return count < times.count
        && facts.seconds(from: ticks, to: times[count].begin) <= Self.pause
    }
  }

  /// The signals that are parts of actions and commands, and those of executions.
  private struct Signals {
    /// The line of each part.
    private(set) var lines: [TraceID: UInt32] = [:]
    /// When the wanted signals were created.
    private(set) var creations: [TraceID: UInt64] = [:]
    private var parts: [UInt32: Set<UInt32>] = [:]
    private var releases: [UInt32: UInt64] = [:]

    init(_ facts: FindingFacts, of wanted: Set<TraceID>) {
      let kinds = RecordKinds([.signalCreated, .signalReleased])
      facts.records.forEach(of: kinds) { _, record in
        if let creation = record.signalCreation {
          lines[record.entity] = nil
          if wanted.contains(record.entity) {
            creations[record.entity] = min(creations[record.entity] ?? .max, record.ticks)
          }
          guard case .part = facts.argument(creation.argument) else { return }
          lines[record.entity] = creation.site
          parts[creation.site, default: []].insert(creation.argument)
        } else if let site = lines[record.entity] {
          releases[site] = min(releases[site] ?? .max, record.ticks)
        }
      }
    }

    /// Whether an action or a command was made at a line.
    func areParts(at site: UInt32) -> Bool { (parts[site]?.count ?? 0) >= minimumParts }

    /// When the first signal of the actions and commands of other lines was released.
    func firstRelease(except site: UInt32) -> UInt64 {
      releases.filter { $0.key != site && areParts(at: $0.key) }.map(\.value).min() ?? .max
    }
  }
}

extension Histories {
  /// The indices of the root subscriptions that asked for executions that were refused.
  func rootsOfRefused(_ facts: FindingFacts) -> Set<Int> {
    func executes(_ one: History) -> Bool { facts.site(one.site).traits.contains(.executes) }
    let refused = all.indices.filter { executes(all[$0]) && isRefused($0) }
    guard !refused.isEmpty else { return [] }
    let signals = Set(refused.map { all[$0].signal }).subtracting([.none])
    return Set(
      all.indices.lazy.filter { signals.contains(all[$0].signal) && !executes(all[$0]) }
        .map { root(of: $0) }
    )
  }
}
