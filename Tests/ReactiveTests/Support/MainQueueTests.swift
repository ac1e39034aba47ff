import Testing

/// Tests that use `UIScheduler.shared` run one after another: a process has one main queue, and
/// these tests depend on whether other work is pending on it.
@Suite(.serialized) enum MainQueueTests {}
