public import Reactive
public import Testing

/// Checks an operator against the event contract, and records an issue for each rule it breaks.
///
/// ```swift
/// @Test func obeysTheOperatorContract() {
///   checkOperatorContract("map") { $0.map { $0 + 1 } }
/// }
/// ```
///
/// Each check applies the operator to a new source, which sends integers. The operator must forward
/// the end once and as its last event, and be silent afterwards. It must end its upstream when it
/// ends, when it is disposed of, and when its source is gone. It must put re-entrant sends in
/// order, and free its closures. The signal that it makes must have the name of the operator and
/// the line that applied it. If the process is being traced, the operator's subscriptions must
/// appear in the trace under that name and line, and end there.
///
/// - Parameters:
///   - name: The operator's name in its site. Leave it out for an operator that is composed of
///     others and has no separate site: the site is not checked then.
///   - traits: Where the operator may differ from the contract.
///   - sourceLocation: Where violations are reported.
///   - apply: Applies the operator. Called at least once per check.
public func checkOperatorContract<Output: Sendable, Failure: Error>(
  _ name: String? = nil,
  _ traits: OperatorTraits = [],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ apply: (Signal<Int, ContractFailure>) -> Signal<Output, Failure>
) {
  checkOperatorContract(name, traits, sourceLocation: sourceLocation) { signal, _ in apply(signal) }
}

/// Checks an operator that needs a scheduler, in virtual time that the checks move.
///
/// ```swift
/// checkOperatorContract("delay") { signal, time in signal.delay(.seconds(1), on: time) }
/// ```
///
/// - Parameters:
///   - name: The operator's name in its site; nil for an operator without a separate site.
///   - traits: Where the operator may differ from the contract.
///   - sourceLocation: Where violations are reported.
///   - apply: Applies the operator. Called at least once per check.
public func checkOperatorContract<Output: Sendable, Failure: Error>(
  _ name: String? = nil,
  _ traits: OperatorTraits = [],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ apply: (Signal<Int, ContractFailure>, TestScheduler) -> Signal<Output, Failure>
) {
  let violations = operatorContractViolations(name, traits, appliedAt: sourceLocation, apply)
  for violation in violations {
    Issue.record(Comment(rawValue: violation.description), sourceLocation: sourceLocation)
  }
}

/// The rules an operator breaks, as values: for other test frameworks, and for testing the checker.
///
/// - Parameters:
///   - name: The operator's name in its site; nil for an operator without a separate site.
///   - traits: Where the operator may differ from the contract.
///   - sourceLocation: The signal's site must be in this file, not before this line.
///   - apply: Applies the operator. Called at least once per check.
/// - Returns: The violations; empty if the operator obeys the contract.
public func operatorContractViolations<Output: Sendable, Failure: Error>(
  _ name: String? = nil,
  _ traits: OperatorTraits = [],
  appliedAt sourceLocation: SourceLocation = #_sourceLocation,
  _ apply: (Signal<Int, ContractFailure>, TestScheduler) -> Signal<Output, Failure>
) -> [ContractViolation] {
  var check = ContractCheck(name, traits)
  let site = check.naming(sourceLocation, apply)
  check.completion(apply)
  check.failure(apply)
  check.disposal(apply)
  check.disposalFromNext(apply)
  check.sourceGone(apply)
  check.independence(apply)
  check.reentrancy(apply)
  check.trace(of: site)
  return check.violations
}
