/// The status of a command or action.
struct ExecutionStatus: Sendable {
  /// Increases with each change, so that an older status can be recognised.
  var number = 0
  /// The last value of `enabledIf`.
  var isAllowed = true
  var allowsConcurrent: Bool
  /// Executions that have begun and not ended.
  var running = 0

  var isExecuting: Bool { running > 0 }
  var isEnabled: Bool { isAllowed && (allowsConcurrent || running == 0) }
}
