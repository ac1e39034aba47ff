import Glibc
import Reactive
import ReactiveTrace
import Testing
import TraceReading

/// Checks that a trace shows a signal of ReactiveFoundation with its name, place, owner and hops.
///
/// A hop is work that is scheduled in one place and runs in another. This is only for exit tests,
/// because it starts the trace of the whole process.
struct TracedBridge {
  let snapshot: TraceSnapshot
  /// The line that makes the signal.
  let line: Int

  /// Subscribes with a bag as the owner, makes the signal send, and reads the trace while the
  /// subscription is active or has just ended.
  ///
  /// - Parameters:
  ///   - signal: Makes the signal to check, and returns it with the line that makes it.
  ///   - act: Makes the signal send, and waits for it.
  /// - Returns: The trace as it was when `act` returned.
  /// - Throws: What `act` throws, or an error if there is no trace.
  static func record<Value: Sendable, Failure: Error>(
    _ signal: () -> (Signal<Value, Failure>, line: Int),
    _ act: (Inbox<Value, Failure>) throws -> Void
  ) throws -> TracedBridge {
    var options = TraceOptions()
    options.size = 4 << 20
    options.path = "/tmp/reactive-foundation-tests-\(getpid()).rxtrace"
    try Trace.start(options)
    defer { unlink(options.path ?? "") }
    let bag = DisposableBag()
    let (made, line) = signal()
    // The bag owns the subscription before it begins, because it may end immediately.
    let (inbox, _) = made.received(started: { $0.store(in: bag) })
    try act(inbox)
    let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
    withExtendedLifetime(bag) {}
    return TracedBridge(snapshot: snapshot, line: line)
  }

  /// Checks what the trace says about the signal.
  ///
  /// - Parameters:
  ///   - name: The name of the site.
  ///   - scheduler: The scheduler whose hops deliver the events; nil if no hop delivers them.
  ///   - sourceLocation: Where a difference is reported.
  /// - Throws: If there is no such site or scheduler.
  func expect(
    _ name: String,
    hopsOn scheduler: String?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let site = try #require(
      snapshot.sites.first { $0.name == name && $0.line == UInt32(line) },
      "no site \(name):\(line) among \(snapshot.sites.map { "\($0.name):\($0.line)" })",
      sourceLocation: sourceLocation
    )
    #expect(
      site.file.hasPrefix("ReactiveFoundationTests/"),
      "\(site.file)",
      sourceLocation: sourceLocation
    )
    #expect(site.subscribed == 1, sourceLocation: sourceLocation)
    let isOwned = snapshot.records.contains { $0.kind == .ownerBound }
    let hasOwner = snapshot.sites.contains { $0.name == "DisposableBag" }
    #expect(isOwned && hasOwner, "no owner", sourceLocation: sourceLocation)
    guard let scheduler else { return }
    let number = try #require(
      snapshot.schedulers.first { $0.name == scheduler }?.index,
      "no scheduler '\(scheduler)' among \(snapshot.schedulers.map(\.name))",
      sourceLocation: sourceLocation
    )
    let hops = snapshot.records.compactMap(\.hopScheduling).filter { $0.scheduler == number }
    #expect(!hops.isEmpty, "no hop", sourceLocation: sourceLocation)
    #expect(hops.allSatisfy { $0.subscription != .none }, sourceLocation: sourceLocation)
    let begun = Set(snapshot.records.filter { $0.kind == .hopBegan }.map(\.id))
    #expect(hops.allSatisfy { begun.contains($0.hop) }, sourceLocation: sourceLocation)
    #expect(hops.allSatisfy { $0.chain != 0 }, "no backtrace", sourceLocation: sourceLocation)
  }
}
