/// The records and figures that a finding rests on: without them, there is no finding.
public struct Evidence: Sendable, Equatable {
  /// Numbers of records, in order; at most ``eventLimit`` of them.
  public var events: [UInt64] = []
  /// The number of the last record, which may not be listed.
  public var lastEvent: UInt64?
  /// The number of all records, including those that are not listed.
  public var eventCount = 0
  /// When the records were written and what they say, in order; empty if that is unknown.
  ///
  /// At most ``momentLimit`` are kept: if there are more, those close together are merged.
  public var moments: [Moment] = []
  /// Counters of the site table, of marks or of the slab (the table of live entities), such as
  /// `live 812` or `live at marks 4, 8, 12`.
  public var counters: [String] = []

  /// The rows of the trace's tables that hold the counters, in the form in which lines of `rxtop
  /// dump` begin: `site 4`, `slot 17`, `count 3 4`; at most ``rowLimit`` of them.
  public var rows: [String] = []
  /// The number of all rows, including those that are not listed.
  public var rowCount = 0

  /// Numbers of all records, kept until their times have been looked up.
  package var unread: [UInt64] = []

  /// The maximum number of records that are listed.
  public static let eventLimit = 16
  /// The maximum number of moments that are kept.
  public static let momentLimit = 256
  /// The maximum number of rows that are listed.
  public static let rowLimit = 64

  /// A record, or a few that are close together.
  public struct Moment: Sendable, Equatable {
    /// The number of the first record.
    public var number: UInt64
    /// The time since the recording began.
    public var time: Duration
    /// How many of the records are drawn as values in a marble diagram.
    public var values: Int
    /// How the other records are drawn.
    public var marks: MarbleMarks

    /// Creates a moment.
    public init(number: UInt64, time: Duration, values: Int, marks: MarbleMarks) {
      (self.number, self.time, self.values, self.marks) = (number, time, values, marks)
    }
  }

  /// Evidence, empty by default.
  public init(events: [UInt64] = [], counters: [String] = []) {
    self.events = Array(events.prefix(Self.eventLimit))
    self.lastEvent = events.last
    self.eventCount = events.count
    self.unread = events
    self.counters = counters
  }

  /// `live 812; 40 events, the first #1042 after 1.204 s, the last #2209 after 3.900 s`, or as much
  /// of it as there is.
  public var text: String {
    var parts = counters
    if let first = events.first { parts.append(text(from: first)) }
    return parts.joined(separator: "; ")
  }

  private func text(from first: UInt64) -> String {
    guard let begin = moments.first, let end = moments.last else {
      guard let lastEvent, eventCount > 1 else { return "event #\(first)" }
      return "events #\(first) … #\(lastEvent), \(eventCount) in all"
    }
    func name(_ moment: Moment) -> String {
      "#\(moment.number) after \(Quantity.moment(moment.time))"
    }
    return eventCount == 1
      ? "event \(name(begin))"
      : "\(eventCount) events, the first \(name(begin)), the last \(name(end))"
  }

  /// Stores the moments of its records, which have been looked up.
  ///
  /// - Parameter found: All moments, in chronological order.
  package mutating func read(_ found: [Moment]) {
    unread = []
    guard found.count > Self.momentLimit, let first = found.first, let last = found.last,
      last.time > first.time
    else {
      moments = Array(found.prefix(Self.momentLimit))
      return
    }
    // The first and the last moment remain as they are.
    let width = (last.time - first.time) / (Self.momentLimit - 2)
    var thinned = [first]
    var cell = -1
    for moment in found.dropFirst().dropLast() {
      let place = Int((moment.time - first.time) / width)
      if place == cell {
        thinned[thinned.count - 1].values += moment.values
        thinned[thinned.count - 1].marks.formUnion(moment.marks)
      } else if thinned.count < Self.momentLimit - 1 {
        thinned.append(moment)
        cell = place
      }
    }
    moments = thinned + [last]
  }
}
