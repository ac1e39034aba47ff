import Glibc
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing

/// Checks the operator contract again in traced processes, to cover the traced code paths and to
/// look up each operator in the trace.
@Suite struct TracedContractTests {
  private static let processes = 8

  static let checks: [@Sendable () -> Void] = [
    { AllSatisfyTests().obeysTheOperatorContract() },
    { LiftTests().obeysTheOperatorContract() },
    { OperatorTests().obeysTheOperatorContract() },
    { TakeDuringTests().obeysTheOperatorContract() },
    { BindStepTests().obeysTheOperatorContract() },
    { BufferTests().obeysTheOperatorContract() },
    { BufferOpeningsTests().obeysTheOperatorContract() },
    { WindowOpeningsTests().obeysTheOperatorContract() },
    { AuditTests().obeysTheOperatorContract() },
    { ThrottleWhileTests().obeysTheOperatorContract() },
    { BoundedBufferTests().obeysTheOperatorContract() },
    { AutoconnectTests().obeysTheOperatorContract() },
    { BreakpointTests().obeysTheOperatorContract() },
    { AppendTests().obeysTheOperatorContract() },
    { AssertNoFailureTests().obeysTheOperatorContract() },
    { CatchTests().obeysTheOperatorContract() },
    { CollectTests().obeysTheOperatorContract() },
    { CollectEveryTests().obeysTheOperatorContract() },
    { AmbTests().obeysTheOperatorContract() },
    { ChooseTests().obeysTheOperatorContract() },
    { CombineLatestManyTests().obeysTheOperatorContract() },
    { CombineLatestTests().obeysTheOperatorContract() },
    { CompactMapTests().obeysTheOperatorContract() },
    { CombinePreviousTests().obeysTheOperatorContract() },
    { ConcatMapTests().obeysTheOperatorContract() },
    { ConcatTests().obeysTheOperatorContract() },
    { ContainsTests().obeysTheOperatorContract() },
    { CountTests().obeysTheOperatorContract() },
    { DebounceTests().obeysTheOperatorContract() },
    { DefaultIfEmptyTests().obeysTheOperatorContract() },
    { DelaySubscriptionTests().obeysTheOperatorContract() },
    { DeferredTests().obeysTheOperatorContract() },
    { DelayTests().obeysTheOperatorContract() },
    { DelayUntilTests().obeysTheOperatorContract() },
    { DeliverOnTests().obeysTheOperatorContract() },
    { DistinctTests().obeysTheOperatorContract() },
    { DistinctUntilChangedTests().obeysTheOperatorContract() },
    { DoAllTests().obeysTheOperatorContract() },
    { DoTests().obeysTheOperatorContract() },
    { ElementAtTests().obeysTheOperatorContract() },
    { FailIfEmptyTests().obeysTheOperatorContract() },
    { EnumeratedTests().obeysTheOperatorContract() },
    { ExpandTests().obeysTheOperatorContract() },
    { FilterTests().obeysTheOperatorContract() },
    { FirstWhereTests().obeysTheOperatorContract() },
    { FlatMapFirstTests().obeysTheOperatorContract() },
    { FlatMapLatestTests().obeysTheOperatorContract() },
    { FlatMapLimitTests().obeysTheOperatorContract() },
    { FlatMapTests().obeysTheOperatorContract() },
    { FlattenPolicyTests().obeysTheOperatorContract() },
    { FlattenRaceTests().obeysTheOperatorContract() },
    { FlattenSequencesTests().obeysTheOperatorContract() },
    { FlattenTests().obeysTheOperatorContract() },
    { IfEmptyTests().obeysTheOperatorContract() },
    { IgnoreTests().obeysTheOperatorContract() },
    { IgnoreValuesTests().obeysTheOperatorContract() },
    { IsEmptyTests().obeysTheOperatorContract() },
    { LastWhereTests().obeysTheOperatorContract() },
    { GroupByTests().obeysTheOperatorContract() },
    { LazyMapTests().obeysTheOperatorContract() },
    { ForkJoinTests().obeysTheOperatorContract() },
    { ConcatSequenceTests().obeysTheOperatorContract() },
    { InfalliblePartnersTests().obeysTheOperatorContract() },
    { LogTests().obeysTheOperatorContract() },
    { LogicTests().obeysTheOperatorContract() },
    { MapFailureTests().obeysTheOperatorContract() },
    { MapTests().obeysTheOperatorContract() },
    { MapToTests().obeysTheOperatorContract() },
    { MaterializeTests().obeysTheOperatorContract() },
    { MergeScanTests().obeysTheOperatorContract() },
    { MergeTests().obeysTheOperatorContract() },
    { MinMaxTests().obeysTheOperatorContract() },
    { MulticastTests().obeysTheOperatorContract() },
    { OutputTests().obeysTheOperatorContract() },
    { ReduceTests().obeysTheOperatorContract() },
    { ReplayTests().obeysTheOperatorContract() },
    { PartitionTests().obeysTheOperatorContract() },
    { RepeatTests().obeysTheOperatorContract() },
    { ReplaceFailureTests().obeysTheOperatorContract() },
    { RetryDelayTests().obeysTheOperatorContract() },
    { RetryTests().obeysTheOperatorContract() },
    { ScanMapTests().obeysTheOperatorContract() },
    { SampleTests().obeysTheOperatorContract() },
    { ScanTests().obeysTheOperatorContract() },
    { SequenceEqualTests().obeysTheOperatorContract() },
    { SingleTests().obeysTheOperatorContract() },
    { SkipLastTests().obeysTheOperatorContract() },
    { ShareTests().obeysTheOperatorContract() },
    { SkipTests().obeysTheOperatorContract() },
    { SkipUntilTests().obeysTheOperatorContract() },
    { SkipWhileTests().obeysTheOperatorContract() },
    { StartAndEndTests().obeysTheOperatorContract() },
    { StartWithTests().obeysTheOperatorContract() },
    { SubscribeOnTests().obeysTheOperatorContract() },
    { SwitchToLatestTests().obeysTheOperatorContract() },
    { TakeLastTests().obeysTheOperatorContract() },
    { TakeForTests().obeysTheOperatorContract() },
    { TakeTests().obeysTheOperatorContract() },
    { TakeUntilReplacementTests().obeysTheOperatorContract() },
    { TakeUntilTests().obeysTheOperatorContract() },
    { TakeWhileTests().obeysTheOperatorContract() },
    { TryTests().obeysTheOperatorContract() },
    { WindowTests().obeysTheOperatorContract() },
    { ThrottleTests().obeysTheOperatorContract() },
    { TimeoutTests().obeysTheOperatorContract() },
    { TimestampedTests().obeysTheOperatorContract() },
    { WindowEveryTests().obeysTheOperatorContract() },
    { ThenTests().obeysTheOperatorContract() },
    { UsingTests().obeysTheOperatorContract() },
    { WhenTests().obeysTheOperatorContract() },
    { WithLatestTests().obeysTheOperatorContract() },
    { ZipManyTests().obeysTheOperatorContract() },
    { WithUnretainedTests().obeysTheOperatorContract() },
    { ZipTests().obeysTheOperatorContract() },
  ]

