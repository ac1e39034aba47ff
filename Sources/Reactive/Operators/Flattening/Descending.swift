/// How a signal with one inner signal at a time starts as a level of a ``Descent``, if it is itself
/// the inner signal of another such signal.
@usableFromInline
final class Descending<Value: Sendable, Failure: Error>: Sendable {
  let policy: LevelPolicy
  /// Whether it runs code of the program, and therefore starts on a scheduler (contract rule 8).
  let isCold: Bool
  /// Its signals, if it has no source.
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

  /// One signal after another.
  init(_ parts: InnerSignal<Value, Failure>..., isCold: Bool = false) {
    policy = .inTurn
    self.parts = parts
    self.isCold = isCold
    start = { $0.follow(parts, at: $1) }
  }

  /// Whether it can start as a level now.
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

  /// Does the same for a source that cannot fail.
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
  /// How this signal starts as a level, if it can.
  var descending: Descending<Value, Failure>? {
    switch node.argument {
    case .descending(let object), .following(let object):
      // The object belongs to a signal of the same types, as only such signals get here.
      unsafeDowncast(object, to: Descending<Value, Failure>.self)
    default: nil
    }
  }

  /// For operators that run one inner signal at a time.
  @usableFromInline @inline(never)
  func levels<Inner: Sendable>(
    _ policy: LevelPolicy,
    _ transform: @escaping @Sendable (Value) -> Signal<Inner, Failure>
  ) -> Argument {
    .descending(Descending<Inner, Failure>(policy, of: self) { .signal(transform($0)) })
  }

  /// Does the same for inner signals that cannot fail.
  @usableFromInline @inline(never)
  func levels<Inner: Sendable>(
    _ policy: LevelPolicy,
    infallible transform: @escaping @Sendable (Value) -> Signal<Inner, Never>
  ) -> Argument {
    .descending(Descending<Inner, Failure>(policy, of: self) { .infallible(transform($0)) })
  }

  /// The signals of a chain of `concat`, each applied to the one before; nil if the chain is short.
  ///
  /// Otherwise each of them would be subscribed to from inside the next.
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
  /// Does the same for a source that cannot fail, with inner signals that may.
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
