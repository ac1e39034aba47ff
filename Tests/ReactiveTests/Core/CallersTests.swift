import Reactive
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// A trace says which code made a subscription, even if a helper function subscribes for several
/// callers.
@Suite struct CallersTests {
  private static let never = Signal<Int, Never>.never()

  @inline(never)
  private static func bind(_ signal: Signal<Int, Never>, into bag: DisposableBag) {
    signal.map { $0 + 1 }.subscribe().store(in: bag)
  }

  @inline(never)
  private static func openPrices(_ bag: DisposableBag) -> Int {
    bind(never, into: bag)
    return #line - 1
  }

  @inline(never)
  private static func openNews(_ bag: DisposableBag) -> Int {
    bind(never, into: bag)
    return #line - 1
  }

  private static func explain(_ slot: TraceSlot, in snapshot: TraceSnapshot) throws -> Explanation {
    var explanation = try SilenceExplanation.of(slot.serial, in: snapshot)
    explanation.backtrace = AsyncBacktraceText(snapshot)
      .lines(of: explanation.chain, Symbolizer(snapshot))
    explanation.addPlace()
    return explanation
  }

  @Test(arguments: [TraceLevel.graph, .events])
  func explainNamesTheHelperAndItsCaller(at level: TraceLevel) async {
    await #expect(processExitsWith: .success) { [level = level.rawValue as UInt32] in
      let level = try #require(TraceLevel(rawValue: level))
      var lines: [Int] = []
      let bag = DisposableBag()
      let report = try await EndReport(level: level) {
        lines = [Self.openPrices(bag), Self.openNews(bag)]
      }
      let slots = report.snapshot.slots.filter { slot in
        slot.kind == .subscription
          && report.snapshot.label(ofSite: slot.site).hasPrefix("subscribe")
      }
      #expect(slots.count == 2)
      for (slot, (caller, line)) in zip(slots, zip(["openPrices(_:)", "openNews(_:)"], lines)) {
        let explanation = try Self.explain(slot, in: report.snapshot)
        let made = try #require(
          explanation.known.first { $0.hasPrefix("it was subscribed to in ") }
        )
        #expect(made.contains("bind(_:into:) at "), "\(explanation.backtrace)")
        #expect(made.contains("called from static CallersTests.\(caller) at "), "\(made)")
        #expect(made.contains("CallersTests.swift:\(line)"), "\(made)")
      }
      withExtendedLifetime(bag) {}
    }
  }

  @Test func theStagesOfASubscriptionHaveItsBacktrace() async {
    await #expect(processExitsWith: .success) {
      let bag = DisposableBag()
      let report = try await EndReport { _ = Self.openPrices(bag) }
      let slots = report.snapshot.slots.filter { $0.kind == .subscription }
      let chains = slots.map(\.chain)
      for slot in slots {
        let explanation = try Self.explain(slot, in: report.snapshot)
        #expect(explanation.known.contains { $0.hasPrefix("it was subscribed to in ") })
      }
      #expect(chains.count == 3 && Set(chains).count == 1 && chains.first != 0, "\(chains)")
      withExtendedLifetime(bag) {}
    }
  }
}