  /// The checks run in several processes, because each check enlarges the trace of its process, and
  /// reads all of it.
  @Test(arguments: 0..<processes)
  func operatorsObeyTheirContractWhenTraced(in process: Int) async {
    await #expect(processExitsWith: .success) { [process] in
      try PrivateTrace.start(size: 64 << 20)
      defer { PrivateTrace.remove() }
      let checks = TracedContractTests.checks
      for index in stride(from: process, to: checks.count, by: TracedContractTests.processes) {
        checks[index]()
      }
      #expect(Tracer.isOn)
    }
  }

  @Test func anOperatorWithAWrongNameOrLineIsReported() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let violations = operatorContractViolations("map") {
        (source: Signal<Int, ContractFailure>, _) in
        source.map({ $0 }, line: 1)
      }
      #expect(violations.map(\.rule) == [nil])
      #expect(violations.first?.description.contains("but it was applied at") == true)
    }
  }

  @Test func aSubscriptionThatIsNotReleasedInTheTraceIsReported() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let forgotten = CompositeDisposable()
      let violations = operatorContractViolations("map") {
        (source: Signal<Int, ContractFailure>, _) in
        let mapped = { (source: Signal<Int, ContractFailure>) in source.map { $0 } }
        forgotten.add(mapped(.never()).subscribe(failed: { _ in }))
        return mapped(source)
      }
      #expect(violations.contains { $0.rule == nil && "\($0)".contains("in the trace") })
      forgotten.dispose()
    }
  }
}
