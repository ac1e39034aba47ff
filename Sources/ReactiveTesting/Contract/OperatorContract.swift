public import Reactive
public import Testing

/// Checks an operator against the event contract, and records an issue for each rule it breaks.
///
/// The event contract contains the rules that every signal of Reactive obeys.
///
/// ```swift
/// @Test func obeysTheOperatorContract() {
///   checkOperatorContract("map") { $0.map { $0 + 1 } }
/// }
/// ```
///
/// Each check applies the operator to a new source, which sends integers. The operator must forward
/// the end once, as its last event. It must end its upstream subscriptions when it ends or is
/// disposed of, and end without an event when its source is gone. It must deliver re-entrant sends
/// in order, share no state between subscriptions, and release its closures. The site of its
/// signal, which is what traces show of it, must have the name of the operator and the line that
/// applied it. If the process is being traced, the trace must show that name and line for the
/// operator's subscriptions, and their ends.
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

/// Checks an operator that needs a scheduler, in virtual time that the checks advance.
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

/// Checks an operator, and returns the rules it breaks, for use with other test frameworks.
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
