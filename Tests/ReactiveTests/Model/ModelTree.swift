/// An operator with one input.
enum UnaryModel: Sendable {
  case map, filter, compactMap, scan, reduce, collect, count, minimum, maximum
  case distinctUntilChanged, ignoreValues, enumerated, combinePrevious, materialize, replaceFailure
  case take(Int), skip(Int), takeLast(Int), skipLast(Int), elementAt(Int)
  case takeWhile(Int), takeWhileInclusive(Int), skipWhile(Int), firstWhere(Int), lastWhere(Int)
  case buffer(Int), startWith(Int), endWith(Int), defaultIfEmpty(Int), failIfEmpty
  case repeating(Int), retry(Int), mapFailure
  case delay(Int), debounce(Int), throttle(Int, latest: Bool), audit(Int)
  case timeoutAfter(Int), timeoutEach(Int), takeFor(Int), skipFor(Int), delaySubscription(Int)
  case forwarded, throughSubject, throughReplay, share, shareReplay, deferred
}

/// An operator with two inputs.
enum BinaryModel: String, CaseIterable, Sendable {
  case merge, concat, zip, combineLatest, withLatest, amb, sample, takeUntil, skipUntil
  case takeUntilReplacement, catchTo, then, ifEmpty, forkJoin, bufferBoundary, sequenceEqual
  case onFailureResumeNext, mergeObserver, concatList
}

/// An operator that turns each value into a signal.
enum FlatteningModel: String, CaseIterable, Sendable {
  case flatMap, flatMapLatest, switchToLatest, concatMap, flatMapFirst, flatMapLimit
}

/// A tree of operators over sources, which the test subscribes to.
indirect enum ModelTree: Sendable {
  /// Sends the events at their times after each subscription; those at 0 are sent during it.
  case cold([Stamped])
  /// Sends the events at absolute times, with or without subscribers.
  case hot([Stamped])
  case unary(UnaryModel, ModelTree)
  case binary(BinaryModel, ModelTree, ModelTree)
  /// Each value selects one of the signals.
  case flattening(FlatteningModel, ModelTree, [ModelTree])

  var children: [ModelTree] {
    switch self {
    case .cold, .hot: []
    case .unary(_, let only): [only]
    case .binary(_, let a, let b): [a, b]
    case .flattening(_, let outer, let inner): [outer] + inner
    }
  }

  /// Whether a part of the tree subscribes to its source first, and adds the subscription to its
  /// observer afterwards.
  ///
  /// An event that the source sends while `subscribe` runs may then end the whole tree before the
  /// subscription is added, and while that subscription is still active.
  var ownsLate: Bool {
    if case .unary(.throughSubject, _) = self { return true }
    if case .unary(.throughReplay, _) = self { return true }
    return children.contains(where: \.ownsLate)
  }

  /// The same operator with other inputs.
  func with(_ children: [ModelTree]) -> ModelTree {
    switch self {
    case .cold, .hot: self
    case .unary(let one, _): .unary(one, children[0])
    case .binary(let one, _, _): .binary(one, children[0], children[1])
    case .flattening(let one, _, _): .flattening(one, children[0], Array(children.dropFirst()))
    }
  }

  /// Slightly reduced trees, beginning with the children.
  var smaller: [ModelTree] {
    var all = children
    switch self {
    case .cold(let events):
      for index in events.indices {
        var left = events
        left.remove(at: index)
        all.append(.cold(left))
      }
    case .hot(let events):
      for index in events.indices {
        var left = events
        left.remove(at: index)
        all.append(.hot(left))
      }
    default:
      for (index, child) in children.enumerated() {
        for less in child.smaller {
          var others = children
          others[index] = less
          all.append(with(others))
        }
      }
    }
    return all
  }
}

extension ModelTree: CustomStringConvertible {
  var description: String { text("") }

  private func text(_ indent: String) -> String {
    let deeper = indent + "  "
    switch self {
    case .cold(let events): return "\(indent)cold(\(events))"
    case .hot(let events): return "\(indent)hot(\(events))"
    case .unary(let one, let only): return "\(only.text(indent))\n\(deeper).\(one)"
    case .binary(let one, let a, let b):
      return "\(indent)\(one.rawValue)(\n\(a.text(deeper)),\n\(b.text(deeper))\n\(indent))"
    case .flattening(let one, let outer, let inner):
      let list = inner.map { $0.text(deeper + "  ") }.joined(separator: ",\n")
      return "\(outer.text(indent))\n\(deeper).\(one.rawValue) { [\n\(list)\n\(deeper)][$0] }"
    }
  }
}
