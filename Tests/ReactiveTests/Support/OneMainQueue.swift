import Testing

/// What uses `UIScheduler.shared` runs one test after another: there is one main queue in a process, and
/// whether something waits on it matters.
@Suite(.serialized) enum OneMainQueue {}
