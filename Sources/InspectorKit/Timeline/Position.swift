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
}
