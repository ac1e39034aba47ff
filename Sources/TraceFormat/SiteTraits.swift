/// What an operator does, as far as a reader of a trace needs it to explain what happens at the
/// operator's sites, which are the lines of code that use it.
///
/// Stored in the site table. It consists of flags, and of two fields of several bits, which
/// ``fate`` and ``inputs`` read. Bits from 8 on are recorded since version 1.4.
public struct SiteTraits: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32
  /// Creates traits from the bits in a trace.
  @inlinable @inline(__always)
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Made by the user's own call to `subscribe`, not by an operator.
  public static let root = SiteTraits(rawValue: 1 << 0)
  /// Sends whether or not it has subscribers (a subject).
  public static let hot = SiteTraits(rawValue: 1 << 1)
  /// Never ends by itself (a subject, an interval, `never`).
  public static let endless = SiteTraits(rawValue: 1 << 2)
  /// Ends its upstream by itself at some time (`take`, `take(until:)`, `timeout`).
  public static let bounding = SiteTraits(rawValue: 1 << 3)
  /// A timer made by `Scheduler.schedule(every:)` or by an operator.
  public static let timer = SiteTraits(rawValue: 1 << 4)
  /// Subscribes to signals it receives or is given (`flatMap`, `merge`, `concat`).
  public static let merging = SiteTraits(rawValue: 1 << 5)
  /// May or may not end, depending on the program (`create`).
  public static let source = SiteTraits(rawValue: 1 << 6)
  /// A root without a failure handler, though its signal can fail.
  ///
  /// Earlier recorders do not set this trait.
  public static let unhandled = SiteTraits(rawValue: 1 << 7)

  /// Keeps every value as long as it lives, and reports how many as its depth (`collect`).
  @inlinable public static var retains: SiteTraits { SiteTraits(rawValue: 1 << 12) }
  /// Keeps values for later subscribers, and reports how many as its depth (`ReplaySubject`).
  @inlinable public static var replays: SiteTraits { SiteTraits(rawValue: 1 << 13) }
  /// Receives its values from one subscription that all its subscribers share.
  @inlinable public static var shares: SiteTraits { SiteTraits(rawValue: 1 << 14) }
  /// The shared subscription ends with the last subscriber (`share`).
  @inlinable public static var refCounted: SiteTraits { SiteTraits(rawValue: 1 << 15) }
  /// Queues every event for a scheduler, and reports the number of waiting events as its depth
  /// (`deliver(on:)`).
  @inlinable public static var switchesQueue: SiteTraits { SiteTraits(rawValue: 1 << 16) }
  /// Makes inner signals wait for their turn, and reports the number of waiting ones as its depth
  /// (`concatMap`).
  @inlinable public static var queuesInner: SiteTraits { SiteTraits(rawValue: 1 << 17) }
  /// Sends nothing before each of its inputs has sent (`combineLatest`).
  @inlinable public static var waitsForAll: SiteTraits { SiteTraits(rawValue: 1 << 18) }
  /// Subscribes to its source again when that has failed (`retry`).
  @inlinable public static var retries: SiteTraits { SiteTraits(rawValue: 1 << 19) }
  /// The program sends into it, and decides when it ends (`Subject`).
  @inlinable public static var subject: SiteTraits { SiteTraits(rawValue: 1 << 20) }
  /// A root whose handler belongs on the main queue (`subscribeOnMainActor`).
  @inlinable public static var onMainQueue: SiteTraits { SiteTraits(rawValue: 1 << 21) }
  /// A timer that the program armed itself, rather than an operator (`schedule(every:)`).
  @inlinable public static var ofProgram: SiteTraits { SiteTraits(rawValue: 1 << 22) }
  /// Is the execution of an action or command; an execution that is refused fails at once
  /// (`execute`).
  @inlinable public static var executes: SiteTraits { SiteTraits(rawValue: 1 << 23) }
  /// A root with a handler for completion.
  ///
  /// Earlier recorders do not set this trait.
  @inlinable public static var handlesEnd: SiteTraits { SiteTraits(rawValue: 1 << 26) }
  /// Sends nothing before its source has completed (`reduce`).
  ///
  /// Earlier recorders do not set this trait.
  @inlinable public static var sendsAtEnd: SiteTraits { SiteTraits(rawValue: 1 << 27) }
  /// Subscribes to its source on a scheduler, and forwards values on whatever thread they arrive
  /// (`subscribe(on:)`).
  ///
  /// Earlier recorders do not set this trait.
  @inlinable public static var beginsElsewhere: SiteTraits { SiteTraits(rawValue: 1 << 28) }
  /// Drops its first values, however late they come (`skip`).
  ///
  /// Earlier recorders do not set this trait.
  @inlinable public static var dropsFirst: SiteTraits { SiteTraits(rawValue: 1 << 29) }
  /// Makes signals from values that carry no information (`flatMap` of `Void`).
  ///
  /// Earlier recorders do not set this trait.
  @inlinable public static var ofNothing: SiteTraits { SiteTraits(rawValue: 1 << 30) }
}

