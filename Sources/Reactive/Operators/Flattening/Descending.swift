/// How to start a signal as a level of a ``Descent``, which runs nested signals as a list of levels
/// rather than as nested subscriptions.
///
/// A signal can be a level if it runs one inner signal at a time, and is itself an inner signal of
/// an operator that merges or flattens signals.
@usableFromInline
final class Descending<Value: Sendable, Failure: Error>: Sendable {
  let policy: LevelPolicy
  /// Whether starting the signal runs code of the program, which has to run on a scheduler (event
  /// contract, rule 8).
  let isCold: Bool
  /// The signals that the level runs one after another; empty if a source sends them instead.
  let parts: [InnerSignal<Value, Failure>]
  let start: @Sendable (Descent<Value, Failure>, DescentLevel<Value, Failure>) -> Void

  private init(
    _ policy: LevelPolicy,
    _ start: @escaping @Sendable (Descent<Value, Failure>, DescentLevel<Value, Failure>) -> Void
  ) {
    self.policy = policy
    self.start = start
    isCold = false
    parts = []
  }

  /// A level that runs the given signals one after another.
  init(_ parts: InnerSignal<Value, Failure>..., isCold: Bool = false) {
    policy = .inTurn
    self.parts = parts
    self.isCold = isCold
    start = { $0.follow(parts, at: $1) }
  }

  /// Whether the level may start on this thread now, instead of as work of a scheduler.
  var mayStart: Bool { !isCold || CurrentScheduler.startsColdSources }

  /// A level whose inner signals `transform` makes from the values of a source.
  convenience init<Source: Sendable>(
    _ policy: LevelPolicy,
    of source: Signal<Source, Failure>,
    _ transform: @escaping @Sendable (Source) -> InnerSignal<Value, Failure>
  ) {
    self.init(policy) { descent, level in
      let part = descent.source(of: level) { $0 }
      guard part.isActive else { return }
      source.attach(
        Sink(part, descent.trace, descent.outlet) { value in
          descent.receive(at: level) { transform(value) }
        }
      )
    }
  }

  /// A level whose inner signals `transform` makes from the values of a source that cannot fail.
  convenience init<Source: Sendable>(
    _ policy: LevelPolicy,
    ofInfallible source: Signal<Source, Never>,
    _ transform: @escaping @Sendable (Source) -> InnerSignal<Value, Failure>
  ) {
    self.init(policy) { descent, level in
      let part = descent.source(of: level) { (end: End<Never>) in end.promoted() }
      guard part.isActive else { return }
      source.attach(
        Sink(part, descent.trace, descent.outlet) { value in
          descent.receive(at: level) { transform(value) }
        }
      )
    }
  }
}

extension Signal {
  /// How to start this signal as a level; nil if the signal cannot be a level.
  var descending: Descending<Value, Failure>? {
    switch node.argument {
    case .descending(let object), .following(let object):
      // An operator always stores an object with the same types as the signal that it returns.
      unsafeDowncast(object, to: Descending<Value, Failure>.self)
    default: nil
    }
  }

  /// What an operator that runs one inner signal at a time stores in the node of its signal, so
  /// that this signal can be a level.
  @usableFromInline @inline(never)
  func levels<Inner: Sendable>(
    _ policy: LevelPolicy,
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Failure>
  ) -> Argument {
    .descending(Descending<Inner, Failure>(policy, of: self) { .signal(transform($0)) })
  }

  /// What such an operator stores if its inner signals cannot fail.
  @usableFromInline @inline(never)
  func levels<Inner: Sendable>(
    _ policy: LevelPolicy,
    infallible transform: @escaping @Sendable (Value) -> Signal<Inner, Never>
  ) -> Argument {
    .descending(Descending<Inner, Failure>(policy, of: self) { .infallible(transform($0)) })
  }

  /// The signals of a chain such as `a.concat(b).concat(c)`, in order; nil if there are fewer than
  /// nine.
  ///
  /// The caller subscribes to these signals in a loop. Without the loop, the subscriptions to a
  /// long chain would be nested as deeply as the chain is long.
  var inTurn: [Signal]? {
    var signals: [Signal] = []
    var first = self
    while let pair = first.descending, pair.parts.count == 2,
      case .signal(let earlier) = pair.parts[0], case .signal(let later) = pair.parts[1]
    {
      signals.append(later)
      first = earlier
    }
    if signals.count < 8 { return nil }
    signals.append(first)
    return signals.reversed()
  }
}

extension Signal where Failure == Never {
  /// What an operator that runs one inner signal at a time stores in the node of its signal, if the
  /// source cannot fail, but the inner signals can.
  @usableFromInline @inline(never)
  func levels<Inner: Sendable, InnerFailure: Error>(
    _ policy: LevelPolicy,
    promoting transform: @escaping @Sendable (Value) -> Signal<Inner, InnerFailure>
  ) -> Argument {
    .descending(
      Descending<Inner, InnerFailure>(policy, ofInfallible: self) { .signal(transform($0)) }
    )
  }
}

extension Argument {
  @inlinable var isDescending: Bool {
    @inline(__always) get {
      switch self {
      case .descending, .following: true
      default: false
      }
    }
  }
}
