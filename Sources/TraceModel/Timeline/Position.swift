/// An instant of a trace.
public enum Position: Hashable, Sendable {
  /// The newest there is; moves on while a program runs.
  case end
  /// So long after the recording began.
  case time(Duration)
  /// Right after the record of this number.
  case event(UInt64)
  /// The mark in this row of the table of marks.
  case mark(Int)
}

/// How far a step goes.
public enum Step: Sendable, CaseIterable {
  /// To the next or previous record.
  case event
  /// To the next or previous record that changes the graph: something is made, subscribed, ended,
  /// released, armed, or named.
  case graphChange
  /// To the next or previous failure.
  case error
  /// To the next or previous record that a finding rests on, as far as it is listed with it.
  case finding
  /// To where something ended that had taken ``stallTime`` or longer: work that waited to begin, or that kept
  /// its thread busy.
  case stall
  /// To where records were lost, and to where the part of the recording begins in which nothing is missing.
  case loss
  /// To whichever of a failure, a stall and a loss is nearest.
  case problem

  /// From when on work that waits or runs is a stall.
  public static let stallTime = Duration.milliseconds(100)

  /// As commands name it.
  package var name: String {
    switch self {
    case .event: "event"
    case .graphChange: "change"
    case .error: "error"
    case .finding: "finding"
    case .stall: "stall"
    case .loss: "loss"
    case .problem: "problem"
    }
  }

  /// What it is made of.
  var parts: [Step] { self == .problem ? [.error, .stall, .loss] : [self] }
}
