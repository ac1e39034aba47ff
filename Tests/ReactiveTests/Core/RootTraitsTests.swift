import Reactive
import ReactiveTrace
import Testing
import TraceReading

@Suite struct RootTraitsTests {
  private struct Refusal: Error {}

  private static func snapshot() throws -> TraceSnapshot {
    try TraceReader(path: try #require(Trace.path)).snapshot()
  }

  /// The traits of the program's own calls of `subscribe`, in the order in which these first ran.
  private static func roots() throws -> [SiteTraits] {
    try snapshot().sites.map(\.traits).filter { $0.contains(.root) }
  }

  private static func subscribe() {
    let subject = Subject<Int, Refusal>()
    subject.signal.subscribe { _ in }
    subject.signal.subscribe(next: { _ in }, failed: { _ in })
    subject.signal.subscribe(started: { _ in }, next: { _ in })
    Subject<Int, Never>().signal.subscribe { _ in }
  }

  @Test func aTraceMarksRootsWithoutAFailureHandler() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      Self.subscribe()
      // The last subscription needs no handler of failures, because its signal cannot fail.
      #expect(try Self.roots() == [[.root, .unhandled], .root, [.root, .unhandled], .root])
    }
  }

  private static func depths(_ capacity: Int) throws -> [UInt32] {
    let subject = ReplaySubject<Int, Never>(capacity: capacity, "kept \(capacity)")
    for value in 0..<20 { subject.send(value) }
    let snapshot = try snapshot()
    let slot = try #require(snapshot.slots.last { $0.kind == .signal })
    return withExtendedLifetime(subject) {
      snapshot.records.filter { $0.kind == .depth && $0.entity == slot.id }.map(\.argument)
    }
  }

  @Test func theNumberOfValuesThatAReplaySubjectKeepsIsRecordedAtEachPowerOfTwo() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      #expect(try Self.depths(.max) == [1, 2, 4, 8, 16])
      #expect(try Self.depths(3) == [1, 2])
    }
  }
}
