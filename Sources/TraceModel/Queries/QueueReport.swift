public import TraceReading

/// How schedulers kept up in a stretch of time.
public struct QueueReport: Sendable {
  /// One for each scheduler of the trace.
  public var queues: [QueueRow] = []
  /// Lines of code whose events ran on another scheduler than they were subscribed on.
  public var crossings: [QueueCrossing] = []
  /// Events of the stretch of which it is known where they ran, and on which scheduler their subscription was made.
  public var knownCount = 0
  /// Those of which it is not.
  public var unknownCount = 0
  /// The stretch looked at.
  public var span = Duration.zero
  /// Whether the stretch is shorter than asked for, because what was before is not in the trace any more.
  public var isPartial = false
  /// Whether every record of the stretch is there; if not, figures are unknown.
  public var isKnown = true

  /// An empty report.
  public init() {}

  /// The longest stretch that is looked at.
  public static let longest = Duration.seconds(10)
  /// The most records that are looked at: where there are more, the stretch is shorter.
  public static let recordLimit = 1 << 18
}

/// One scheduler in a ``QueueReport``.
public struct QueueRow: Sendable, Identifiable {
  /// Row in the table of schedulers.
  public var id: UInt32 = 0
  /// As the program named it, unfiltered.
  public var name = ""
  /// How it runs its work.
  public var kind = SchedulerKind.other
  /// Work that waits at the instant, that of timers left out; nil where that is unknown.
  public var waiting: UInt64?
  /// Whether ``waiting`` counts only what was accepted in the stretch: there may be older work.
  public var isWaitingLeast = false
  /// The most that waited at once in the stretch.
  public var mostWaiting: Int?
  /// Work that began in the stretch.
  public var begun: Int?
  /// Of the stretch, the part in which its work ran, what runs still included: above 1 where several run at once.
  public var occupancy: Double?
  /// From acceptance to beginning, in order, shortest first; work of timers is left out; nil where unknown.
  public var waits: Percentiles? = Percentiles()
  /// From beginning to end, or to the instant for what runs still; nil where unknown.
  public var runs: Percentiles? = Percentiles()
  /// Threads its work ran on.
  public var threads: Int?

  /// An empty row.
  public init() {}

  /// With what the tables count, which is all that waits, where that tells it.
  package func counted(_ inspection: Inspection) -> QueueRow {
    guard let waiting = inspection.schedulers.first(where: { $0.id == id })?.waiting else {
      return self
    }
    var row = self
    row.waiting = waiting
    row.isWaitingLeast = false
    return row
  }
}

/// Events that ran on another scheduler than their subscription was made on.
public struct QueueCrossing: Sendable, Identifiable {
  /// Row of the site.
  public var site: UInt32
  /// `map@Feed.swift:81`, unfiltered.
  public var name: String
  /// The scheduler it was subscribed on.
  public var home: UInt32
  /// The one its events ran on; 0 for a queue of no scheduler.
  public var other: UInt32
  /// Events there.
  public var events: Int
  /// Events of the line altogether.
  public var total: Int

  /// What names the row.
  public var id: UInt64 { UInt64(site) << 32 | UInt64(other) }
}

/// What part of some lengths of time is not longer than what.
public struct Percentiles: Sendable, Equatable {
  /// How many there were.
  public private(set) var count = 0
  /// What half of them do not exceed; nil if there were none.
  public private(set) var median: Duration?
  /// What 99 of 100 do not exceed.
  public private(set) var p99: Duration?
  /// The longest.
  public private(set) var longest: Duration?

  /// Of no lengths.
  public init() {}

  /// Of lengths in any order.
  ///
  /// O(n log n).
  public init(_ lengths: [Duration]) {
    guard !lengths.isEmpty else { return }
    let sorted = lengths.sorted()
    func at(_ part: Double) -> Duration {
      sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * part).rounded(.up)) - 1))]
    }
    count = sorted.count
    median = at(0.5)
    p99 = at(0.99)
    longest = sorted.last
  }
}
