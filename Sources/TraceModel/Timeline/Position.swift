/// An instant of a trace.
public enum Position: Hashable, Sendable {
  /// The newest instant; it moves while a program runs.
  case end
  /// A time since the recording began.
  case time(Duration)
  /// Right after the record with this number.
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
  /// To the next or previous record that is listed as evidence of a finding.
  case finding
  /// To the end of something that had taken ``stallTime`` or longer: work that waited to begin, or
  /// that kept its thread busy.
  case stall
  /// To where records were lost, and to where the part of the recording begins in which nothing is
  /// missing.
  case loss
  /// To the nearest failure, stall or loss.
  case problem

  /// The time after which pending or running work counts as a stall.
  public static let stallTime = Duration.milliseconds(100)

  /// The name in commands.
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

  /// The steps that it combines.
  var parts: [Step] { self == .problem ? [.error, .stall, .loss] : [self] }
}
