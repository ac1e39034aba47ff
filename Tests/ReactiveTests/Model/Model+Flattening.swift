extension FlatteningModel {
  func events(of outer: ModelTree, _ inner: [ModelTree], at start: Int) throws -> [Stamped] {
    var run = Flattening(self, inner)
    for one in try outer.events(at: start) where !run.output.isOver {
      try run.advance(to: one.time)
      if !run.output.isOver { try run.receive(one) }
    }
    try run.advance(to: .max)
    return run.output.events
  }
}

/// The state of a flattening operator: the inner signals that run, and those that wait.
private struct Flattening {
  private struct Stream {
    var events: ArraySlice<Stamped>
  }

  private let kind: FlatteningModel
  private let inner: [ModelTree]
  private(set) var output = Output()
  private var running: [Stream] = []
  private var waiting: [ModelTree] = []
  private var outerIsOver = false

  init(_ kind: FlatteningModel, _ inner: [ModelTree]) {
    self.kind = kind
    self.inner = inner
  }

  private var limit: Int {
    switch kind {
    case .concatMap, .flatMapFirst: 1
    case .flatMapLimit: 2
    default: .max
    }
  }

  mutating func receive(_ one: Stamped) throws {
    switch one.event {
    case .failed: output.send(one.event, at: one.time)
    case .completed:
      outerIsOver = true
      settle(one.time)
    case .next(let value):
      let chosen = inner[value % inner.count]
      if kind == .flatMapLatest || kind == .switchToLatest { running = [] }
      if running.count < limit {
        try start(chosen, one.time)
      } else if kind != .flatMapFirst {
        waiting.append(chosen)
      }
    }
  }

  /// Subscribes to a signal, and takes the events that it sends immediately.
  private mutating func start(_ tree: ModelTree, _ time: Int) throws {
    running.append(Stream(events: try tree.events(at: time)[...]))
    while let index = running.indices.last, running[index].events.first?.time == time {
      if try take(index) { return }
    }
  }

  /// Takes the next event of one signal; returns whether that was its end.
  private mutating func take(_ index: Int) throws -> Bool {
    guard let one = running[index].events.popFirst() else { return true }
    switch one.event {
    case .next, .failed: output.send(one.event, at: one.time)
    case .completed:
      running.remove(at: index)
      if waiting.isEmpty { settle(one.time) } else { try start(waiting.removeFirst(), one.time) }
      return true
    }
    return output.isOver
  }

  private mutating func settle(_ time: Int) {
    if outerIsOver, running.isEmpty, waiting.isEmpty { output.complete(at: time) }
  }

  /// Takes the events before `time`; throws if events coincide with `time` or with each other.
  mutating func advance(to time: Int) throws {
    while !output.isOver {
      let times = running.compactMap { $0.events.first?.time }
      guard let next = times.min() else { return }
      if next == time || times.count(where: { $0 == next }) > 1 { throw Ambiguous() }
      if next > time { return }
      guard let index = running.firstIndex(where: { $0.events.first?.time == next }) else { return }
      while running.indices.contains(index), running[index].events.first?.time == next {
        if try take(index) { break }
      }
    }
  }
}
