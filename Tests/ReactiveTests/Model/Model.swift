/// The model with which the library is compared: computes the events that a subscription to a tree
/// of operators receives if the subscription is made at a given time.
///
/// The events are computed with lists, independently of the library. If two inputs have events at
/// the time of subscription, the one subscribed to first sends first; other ties are ``Ambiguous``.
extension ModelTree {
  func events(at start: Int) throws -> [Stamped] {
    switch self {
    case .cold(let events):
      return events.map { Stamped(time: $0.time + start, event: $0.event) }
    case .hot(let events):
      if events.contains(where: { $0.time == start }) { throw Ambiguous() }
      // A subject that has ended sends its end to later subscribers.
      if let last = events.last, last.event.isEnd, last.time < start {
        return [Stamped(time: start, event: last.event)]
      }
      return events.filter { $0.time > start }
    case .unary(let one, let only): return try one.events(of: only, at: start)
    case .binary(let one, let a, let b): return try one.events(of: a, b, at: start)
    case .flattening(let one, let outer, let inner):
      return try one.events(of: outer, inner, at: start)
    }
  }
}

extension UnaryModel {
  func events(of source: ModelTree, at start: Int) throws -> [Stamped] {
    switch self {
    case .repeating(let count): return try repeated(source, start, count) { $0 == .completed }
    case .retry(let tries):
      return try repeated(source, start, tries + 1) { if case .failed = $0 { true } else { false } }
    case .take(0): return [Stamped(time: start, event: .completed)]
    case .delaySubscription(let span): return try source.events(at: start + span)
    case .startWith(let value):
      return [Stamped(time: start, event: .next(value))] + (try source.events(at: start))
    case .delay, .debounce, .throttle, .audit, .timeoutAfter, .timeoutEach, .takeFor, .skipFor:
      return try timed(source.events(at: start), start)
    default: return linear(try source.events(at: start))
    }
  }

  /// Subscribes again after each end for which `isAgain` is true, up to `count` times in total.
  private func repeated(
    _ source: ModelTree,
    _ start: Int,
    _ count: Int,
    _ isAgain: (ModelEvent) -> Bool
  ) throws -> [Stamped] {
    var all: [Stamped] = []
    var time = start
    if count == 0 { return [Stamped(time: start, event: .completed)] }
    for round in 1...count {
      let part = try source.events(at: time)
      guard round < count, let end = part.last, isAgain(end.event) else { return all + part }
      all += part.dropLast()
      time = end.time
    }
    return all
  }

  /// Operators that react to each event immediately, without timers.
  private func linear(_ events: [Stamped]) -> [Stamped] {
    var output = Output()
    var values: [Int] = []
    for one in events where !output.isOver {
      switch one.event {
      case .next(let value):
        next(value, after: values, one.time, &output)
        values.append(value)
      case .completed: completed(values, one.time, &output)
      case .failed(let failure): failed(failure, one.time, &output)
      }
    }
    return output.events
  }

  /// `former` contains the values that the source has sent before.
  private func next(_ value: Int, after former: [Int], _ time: Int, _ output: inout Output) {
    let number = former.count
    switch self {
    case .map: output.send(paired(value, 1), at: time)
    case .filter: if value % 2 == 0 { output.send(value, at: time) }
    case .compactMap: if value % 3 != 0 { output.send(value + 1, at: time) }
    case .scan: output.send((former + [value]).reduce(1, paired), at: time)
    case .distinctUntilChanged: if former.last != value { output.send(value, at: time) }
    case .enumerated: output.send(paired(number, value), at: time)
    case .combinePrevious: if let last = former.last { output.send(paired(last, value), at: time) }
    case .skip(let count): if number >= count { output.send(value, at: time) }
    case .skipLast(let count):
      if number >= count { output.send((former + [value])[number - count], at: time) }
    case .skipWhile(let limit):
      if !(former + [value]).allSatisfy({ $0 < limit }) { output.send(value, at: time) }
    case .take(let count):
      output.send(value, at: time)
      if number + 1 == count { output.complete(at: time) }
    case .elementAt(let index):
      if number == index { finish(value, time, &output) }
    case .firstWhere(let limit): if value > limit { finish(value, time, &output) }
    case .takeWhile(let limit):
      if value < limit { output.send(value, at: time) } else { output.complete(at: time) }
    case .takeWhileInclusive(let limit):
      output.send(value, at: time)
      if value >= limit { output.complete(at: time) }
    case .buffer(let count):
      if (number + 1) % count == 0 {
        output.send(folded((former + [value]).suffix(count)), at: time)
      }
    case .reduce, .collect, .count, .minimum, .maximum, .ignoreValues, .takeLast, .lastWhere: break
    default: output.send(value, at: time)
    }
  }

  private func finish(_ value: Int, _ time: Int, _ output: inout Output) {
    output.send(value, at: time)
    output.complete(at: time)
  }

  private func completed(_ values: [Int], _ time: Int, _ output: inout Output) {
    switch self {
    case .reduce: output.send(values.reduce(1, paired), at: time)
    case .collect: output.send(folded(values), at: time)
    case .count: output.send(values.count, at: time)
    case .minimum: values.min().map { output.send($0, at: time) }
    case .maximum: values.max().map { output.send($0, at: time) }
    case .takeLast(let count): for value in values.suffix(count) { output.send(value, at: time) }
    case .lastWhere(let limit):
      values.last { $0 > limit }.map { output.send($0, at: time) }
    case .buffer(let count):
      let left = values.suffix(values.count % count)
      if !left.isEmpty { output.send(folded(Array(left)), at: time) }
    case .endWith(let value): output.send(value, at: time)
    case .defaultIfEmpty(let value): if values.isEmpty { output.send(value, at: time) }
    case .failIfEmpty: if values.isEmpty { output.send(.failed(.green), at: time) }
    default: break
    }
    output.complete(at: time)
  }

  private func failed(_ failure: ModelFailure, _ time: Int, _ output: inout Output) {
    switch self {
    case .replaceFailure: finish(7, time, &output)
    case .mapFailure: output.send(.failed(failure == .red ? .green : .red), at: time)
    default: output.send(.failed(failure), at: time)
    }
  }
}
