/// An instant of a trace.
public enum Position: Hashable, Sendable {
  /// The newest instant, which advances while the program runs.
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
  /// To the next or previous record that changes the graph: a signal, subscription or
  /// timer is made, named, disposed of, ended or released.
  case graphChange
  /// To the next or previous failure.
  case error
  /// To the next or previous record that is listed as evidence of a finding.
  case finding
  /// To the end of a stall, in which work waited for ``stallTime`` or longer to begin, or kept its
  /// thread busy for that long.
  case stall
  /// To the next or previous loss of records, or to the beginning of the part of the recording that
  /// is complete.
  case loss
  /// To the next or previous failure, stall or loss.
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

  /// The steps that this step combines; the step itself if it combines none.
  var parts: [Step] { self == .problem ? [.error, .stall, .loss] : [self] }
}
