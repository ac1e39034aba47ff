import InspectorUI
import TraceModel

/// A source that derives the inspections of all positions from one that is made by hand.
final class FixtureSource: InspectionSource {
  /// The effects that were performed, in order.
  private(set) var requests: [Effect] = []
  /// The inspection at the end, from which those at earlier positions are derived.
  var newest: Inspection
  /// Events that can be stepped through.
  let eventNumbers: [UInt64]

  init(_ newest: Inspection) {
    self.newest = newest
    eventNumbers = newest.events.map(\.number)
  }

  func inspection(at position: Position) throws -> Inspection {
    requests.append(.show(position))
    return at(position)
  }

  func step(_ step: Step, forward: Bool, from position: Position) throws -> (
    inspection: Inspection, position: Position
  )? {
    requests.append(.step(step, forward: forward, from: position))
    let event = at(position).instant.event ?? 0
    let next =
      forward ? eventNumbers.first { $0 > event } : eventNumbers.last { $0 < event }
    guard let next else { return nil }
    return (at(.event(next)), .event(next))
  }

  func program() throws -> ProgramInfo {
    requests.append(.watch)
    return newest.program
  }

  func backtrace(of chain: UInt32) throws -> [String] {
    requests.append(.backtrace(of: chain))
    return Fixture.backtrace
  }

  func query(_ query: TraceQuery) throws -> TraceAnswer {
    requests.append(.query(query))
    switch query {
    case .marbles(let query): return .marbles(MarbleChart(query: query, tracks: []))
    case .queues: return .queues(QueueReport())
    case .journey: return .journey(Journey())
    case .base(let position): return .base(SiteBase(at(position)))
    case .histograms: return .histograms([])
    case .moments: return .moments([])
    case .flow: return .flow(FlowReport())
    case .account(let scope, _): return .account(Account(scope))
    }
  }

  private func at(_ position: Position) -> Inspection {
    var inspection = newest
    switch position {
    case .end: return newest
    case .event(let number):
      inspection.events.removeAll { $0.number > number }
    case .time(let time):
      inspection.events.removeAll { $0.time > time }
    case .mark(let index):
      let time = newest.marks.first { $0.id == index }?.time ?? .zero
      inspection.events.removeAll { $0.time > time }
      inspection.instant.time = time
    }
    inspection.instant.isEnd = false
    inspection.instant.event = inspection.events.last?.number
    inspection.instant.time = inspection.events.last?.time ?? inspection.instant.time
    return inspection
  }
}

/// A finished run of a script of keys.
struct ScriptRun {
  let terminal: HeadlessTerminal
  let model: Model
  let source: FixtureSource
  var screen: String { terminal.screen.text }
}

/// Types keys on a screen with a `FixtureSource` and returns the result.
func run(
  _ keys: String,
  on inspection: Inspection = Fixture.watchtower(),
  size: Size = .standard,
  saving: @escaping (String) throws -> String = { _ in "rxtop-1.txt" }
) throws -> ScriptRun {
  try run(HeadlessTerminal(size: size, keys: keys), on: inspection, saving: saving)
}

func run(
  _ terminal: HeadlessTerminal,
  on inspection: Inspection,
  saving: @escaping (String) throws -> String = { _ in "rxtop-1.txt" }
) throws -> ScriptRun {
  var terminal = terminal
  let source = FixtureSource(inspection)
  var loop = ScreenLoop(
    model: Model(size: terminal.size),
    source: source,
    helpers: .none(saving: saving)
  )
  try loop.run(on: &terminal)
  return ScriptRun(terminal: terminal, model: loop.model, source: source)
}
