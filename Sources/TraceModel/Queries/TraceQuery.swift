/// A question about a trace whose answer needs more than an ``Inspection``: it reads the records.
///
/// Reading records takes time, so a screen asks only for what it shows.
public enum TraceQuery: Hashable, Sendable {
  /// The events in each lane, cell by cell.
  case marbles(MarbleQuery)
  /// How well schedulers kept up with their work in the time before an instant, and which events
  /// ran on a scheduler other than the one their subscription was made on.
  case queues(upTo: Duration)
  /// The records that led to an event, and those that it led to.
  case journey(of: UInt64)
  /// The live counts of each line of code at an earlier instant.
  case base(Position)
  /// Histograms of lengths of time, such as waits on queues.
  case histograms(Scope, upTo: Duration)
  /// The events of each lane, with their times.
  case moments(MarbleQuery)
  /// The events that passed from line to line between two moments.
  case flow(from: Duration, to: Duration)
  /// The account of an entity, line, queue or record as known at a moment: how it ended, its owner,
  /// its holdings, or its work.
  case account(Scope, upTo: Duration)

  /// Whether the answer stays the same while the program continues.
  package var isLasting: Bool {
    switch self {
    case .base: true
    default: false
    }
  }
}

/// The answer to a ``TraceQuery``.
public enum TraceAnswer: Sendable {
  case marbles(MarbleChart)
  case queues(QueueReport)
  case journey(Journey)
  case base(SiteBase)
  case histograms([Histogram])
  case moments([[LaneMoment]])
  case flow(FlowReport)
  case account(Account)
}
