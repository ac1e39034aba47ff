package import TraceReading

// The names that exports use for the cases of enumerations. They are written out, because these
// names never change, whatever the cases are called in the source.

extension ProgramStatus {
  package var schemaName: String {
    switch self {
    case .running: "running"
    case .died: "gone"
    case .stopped: "stopped"
    case .elsewhere: "elsewhere"
    }
  }
}

extension ProgramEnding {
  package var schemaName: String {
    switch self {
    case .crashed: "crashed"
    case .terminated: "terminated"
    case .exited: "exited"
    case .unknown: "unknown"
    }
  }
}

extension EarlyEnd.Cause {
  package var schemaName: String {
    switch self {
    case .limitReached: "limitReached"
    case .streamFailed: "streamFailed"
    case .recordingStopped: "recordingStopped"
    }
  }
}

extension TraceLevel {
  package var schemaName: String {
    switch self {
    case .off: "off"
    case .graph: "graph"
    case .events: "events"
    case .values: "values"
    }
  }
}

extension EndReason {
  package var schemaName: String {
    switch self {
    case .completed: "completed"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .ownerGone: "ownerGone"
    case .sourceGone: "sourceGone"
    }
  }
}

extension EndCause {
  package var schemaName: String {
    switch self {
    case .unknown: "unknown"
    case .disposed: "disposed"
    case .owner: "owner"
    case .operator: "operator"
    case .downstream: "downstream"
    case .event: "event"
    case .released: "released"
    case .task: "task"
    case .late: "late"
    }
  }
}

extension MarkKind {
  package var schemaName: String {
    switch self {
    case .program: "program"
    case .automatic: "automatic"
    }
  }
}

extension SchedulerKind {
  package var schemaName: String {
    switch self {
    case .other: "other"
    case .immediate: "immediate"
    case .main: "main"
    case .serialQueue: "serialQueue"
    case .concurrentQueue: "concurrentQueue"
    case .virtualTime: "virtualTime"
    }
  }
}

extension SiteTraits {
  /// The names of the traits that are set, in the order of their bits.
  package var schemaNames: [String] {
    Self.names.filter { _, one in
      // The fate of values and the kind of inputs are numbers of several bits each. The bits of one
      // such number can include those of another, so that `contains` does not suffice.
      if one.fate != .unknown { return fate == one.fate }
      if one.inputs != .source { return inputs == one.inputs }
      return contains(one)
    }.map(\.0)
  }
}
