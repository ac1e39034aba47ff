import Reactive
import ReactiveTesting
import Testing

/// A process has only one handler of unhandled failures, so these tests are serialized and ignore
/// the failures of other tests.
@Suite(.serialized) struct UnhandledFailureTests {
  private struct Unhandled: Error, Equatable { let number: Int }

  private struct Report: Sendable, Equatable {
    let number: Int
    let signal: String
    let subscription: String
  }

  private static func reports(_ body: () -> Void) -> [Report] {
    let seen = Recorder<Report, Never>()
    UnhandledFailure.setHandler { error, signal, subscription in
      guard let error = error as? Unhandled else { return }
      seen.next(
        Report(number: error.number, signal: "\(signal.name)", subscription: subscription.place)
      )
    }
    defer { UnhandledFailure.setHandler(nil) }
    body()
    return seen.values
  }

  @Test func aFailureWithoutAHandlerIsReportedWithItsPlaces() {
    let line = #line + 2
    let reports = Self.reports {
      Signal<Int, Unhandled>.failed(Unhandled(number: 1)).map { $0 }.subscribe()
    }
    #expect(
      reports
        == [Report(number: 1, signal: "map", subscription: "UnhandledFailureTests.swift:\(line)")]
    )
  }

  @Test func aFailureWithAHandlerIsNotReported() {
    let reports = Self.reports {
      Signal<Int, Unhandled>.failed(Unhandled(number: 2)).subscribe(failed: { _ in })
    }
    #expect(reports.isEmpty)
  }

  @Test func aFailureAfterDisposalIsNotReported() {
    let reports = Self.reports {
      let subject = Subject<Int, Unhandled>()
      subject.signal.subscribe().dispose()
      subject.fail(Unhandled(number: 3))
    }
    #expect(reports.isEmpty)
  }

  @Test func aFailureInsideAFailureIsReportedToo() {
    let reports = Self.reports {
      let nested = Signal<Int, Unhandled>.failed(Unhandled(number: 5))
      Signal<Int, Unhandled>.failed(Unhandled(number: 4))
        .doFailed { _ in nested.subscribe() }
        .subscribe()
    }
    #expect(reports.map(\.number) == [5, 4])
  }

  @Test func byDefaultTheFailureAndItsPlacesAreLogged() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Signal<Int, TestFailure>.failed(TestFailure(code: 7)).map { $0 }.subscribe()
    }
    let text = String(decoding: try #require(result?.standardErrorContent), as: UTF8.self)
    let place = "UnhandledFailureTests.swift:"
    #expect(text.contains("error"))
    #expect(text.contains("unhandled failure: TestFailure(code: 7), from map @ \(place)"))
    #expect(text.contains("subscribed at \(place)"))
  }
}
