/// The status of a command or action.
@usableFromInline
struct ExecutionStatus: Sendable {
  /// Increases with each change, so that an older status can be recognised.
  @usableFromInline var number = 0
  /// The last value of `enabledIf`.
  @usableFromInline var isAllowed = true
  @usableFromInline var allowsConcurrent: Bool
  /// The number of executions that have begun and not ended.
  @usableFromInline var running = 0

  @inlinable
  init(allowsConcurrent: Bool) { self.allowsConcurrent = allowsConcurrent }

  @inlinable var isExecuting: Bool { running > 0 }
  @inlinable var isEnabled: Bool { isAllowed && (allowsConcurrent || running == 0) }
}
