extension BinaryModel {
  func events(of a: ModelTree, _ b: ModelTree, at start: Int) throws -> [Stamped] {
    switch self {
    case .concat, .concatList: return try inTurn(a, b, start) { $0 == .completed }
    case .catchTo: return try inTurn(a, b, start) { if case .failed = $0 { true } else { false } }
    case .onFailureResumeNext:
      let all = try inTurn(a, b, start) { $0.isEnd }
      guard let last = all.last, case .failed = last.event else { return all }
      return all.dropLast() + [Stamped(time: last.time, event: .completed)]
    case .then:
      return try inTurn(a, b, start, { $0 == .completed }) { _ in false }
    case .ifEmpty:
      let first = try a.events(at: start)
      guard first.count == 1, first[0].event == .completed else { return first }
      return try b.events(at: first[0].time)
    case .withLatest, .takeUntil, .skipUntil, .takeUntilReplacement, .bufferBoundary:
      // The other signal is subscribed to first.
      return try Combination(self, start).run(
        Combination.inOrder(b, isSource: false, a, isSource: true, start)
      )
    default:
      return try Combination(self, start).run(
        Combination.inOrder(a, isSource: true, b, isSource: false, start)
      )
    }
  }

  /// The events of `a`, followed by those of `b` after an end of `a` for which `isBridge` is true.
  private func inTurn(
    _ a: ModelTree,
    _ b: ModelTree,
    _ start: Int,
    _ isBridge: (ModelEvent) -> Bool,
    keeping isKept: (Stamped) -> Bool = { _ in true }
  ) throws -> [Stamped] {
    let first = try a.events(at: start)
    let kept = first.filter { $0.event.isEnd || isKept($0) }
    guard let end = first.last, isBridge(end.event) else { return kept }
    return kept.dropLast() + (try b.events(at: end.time))
  }
}

/// The state of an operator that subscribes to both of its inputs at the same time.
private struct Combination {
  struct Input {
    let isSource: Bool
    let time: Int
    let event: ModelEvent
  }

  private let kind: BinaryModel
  private let start: Int
  private var output = Output()
  private var left: [Int] = []
  private var right: [Int] = []
  private var leftIsOver = false
  private var rightIsOver = false
  /// What the operator has decided.
  ///
  /// For `amb`, whether the source won. For `skipUntil`, true once values are forwarded. For
  /// `takeUntilReplacement`, true once the replacement has sent an event.
  private var choice: Bool?

  init(_ kind: BinaryModel, _ start: Int) {
    self.kind = kind
    self.start = start
  }

  /// The events of both inputs; at the time of subscription, those of `first` come first.
  static func inOrder(
    _ first: ModelTree,
    isSource: Bool,
    _ second: ModelTree,
    isSource other: Bool,
    _ start: Int
  ) throws -> [Input] {
    let a = try first.events(at: start).map {
      Input(isSource: isSource, time: $0.time, event: $0.event)
    }
    let b = try second.events(at: start).map {
      Input(isSource: other, time: $0.time, event: $0.event)
    }
    let later = Set(a.map(\.time)).subtracting([start])
    if b.contains(where: { later.contains($0.time) }) { throw Ambiguous() }
    // The sort is stable: events of one signal at the same time keep their order.
    return (a + b).enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    .map(\.element)
  }

  func run(_ inputs: [Input]) -> [Stamped] {
    var copy = self
    for one in inputs where !copy.output.isOver { copy.receive(one) }
    return copy.output.events
  }

  private mutating func receive(_ one: Input) {
    switch kind {
    case .amb:
      if choice == nil { choice = one.isSource }
      if choice == one.isSource { output.send(one.event, at: one.time) }
    case .takeUntilReplacement: replace(one)
    default:
      switch one.event {
      case .next(let value): next(value, one)
      case .failed:
        if one.isSource || !ignoresFailureOfOther { output.send(one.event, at: one.time) }
      case .completed: completed(one)
      }
    }
  }

  private var ignoresFailureOfOther: Bool {
    [.takeUntil, .skipUntil, .bufferBoundary].contains(kind)
  }

  private mutating func replace(_ one: Input) {
    if !one.isSource {
      choice = true
      output.send(one.event, at: one.time)
    } else if choice == nil, one.event != .completed {
      output.send(one.event, at: one.time)
    }
  }

  private mutating func next(_ value: Int, _ one: Input) {
    let time = one.time
    switch kind {
    case .takeUntil where !one.isSource: output.complete(at: time)
    case .skipUntil:
      if !one.isSource { choice = true } else if choice == true { output.send(value, at: time) }
    case .withLatest:
      if one.isSource, let last = right.last { output.send(paired(value, last), at: time) }
    case .sample: if !one.isSource, let last = left.last { output.send(last, at: time) }
    case .bufferBoundary where !one.isSource:
      output.send(folded(left), at: time)
      left = []
    case .merge, .mergeObserver, .takeUntil: output.send(value, at: time)
    default: break
    }
    if one.isSource { left.append(value) } else if kind != .bufferBoundary { right.append(value) }
    switch kind {
    case .combineLatest:
      if let a = left.last, let b = right.last { output.send(paired(a, b), at: time) }
    case .zip: pair(time)
    case .sequenceEqual: compare(time)
    default: break
    }
  }

  private mutating func completed(_ one: Input) {
    let time = one.time
    if one.isSource { leftIsOver = true } else { rightIsOver = true }
    let both = leftIsOver && rightIsOver
    switch kind {
    case .merge, .combineLatest: if both { output.complete(at: time) }
    case .zip: pair(time)
    case .sequenceEqual: compare(time)
    case .sample, .mergeObserver: output.complete(at: time)
    case .takeUntil: output.complete(at: time)
    case .skipUntil: if one.isSource { output.complete(at: time) } else { choice = true }
    case .forkJoin:
      if one.isSource ? left.isEmpty : right.isEmpty { return output.complete(at: time) }
      guard both, let a = left.last, let b = right.last else { return }
      output.send(paired(a, b), at: time)
      output.complete(at: time)
    case .bufferBoundary:
      guard one.isSource else { return }
      if !left.isEmpty { output.send(folded(left), at: time) }
      output.complete(at: time)
    default: if one.isSource { output.complete(at: time) }
    }
  }

  private mutating func pair(_ time: Int) {
    while let a = left.first, let b = right.first {
      output.send(paired(a, b), at: time)
      left.removeFirst()
      right.removeFirst()
    }
    if leftIsOver && left.isEmpty || rightIsOver && right.isEmpty { output.complete(at: time) }
  }

  /// Sends 1 for equal and 0 for different, as soon as the answer is known.
  private mutating func compare(_ time: Int) {
    while let a = left.first, let b = right.first {
      if a != b { return decide(0, time) }
      left.removeFirst()
      right.removeFirst()
    }
    if leftIsOver && left.isEmpty && !right.isEmpty { return decide(0, time) }
    if rightIsOver && right.isEmpty && !left.isEmpty { return decide(0, time) }
    if leftIsOver && rightIsOver { decide(1, time) }
  }

  private mutating func decide(_ value: Int, _ time: Int) {
    output.send(value, at: time)
    output.complete(at: time)
  }
}
