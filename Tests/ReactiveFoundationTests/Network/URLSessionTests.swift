import Dispatch
import Foundation
import FoundationNetworking
import Reactive
import ReactiveFoundation
import ReactiveTesting
import Testing

@Suite struct URLSessionTests {
  /// A session that leaves no cache, cookies or credentials behind.
  ///
  /// Its timeout is longer than any test, so that only the tested code can end a request early.
  static func session() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 600
    return URLSession(configuration: configuration)
  }

  static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test func sendsTheResponseAndCompletes() throws {
    let server = try LoopbackServer { .status(200, "hello \($0.path)") }
    let session = Self.session()
    let url = try Self.url(server.address("/a?b=c"))
    let (inbox, _) = session.reactive.data(for: URLRequest(url: url)).received()
    #expect(inbox.waitForEnd())
    #expect(inbox.values.map { String(decoding: $0.data, as: UTF8.self) } == ["hello /a?b=c"])
    #expect(inbox.values.first?.status == 200)
    #expect(inbox.isCompleted)
    session.finishTasksAndInvalidate()
    server.stop()
  }

  @Test func eachSubscriptionMakesARequest() throws {
    let server = try LoopbackServer { _ in .status(200, "") }
    let session = Self.session()
    let signal = session.reactive.data(from: try Self.url(server.address("/")))
    #expect(server.log.isEmpty)
    for _ in 0..<3 { #expect(signal.received().inbox.waitForEnd()) }
    #expect(server.log.count == 3)
    session.finishTasksAndInvalidate()
    server.stop()
  }

  @Test func theBodyIsSentWithEachSubscription() throws {
    let server = try LoopbackServer { .status(201, String(decoding: $0.body, as: UTF8.self)) }
    let session = Self.session()
    var request = URLRequest(url: try Self.url(server.address("/in")))
    request.httpMethod = "PUT"
    let signal = session.reactive.upload(Data("some text".utf8), for: request)
    for _ in 0..<2 {
      let (inbox, _) = signal.received()
      #expect(inbox.waitForEnd())
      #expect(inbox.values.map { String(decoding: $0.data, as: UTF8.self) } == ["some text"])
      #expect(inbox.values.first?.status == 201)
    }
    #expect(server.log.map(\.method) == ["PUT", "PUT"])
    session.finishTasksAndInvalidate()
    server.stop()
  }

  @Test func disposalCancelsTheRequest() throws {
    let server = try LoopbackServer { _ in .silence }
    let session = Self.session()
    let url = try Self.url(server.address("/slow"))
    let (inbox, subscription) = session.reactive.data(from: url).received()
    #expect(server.asked.wait())
    subscription.dispose()
    #expect(server.hungUp.wait(), "the connection stays open")
    #expect(inbox.events.isEmpty)
    session.finishTasksAndInvalidate()
    server.stop()
  }

  /// Requests are cancelled before and during the cache lookup, while the response is under way,
  /// and after it has arrived.
  @Test func aRequestMayBeCancelledAtAnyMoment() throws {
    let server = try LoopbackServer { _ in .status(200, String(repeating: "body ", count: 1000)) }
    let session = URLSession(configuration: .default)
    let signal = session.reactive.data(from: try Self.url(server.address("/")))
    let cancelled = DispatchGroup()
    for index in 0..<300 {
      let subscription = signal.received().subscription
      cancelled.enter()
      let delay = DispatchTimeInterval.microseconds(index * 37 % 4000)
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) {
        subscription.dispose()
        cancelled.leave()
      }
    }
    #expect(cancelled.wait(timeout: .now() + 60) == .success)
    let (inbox, _) = signal.received()
    #expect(inbox.waitForEnd())
    #expect(inbox.isCompleted)
    session.finishTasksAndInvalidate()
    server.stop()
  }

  @Test func failsWithTheURLAndTheReasonIfNoServerResponds() throws {
    let server = try LoopbackServer { _ in .hangUp }
    let session = Self.session()
    let url = try Self.url(server.address("/gone"))
    let (inbox, _) = session.reactive.data(from: url).received()
    #expect(inbox.waitForEnd())
    let failure = try #require(inbox.failure)
    #expect(failure.code == .notLoaded)
    #expect(failure.url == url)
    #expect(failure.underlying is URLError)
    #expect("\(failure)".hasPrefix("'\(url.absoluteString)' could not be loaded: "))
    #expect(inbox.values.isEmpty)
    session.finishTasksAndInvalidate()
    server.stop()
  }

  @Test func anErrorStatusIsAResponseUnlessValidStatusRejectsIt() throws {
    let server = try LoopbackServer { _ in .status(404, "not here") }
    let session = Self.session()
    let address = server.address("/where")
    // The query may contain a secret: it is sent, but does not appear in the message.
    let url = try Self.url(address + "?token=hunter2#part")
    let plain = session.reactive.data(from: url).received().inbox
    #expect(plain.waitForEnd())
    #expect(plain.values.first?.status == 404)
    let wanted = session.reactive.data(from: url).validStatus()
    #expect(wanted.description.hasSuffix("validStatus(200..<300)"), "\(wanted)")
    let strict = wanted.received().inbox
    #expect(strict.waitForEnd())
    let failure = try #require(strict.failure)
    #expect(failure.code == .status)
    #expect(failure.response?.data.count == 8)
    #expect("\(failure)" == "'\(address)' was answered with status 404, 8 bytes")
    #expect(failure.url?.query == "token=hunter2")
    session.finishTasksAndInvalidate()
    server.stop()
  }

  @Test func requestsCanRunInSequenceAndConcurrently() throws {
    let server = try LoopbackServer { .status(200, $0.path + "/x") }
    let session = Self.session()
    let address = server.address("")
    let get: @Sendable (String) -> Signal<String, RequestFailure> = { path in
      guard let url = URL(string: address + path) else { return .empty() }
      return session.reactive.data(from: url).map { String(decoding: $0.data, as: UTF8.self) }
    }
    let chained = get("/1").flatMap { get($0) }.received().inbox
    let beside = get("/2").merge(with: get("/3")).received().inbox
    #expect(chained.waitForEnd() && beside.waitForEnd())
    #expect(chained.values == ["/1/x/x"])
    #expect(Set(beside.values) == ["/2/x", "/3/x"])
    session.finishTasksAndInvalidate()
    server.stop()
  }

  // MARK: Leaks

  @Test func nothingIsHeldAfterTheEndOrAfterDisposal() throws {
    let lives = LifeCount()
    let server = try LoopbackServer { $0.path == "/slow" ? .silence : .status(200, "") }
    let session = Self.session()
    for path in ["/", "/slow"] {
      let done = Latch()
      let subscription = session.reactive.data(from: try Self.url(server.address(path)))
        .subscribe(
          next: { [token = lives.token()] _ in token.touch() },
          failed: { _ in },
          completed: { done.signal() }
        )
      if path == "/" {
        #expect(done.wait())
      } else {
        #expect(server.asked.wait())
        subscription.dispose()
      }
    }
    #expect(eventually { lives.count == 0 }, "\(lives.count) left")
    session.finishTasksAndInvalidate()
    server.stop()
  }

  @Test func appearsInATraceWithNamePlaceOwnerAndHops() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { _ in .status(200, "hello") }
      let session = Self.session()
      let url = try Self.url(server.address("/"))
      let trace = try TracedBridge.record({ (session.reactive.data(from: url), #line) }) { inbox in
        #expect(inbox.waitForEnd())
        #expect(inbox.isCompleted)
      }
      try trace.expect("data(from:)", hopsOn: "URLSession")
    }
  }

  @Test func leavesNothingBehindInATrace() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { $0.path == "/slow" ? .silence : .status(200, "") }
      let session = Self.session()
      let (fast, slow) = (try Self.url(server.address("/")), try Self.url(server.address("/slow")))
      assertNoLeaks {
        let lives = LifeCount()
        let (inbox, _) = session.reactive.data(from: fast)
          .map { [token = lives.token()] in (token.touch(), $0.status) }.map(\.1).received()
        #expect(inbox.waitForEnd())
        let (_, subscription) = session.reactive.data(from: slow)
          .map { [token = lives.token()] in (token.touch(), $0.status) }.map(\.1).received()
        #expect(server.asked.wait() && server.asked.wait())
        subscription.dispose()
        #expect(server.hungUp.wait())
        #expect(eventually { lives.count == 0 })
      }
    }
  }

  @Test func aFileURLFailsWithAdvice() throws {
    let session = Self.session()
    let (inbox, _) = session.reactive.data(from: URL(filePath: "/etc/hostname")).received()
    #expect(inbox.waitForEnd())
    #expect(
      inbox.failure.map { "\($0)" }
        == "'file:///etc/hostname' could not be loaded: URLSession loads no files on Linux; "
        + "read it with Data.contents(of:)"
    )
    session.finishTasksAndInvalidate()
  }
}
