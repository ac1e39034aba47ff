import Synchronization
import Testing

/// Counts the issues that make a test fail.
final class FailureCount: Sendable {
  private let failures = Atomic<Int>(0)

  var count: Int { failures.load(ordering: .relaxed) }

  /// Runs a test, counts the issues that make it fail, and passes all issues on unchanged.
  func counting(
    for test: Test,
    _ testCase: Test.Case?,
    _ function: @Sendable () async throws -> Void
  ) async throws {
    let trait = IssueHandlingTrait.compactMapIssues { issue in
      if issue.isFailure { self.failures.wrappingAdd(1, ordering: .relaxed) }
      return issue
    }
    try await trait.provideScope(for: test, testCase: testCase, performing: function)
  }
}
