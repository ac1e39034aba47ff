import ReactiveTrace

/// A record that one may want to go to.
public struct Landmark: Sendable, Hashable {
  /// What it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// A failure, or an event that came too late.
    case error
    /// Work or a delivery that took ``Landmarks/stall`` or longer begins here.
    case stall
    /// Records were lost here.
    case loss
    /// A finding rests on it.
    case finding
  }

  /// What it is.
  public var kind: Kind
  /// The number of the record.
  public var number: UInt64
  /// Since the recording began.
  public var time: Duration
  /// Place among all records: threads number their own.
  var row: Int
}

/// All landmarks of a trace, in order.
public struct Landmarks: Sendable {
  /// In the order of the records.
  public var all: [Landmark] = []
  /// The place of the record that was asked from, or the number of records.
  var here = 0

  /// What counts as a stall.
  public static let stall = Duration.milliseconds(100)

  /// None at all.
  public init() {}

  init(_ snapshot: TraceSnapshot, findings: [Finding], from position: Position) {
    let walk = RecordWalk(snapshot)
    let evidence = Set(findings.flatMap(\.evidence.events))
    var open: [UInt64: (row: Int, ticks: UInt64, number: UInt64)] = [:]
    var event: UInt64?
    switch position {
    case .event(let number): event = number
    case .time(let time): here = walk.rows(from: .zero, to: time).upperBound - 1
    case .end, .mark: here = walk.rows.upperBound
    }
    for row in walk.rows {
      let record = walk[row]
      if record.number == event { here = row }
      func add(_ kind: Landmark.Kind) {
        all.append(
          Landmark(kind: kind, number: record.number, time: walk.time(record.ticks), row: row)
        )
      }
      let key = UInt64(record.thread) << 33 | UInt64(record.id) << 1
      switch record.kind {
      case .failed, .refused: add(.error)
      case .recordsLost: add(.loss)
      case .turnBegan: open[key] = (row, record.ticks, record.number)
      case .hopBegan: open[key | 1] = (row, record.ticks, record.number)
      case .turnEnded, .hopEnded:
        let begun = open.removeValue(forKey: record.kind == .hopEnded ? key | 1 : key)
        guard let begun, snapshot.duration(from: begun.ticks, to: record.ticks) >= Self.stall
        else { break }
        all.append(
          Landmark(
            kind: .stall,
            number: begun.number,
            time: walk.time(begun.ticks),
            row: begun.row
          )
        )
      default: break
      }
      if evidence.contains(record.number) { add(.finding) }
    }
    // Stalls are known when they are over.
    all.sort { $0.row < $1.row }
  }

  /// The nearest one before or after where it was asked from; of a kind, or of any but findings.
  func next(_ kind: Landmark.Kind?, forward: Bool) -> Landmark? {
    func isWanted(_ landmark: Landmark) -> Bool {
      kind.map { $0 == landmark.kind } ?? (landmark.kind != .finding)
    }
    return forward
      ? all.first { $0.row > here && isWanted($0) } : all.last { $0.row < here && isWanted($0) }
  }
}
