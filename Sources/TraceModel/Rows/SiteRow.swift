public import TraceReading

/// A line of source code that applies an operator, with everything that was made there.
///
/// Counters are those of the instant shown; nil if the trace does not have them.
public struct SiteRow: Sendable, Identifiable {
  /// Row in the trace's site table: the same at every instant of one trace.
  public var id: UInt32 = 0
  /// The operator, such as `map` or `take(until:)`, as recorded.
  public var name = ""
  /// `Module/File.swift`, as recorded.
  public var file = ""
  /// The module of the file, as recorded; empty if it is unknown.
  public var module: String { file.module }
  /// Counted from 1.
  public var line: UInt32 = 0
  /// Counted from 1.
  public var column: UInt32 = 0
  /// The traits of the operator, which say what the operator does.
  public var traits: SiteTraits = []
  /// The level at which the line is recorded, if its file or module has a level of its own
  /// (`RXTRACE=graph:Noise.swift`); nil if the level of the recording applies.
  public var level: TraceLevel?
  /// `File.swift:88`.
  public var location = ""
  /// What is counted for it; the same at every instant.
  public var kind = SiteKind.subscriptions
  /// Subscriptions that have not ended.
  public var live: UInt64?
  /// Subscriptions that ever began.
  public var subscribed: UInt64?
  /// Subscriptions that have ended.
  public var ended: UInt64?
  /// The number of ended subscriptions by `EndReason`; empty if unknown.
  public var endedByReason: [UInt64] = []
  /// Signals that exist.
  public var signals: UInt64?
  /// Signals that were ever made.
  public var signalsCreated: UInt64?
  /// Events that ever passed its subscriptions.
  public var events: UInt64?
  /// Events per second in the last seconds; nil until two instants can be compared.
  public var rate: Double?
  /// The time since the latest event of a live subscription.
  public var lastEventAge: Duration?
  /// Age of its oldest live subscription.
  public var oldestAge: Duration?
  /// The lifetime that half of the ended subscriptions do not exceed: a power of two, or the length
  /// of the recording if that is less.
  public var medianLifetime: Duration?
  /// The lifetime that 99 of 100 ended subscriptions do not exceed, given in the same way.
  public var longLifetime: Duration?
  /// The number of ended subscriptions by the power of two of their lifetime in nanoseconds; nil
  /// except at the end of a trace, whose tables contain it.
  public var lifetimes: [UInt32]?
  /// Values held by its live subscriptions.
  public var held: UInt64?
  /// Events refused after disposal or termination.
  public var refused: UInt64?
  /// Disposables released while their subscription was live.
  public var disposablesReleased: UInt64?
  /// The number of timers ever armed.
  public var timersArmed: UInt64?
  /// Timers that have not ended.
  public var timersLive: UInt64?
  /// How often its timers have ever fired.
  public var timerFires: UInt64?
  /// The number of owners ever made, such as bags of disposables, to which a subscription was
  /// bound.
  public var ownersCreated: UInt64?
  /// Owners that have not ended.
  public var ownersLive: UInt64?
  /// The number of its live subscriptions that began since the latest mark; nil without a mark.
  public var newSinceMark: Int?
  /// Change of ``live`` since the latest mark; nil without one.
  public var growthSinceMark: Int?
  /// The scheduler its live subscriptions were made on, if it is the same for all.
  public var scheduler: String?
  /// The worst finding that accuses it.
  public var worst: FindingLevel?
  /// A name that the program gave to a signal made here; the first of several.
  public var givenName: String?
  /// A name that the user of rxtop gave to the line.
  public var tag: String?
  /// The live counts of each line at marks; nil for rows that were not made from a trace.
  package var history: LiveHistory?
  /// How it changed since the previous inspection.
  public var change = RowChange.none

  /// An empty row.
  public init() {}
}

extension String {
  /// The module in a file name of the form that compilers use, `Module/File.swift`.
  var module: String { firstIndex(of: "/").map { String(self[..<$0]) } ?? "" }
}
