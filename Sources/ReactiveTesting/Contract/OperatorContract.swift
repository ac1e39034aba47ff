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
/// Each check applies the operator to a new source and sends it integers: it must forward the end once
/// and last, be silent afterwards, end its upstream when it ends, when it is disposed of and when its
/// source is gone, put re-entrant sends in order, and free its closures. The signal it makes must carry its
/// name and the line that applied it, and where the process is being traced, its subscriptions must
/// appear in the trace under these, and end there.
///
/// - Parameters:
///   - name: The operator, as its site calls it. Leave it out for one that is composed of others and has
///     no site of its own: the site is not looked at then.
///   - traits: Where it rightly differs.
///   - sourceLocation: Where violations are reported.
///   - apply: Applies it. Called once per check.
public func checkOperatorContract<Output: Sendable, Failure: Error>(
  _ name: String? = nil,
  _ traits: OperatorTraits = [],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ apply: (Signal<Int, ContractFailure>) -> Signal<Output, Failure>
) {
  checkOperatorContract(name, traits, sourceLocation: sourceLocation) { signal, _ in apply(signal) }
}

/// Checks an operator that needs a scheduler; its time is moved after each event of the source.
///
/// ```swift
/// checkOperatorContract("delay") { signal, time in signal.delay(.seconds(1), on: time) }
/// ```
///
/// - Parameters:
///   - name: The operator, as its site calls it; nil for one that has no site of its own.
///   - traits: Where it rightly differs.
///   - sourceLocation: Where violations are reported.
///   - apply: Applies it. Called once per check.
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
///   - name: The operator, as its site calls it; nil for one that has no site of its own.
///   - traits: Where it rightly differs.
///   - sourceLocation: The signal's site must lie in this file, not before this line.
///   - apply: Applies the operator. Called once per check.
/// - Returns: Nothing, if the operator obeys the contract.
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
