/// What a finding rests on: take it away and the finding goes.
public struct Evidence: Sendable, Equatable {
  /// Numbers of records, in order; at most ``eventLimit`` of them.
  public var events: [UInt64] = []
  /// The number of the last record, which may not be listed.
  public var lastEvent: UInt64?
  /// Records there were altogether, those not listed included.
  public var eventCount = 0
  /// When the records were written and what they say, in order; empty where that is not known, and at most ``momentLimit`` of them: of more, those
  /// that are close together are one.
  public var moments: [Moment] = []
  /// Counters of the site table, of marks or of the slab, as `live 812` or `live at marks 4, 8, 12`.
  public var counters: [String] = []

  /// The rows of the trace's tables that have the counters, as the lines of `rxtop dump` begin: `site 4`,
  /// `slot 17`, `count 3 4`; at most ``rowLimit`` of them.
  public var rows: [String] = []
  /// Rows there were altogether, those not listed included.
  public var rowCount = 0

  /// Numbers of all records, until it is looked up when they were written.
  package var unread: [UInt64] = []

  /// Records listed by number.
  public static let eventLimit = 16
  /// Moments kept.
  public static let momentLimit = 256
  /// Rows listed.
  public static let rowLimit = 64

  /// A record, or a few that are close together.
  public struct Moment: Sendable, Equatable {
    /// The number of the first.
    public var number: UInt64
    /// Since the recording began.
    public var time: Duration
    /// How many of them are values, or stand for some.
    public var values: Int
    /// What the others are.
    public var marks: MarbleMarks

    /// A moment.
    public init(number: UInt64, time: Duration, values: Int, marks: MarbleMarks) {
      (self.number, self.time, self.values, self.marks) = (number, time, values, marks)
    }
  }

  /// No evidence.
  public init(events: [UInt64] = [], counters: [String] = []) {
    self.events = Array(events.prefix(Self.eventLimit))
    self.lastEvent = events.last
    self.eventCount = events.count
    self.unread = events
    self.counters = counters
  }

  /// `live 812; 40 events, the first #1042 after 1.204 s, the last #2209 after 3.900 s`, or as much of it as there is.
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

  /// Takes over when its records were written.
  ///
  /// - Parameter found: All of them, in the order of time.
  package mutating func read(_ found: [Moment]) {
    unread = []
    guard found.count > Self.momentLimit, let first = found.first, let last = found.last,
      last.time > first.time
    else {
      moments = Array(found.prefix(Self.momentLimit))
      return
    }
    // Both ends stay as they are.
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
