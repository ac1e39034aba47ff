public import TraceReading

/// A line of source code that applies an operator, with everything that came of it.
///
/// Counters are those of the instant shown; nil where the trace cannot tell.
public struct SiteRow: Sendable, Identifiable {
  /// Row in the trace's site table: the same at every instant of one trace.
  public var id: UInt32 = 0
  /// The operator, as `map` or `take(until:)`, unfiltered.
  public var name = ""
  /// `Module/File.swift`, unfiltered.
  public var file = ""
  /// The module that the file is of, unfiltered; empty where that is not known.
  public var module: String { file.module }
  /// From 1.
  public var line: UInt32 = 0
  /// From 1.
  public var column: UInt32 = 0
  /// What is known of the operator without running it.
  public var traits: SiteTraits = []
  /// How much is recorded here, where the place has a level of its own (`RXTRACE=graph:Noise.swift`); nil for that of the whole.
  public var level: TraceLevel?
  /// `File.swift:88`.
  public var location = ""
  /// What it is counted by; the same at every instant.
  public var kind = SiteKind.subscriptions
  /// Subscriptions that have not ended.
  public var live: UInt64?
  /// Subscriptions ever.
  public var subscribed: UInt64?
  /// Subscriptions that have ended.
  public var ended: UInt64?
  /// The same by `EndReason`; empty where unknown.
  public var endedByReason: [UInt64] = []
  /// Signals that exist.
  public var signals: UInt64?
  /// Signals ever.
  public var signalsCreated: UInt64?
  /// Events of all its subscriptions ever.
  public var events: UInt64?
  /// Events per second lately; nil until two instants can be compared.
  public var rate: Double?
  /// Since the latest event of a live subscription.
  public var lastEventAge: Duration?
  /// Age of its oldest live subscription.
  public var oldestAge: Duration?
  /// The lifetime that half of the ended subscriptions do not exceed: a power of two, or the length of the recording
  /// where that is less.
  public var medianLifetime: Duration?
  /// The same for 99 of 100.
  public var longLifetime: Duration?
  /// How many ended subscriptions lived for which power of two of nanoseconds; nil but at the end of a trace,
  /// where its tables tell.
  public var lifetimes: [UInt32]?
  /// Values held by its live subscriptions.
  public var held: UInt64?
  /// Events refused after disposal or termination.
  public var refused: UInt64?
  /// Disposables dropped while their subscription lived.
  public var disposablesReleased: UInt64?
  /// Timers armed ever.
  public var timersArmed: UInt64?
  /// Timers that have not ended.
  public var timersLive: UInt64?
  /// Fires of all its timers ever.
  public var timerFires: UInt64?
  /// Owners ever, as bags of disposables: those that got a subscription.
  public var ownersCreated: UInt64?
  /// Owners that have not ended.
  public var ownersLive: UInt64?
  /// Subscriptions of it since the latest mark, gone ones too; nil without a mark.
  public var newSinceMark: Int?
  /// Change of ``live`` since the latest mark; nil without one.
  public var growthSinceMark: Int?
  /// The scheduler its live subscriptions were made on, if all on the same.
  public var scheduler: String?
  /// The worst finding that accuses it.
  public var worst: FindingLevel?
  /// A name that the program gave to a signal made here; the first of several.
  public var givenName: String?
  /// A name that the user of rxtop gave to the line.
  public var tag: String?
  /// How many of each line lived at marks; nil for rows put in by hand.
  package var history: LiveHistory?
  /// Whether it was there in the inspection before.
  public var change = RowChange.none

  /// An empty row.
  public init() {}
}

extension String {
  /// Of a file as compilers name it, `Module/File.swift`, the module.
  var module: String { firstIndex(of: "/").map { String(self[..<$0]) } ?? "" }
}
