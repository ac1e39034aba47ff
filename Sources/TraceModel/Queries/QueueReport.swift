public import TraceReading

/// How well schedulers kept up with their work in a stretch of time.
public struct QueueReport: Sendable {
  /// A row for each scheduler of the trace.
  public var queues: [QueueRow] = []
  /// Lines of code whose events ran on a scheduler other than the one they were subscribed on.
  public var crossings: [QueueCrossing] = []
  /// The number of events for which the records show both where they ran and on which scheduler
  /// their subscription was made.
  public var knownCount = 0
  /// The number of events for which the records do not show both.
  public var unknownCount = 0
  /// The stretch of time that was examined.
  public var span = Duration.zero
  /// Whether the figures are those of a shorter stretch than requested, because earlier records
  /// are no longer in the trace, or because hops were recorded only in parts of it.
  public var isPartial = false
  /// Whether no record of the stretch is missing; otherwise, figures are unknown.
  public var isKnown = true
  /// Whether hops were not recorded at any time of the stretch, as at level `graph`; then figures
  /// are unknown, too.
  package var isWithoutHops = false

  /// An empty report.
  public init() {}

  /// The longest stretch that is examined.
  public static let longest = Duration.seconds(10)
  /// The maximum number of records of the stretch that are read: if there are more, the stretch is
  /// shorter.
  ///
  /// As many before it are read for work that waits or runs when it begins.
  public static let recordLimit = 1 << 18
}

/// One scheduler in a ``QueueReport``.
public struct QueueRow: Sendable, Identifiable {
  /// Row in the table of schedulers.
  public var id: UInt32 = 0
  /// As the program named it, not yet escaped for the terminal.
  public var name = ""
  /// How it runs its work.
  public var kind = SchedulerKind.other
  /// The amount of pending work at the end of the stretch, without the work of timers; nil if it is
  /// unknown.
  public var waiting: UInt64?
  /// Whether ``waiting`` is a lower bound: work that was accepted long before the stretch is not
  /// counted.
  public var isWaitingLeast = false
  /// The greatest amount of work that was pending at once in the stretch.
  public var mostWaiting: Int?
  /// The amount of work that began in the stretch.
  public var begun: Int?
  /// The share of the stretch during which its work ran, including work that is still running.
  ///
  /// It is above 1 if several pieces of work ran at once.
  public var occupancy: Double?
  /// How long work waited from acceptance to beginning, without the work of timers; nil if unknown.
  public var waits: Percentiles? = Percentiles()
  /// How long work ran from beginning to end, or, if it is still running, to the end of the
  /// stretch; nil if unknown.
  public var runs: Percentiles? = Percentiles()
  /// The number of threads on which its work ran.
  public var threads: Int?
  /// The line of code in whose deliveries most of the time of its work passed, such as
  /// `map@Feed.swift:81`, and its share of that time; nil if the largest part of the time passed
  /// before the first delivery.
  package var longestLine: (name: String, share: Double)?

  /// An empty row.
  public init() {}

  /// The row, with ``waiting`` replaced by the number in an inspection, if it is known there.
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

/// Events that ran on a scheduler other than the one their subscription was made on.
public struct QueueCrossing: Sendable, Identifiable {
  /// The row of the site.
  public var site: UInt32
  /// `map@Feed.swift:81`, as recorded.
  public var name: String
  /// The row of the scheduler on which the subscriptions with most of these events were made.
  public var home: UInt32
  /// The row of the scheduler on which the events ran; 0 for a queue that belongs to no scheduler.
  public var other: UInt32
  /// The number of events on that scheduler.
  public var events: Int
  /// The number of all events of the line.
  public var total: Int

  /// What identifies the row.
  public var id: UInt64 { UInt64(site) << 32 | UInt64(other) }
}

/// The percentiles of a set of lengths of time.
public struct Percentiles: Sendable, Equatable {
  /// The number of lengths.
  public private(set) var count = 0
  /// The length that half of them do not exceed; nil if there were none.
  public private(set) var median: Duration?
  /// The length that 99 of 100 do not exceed.
  public private(set) var p99: Duration?
  /// The longest length.
  public private(set) var longest: Duration?

  /// Percentiles of no lengths.
  public init() {}

  /// Percentiles of lengths in any order.
  ///
  /// - Complexity: O(n log n).
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