// MARK: The fate of a value

/// What an operator does with a value that it receives.
public enum ValueFate: UInt32, CaseIterable, Sendable {
  /// Not stated, or something else.
  case unknown = 0
  /// Forwards it at once, perhaps transformed.
  case passes = 1
  /// Forwards it or drops it.
  case drops = 2
  /// Combines several values into one.
  case folds = 3
  /// Forwards it later, in the order of arrival.
  case queues = 4
  /// Keeps it until it is due, or until a newer one replaces it.
  case keepsLatest = 5
  /// Keeps it until each of the other inputs has sent a value to combine it with.
  case pairs = 6
  /// Subscribes to a signal that is made from it.
  case flattens = 7
}

extension SiteTraits {
  /// What the operator does with a value.
  ///
  /// It is declared by one of the traits from ``passes`` to ``flattens``. An unknown number is read
  /// as ``ValueFate/unknown``.
  public var fate: ValueFate { ValueFate(rawValue: rawValue >> 8 & 0xF) ?? .unknown }

  @inlinable @inline(__always)
  init(_ fate: ValueFate) { self.init(rawValue: fate.rawValue << 8) }

  /// ``ValueFate/passes``.
  @inlinable public static var passes: SiteTraits { SiteTraits(.passes) }
  /// ``ValueFate/drops``.
  @inlinable public static var drops: SiteTraits { SiteTraits(.drops) }
  /// ``ValueFate/folds``.
  @inlinable public static var folds: SiteTraits { SiteTraits(.folds) }
  /// ``ValueFate/queues``.
  @inlinable public static var queues: SiteTraits { SiteTraits(.queues) }
  /// ``ValueFate/keepsLatest``.
  @inlinable public static var keepsLatest: SiteTraits { SiteTraits(.keepsLatest) }
  /// ``ValueFate/pairs``.
  @inlinable public static var pairs: SiteTraits { SiteTraits(.pairs) }
  /// ``ValueFate/flattens``.
  @inlinable public static var flattens: SiteTraits { SiteTraits(.flattens) }
}

// MARK: Inputs

/// The role of the signals that an operator was applied to, in the order in which its signal lists
/// them.
///
/// Any other signal that the operator subscribes to is an inner one.
public enum InputOrder: UInt32, CaseIterable, Sendable {
  /// The first is its source; the operator subscribes to the others later, as to inner ones.
  case source = 0
  /// All have the same role.
  case partners = 1
  /// The first is its source; events of the others trigger an action.
  case triggers = 2
  /// The first is its source; values of the others are read when the source sends one.
  case sampled = 3
}

extension SiteTraits {
  /// The roles of the operator's inputs.
  public var inputs: InputOrder { InputOrder(rawValue: rawValue >> 24 & 0x3) ?? .source }

  @inlinable @inline(__always)
  init(_ inputs: InputOrder) { self.init(rawValue: inputs.rawValue << 24) }

  /// ``InputOrder/partners``.
  @inlinable public static var partners: SiteTraits { SiteTraits(.partners) }
  /// ``InputOrder/triggers``.
  @inlinable public static var triggers: SiteTraits { SiteTraits(.triggers) }
  /// ``InputOrder/sampled``.
  @inlinable public static var sampled: SiteTraits { SiteTraits(.sampled) }
}

extension SiteTraits {
  /// The traits that sites may have in traces before version 1.4.
  package static var early: SiteTraits { SiteTraits(rawValue: 0xFF) }

  /// The names of all traits that a site can be declared with.
  package static var names: [(String, SiteTraits)] {
    [
      ("root", .root), ("hot", .hot), ("endless", .endless), ("bounding", .bounding),
      ("timer", .timer), ("merging", .merging), ("source", .source), ("unhandled", .unhandled),
      ("passes", .passes), ("drops", .drops), ("folds", .folds), ("queues", .queues),
      ("keepsLatest", .keepsLatest), ("pairs", .pairs), ("flattens", .flattens),
      ("retains", .retains), ("replays", .replays), ("shares", .shares),
      ("refCounted", .refCounted), ("switchesQueue", .switchesQueue),
      ("queuesInner", .queuesInner), ("waitsForAll", .waitsForAll), ("retries", .retries),
      ("subject", .subject), ("onMainQueue", .onMainQueue), ("ofProgram", .ofProgram),
      ("executes", .executes), ("handlesEnd", .handlesEnd),
      ("sendsAtEnd", .sendsAtEnd), ("beginsElsewhere", .beginsElsewhere),
      ("dropsFirst", .dropsFirst), ("ofNothing", .ofNothing),
      ("partners", .partners), ("triggers", .triggers), ("sampled", .sampled),
    ]
  }
}
