/// What a command or action tells of itself.
struct ExecutionStatus: Sendable {
  /// Goes up with each change, so that who knows a newer one can tell.
  var number = 0
  /// What `enabledIf` said last.
  var isAllowed = true
  var allowsConcurrent: Bool
  /// Executions that have begun and not ended.
  var running = 0

  var isExecuting: Bool { running > 0 }
  var isEnabled: Bool { isAllowed && (allowsConcurrent || running == 0) }
}
