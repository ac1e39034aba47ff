/// A request for a marble diagram: its lanes, a stretch of time, and the number of cells into which
/// this stretch is divided.
public struct MarbleQuery: Hashable, Sendable {
  /// The lanes, each of which is a line of the diagram.
  public var lanes: [MarbleLane]
  /// The time from the beginning of the recording to the beginning of the first cell.
  public var from: Duration
  /// The time from the beginning of the first cell to the end of the last.
  public var span: Duration
  /// The number of cells.
  public var columns: Int

  /// Creates a query.
  ///
  /// It has at least one cell, and each cell is at least one nanosecond long.
  public init(lanes: [MarbleLane], from: Duration, span: Duration, columns: Int) {
    self.lanes = lanes
    self.from = from
    self.span = max(span, .nanoseconds(columns))
    self.columns = max(1, columns)
  }

  /// How long a cell is.
  public var cell: Duration { span / columns }

  /// The time at which a cell begins.
  public func start(of cell: Int) -> Duration { from + span * cell / columns }
}

/// A line of a marble diagram.
public enum MarbleLane: Hashable, Sendable {
  /// All subscriptions of a line of code. The lane shows how many values passed, but not which
  /// ones.
  case site(UInt32)
  case subscription(EntityKey)
  case timer(EntityKey)

  /// The entity of the lane; nil for a line of code.
  var key: EntityKey? {
    switch self {
    case .site: nil
    case .subscription(let key), .timer(let key): key
    }
  }
}

/// The answer to a ``MarbleQuery``: the events in each lane, cell by cell.
public struct MarbleChart: Sendable {
  /// The query that it answers.
  public var query: MarbleQuery
  /// The lanes, in the requested order.
  public var tracks: [MarbleTrack]

  /// An answer to a query.
  public init(query: MarbleQuery, tracks: [MarbleTrack]) {
    self.query = query
    self.tracks = tracks
  }
}

/// One lane, cell by cell.
public struct MarbleTrack: Sendable {
  /// The lane.
  public var lane: MarbleLane
  /// The cells, as many as were requested.
  public var cells: [MarbleCell]
}

/// A stretch of time of one lane.
public struct MarbleCell: Sendable, Equatable {
  /// The number of values, or how often a timer fired.
  public var values = 0
  /// The other events of the cell.
  public var marks: MarbleMarks = []
  /// The state of the lane between its events.
  public var life = MarbleLife.absent
  /// Whether records of the cell's time are missing, or its level left out single events, so that
  /// more may have happened in it.
  public var isPartial = false
  /// The last record of the cell, which the Enter key opens.
  public var event: UInt64?

  /// An empty cell.
  public init() {}
}

/// The events other than values that a cell shows.
public struct MarbleMarks: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt8
  /// Creates marks from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A subscription or timer began.
  public static let subscribed = Self(rawValue: 1)
  /// The subscription or timer ended without an event, because it was disposed of, or because
  /// nothing was left that could send.
  public static let disposed = Self(rawValue: 2)
  /// Completion passed.
  public static let completed = Self(rawValue: 4)
  /// A failure passed.
  public static let failed = Self(rawValue: 8)
  /// An event came after the end and was refused.
  public static let refused = Self(rawValue: 16)
  /// Work for the lane was pending on a queue.
  public static let waiting = Self(rawValue: 32)
  /// Records were lost.
  public static let lost = Self(rawValue: 64)
}

/// The state of a lane between its events.
public enum MarbleLife: Int, Sendable, Comparable {
  /// Nothing in the lane existed, or the time lies in the future.
  case absent
  /// The recording does not say.
  case unknown
  /// Alive, without work.
  case idle
  /// Alive and holding values, or delivering.
  case busy

  /// The greater of two states hides the other in a cell.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
