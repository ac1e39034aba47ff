import Dispatch
import Glibc
import Reactive
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

@Suite struct AsyncBacktraceTextTests {
  private static func chain(_ frames: [UInt64], parent: UInt32 = 0, on scheduler: UInt32 = 0)
    -> TraceChain
  {
    var chain = TraceChain()
    chain.frames = frames
    chain.parent = parent
    chain.scheduler = scheduler
    return chain
  }

  private func lines(of row: UInt32, _ chains: [TraceChain]) -> [String] {
    var snapshot = TraceSnapshot()
    snapshot.chains = [TraceChain()] + chains
    var main = TraceScheduler()
    main.name = "main"
    snapshot.schedulers = [TraceScheduler(), main]
    return AsyncBacktraceText(snapshot).lines(of: row, Symbolizer([], .x86_64))
      .map { $0.replacing(" (no symbols: the address is in no recorded library)", with: "") }
  }

  @Test func partsAreJoinedWhereWorkWasScheduled() {
    let chains = [
      Self.chain([0x30]), Self.chain([0x20], parent: 1, on: 1), Self.chain([0x10], parent: 2),
    ]
    #expect(
      lines(of: 3, chains) == [
        "0x10", "… asynchronously invoked (on main) from:", "0x20",
        "… asynchronously invoked from:", "0x30",
      ]
    )
  }

  @Test func repeatedAddressesStayInTheirPart() {
    let chains = [Self.chain([0x10, 0x10]), Self.chain([0x10, 0x10], parent: 1)]
    #expect(lines(of: 2, chains) == ["0x10", "0x10", AsyncBacktraceText.separator, "0x10", "0x10"])
  }

  @Test func aReasonForAMissingNameIsGivenOnce() {
    var snapshot = TraceSnapshot()
    snapshot.chains = [TraceChain(), Self.chain([0x20]), Self.chain([0x10, 0x11], parent: 1)]
    let lines = AsyncBacktraceText(snapshot).lines(of: 2, Symbolizer([], .x86_64))
    #expect(
      lines == [
        "0x10 (no symbols: the address is in no recorded library)", "0x11",
        AsyncBacktraceText.separator, "0x20",
      ]
    )
  }

  @Test func theBacktraceOfAStaticProgramWithoutHopsSaysHowToLinkIt() {
    func last(_ libraries: [String], _ kind: HopKind) -> String? {
      var snapshot = TraceSnapshot()
      snapshot.images = libraries.map {
        var image = TraceImage()
        image.path = "/lib/\($0)"
        return image
      }
      var chain = Self.chain([0x10])
      chain.kind = kind
      snapshot.chains = [TraceChain(), chain]
      return AsyncBacktraceText(snapshot).lines(of: 1, Symbolizer([], .x86_64)).last
    }
    #expect(last(["app", "libc.so.6"], .thread)?.contains("Scripts/static-hops") == true)
    #expect(last(["app", "libc.so.6"], .task)?.hasPrefix("0x10") == true)
    let shared = ["app", "libc.so.6", "libswift_Concurrency.so"]
    #expect(last(shared, .thread)?.hasPrefix("0x10") == true)
    // A trace made by hand, or one of an unknown system, has no libraries.
    #expect(last(["app"], .thread)?.hasPrefix("0x10") == true)
  }

  @Test func aTruncatedChainSaysSo() {
    var chain = Self.chain([0x10])
    chain.isCut = true
    #expect(lines(of: 1, [chain]) == ["0x10", "… older parts were not kept"])
  }

  @Test func aRepeatedPartSaysSo() {
    var chain = Self.chain([0x10])
    chain.isRepeated = true
    #expect(
      lines(of: 2, [Self.chain([0x20]), chain])
        == ["0x10", "… and again from there, once or more"]
    )
  }

  @Test func aChainThatLeadsBackToItselfEnds() {
    let chains = [Self.chain([0x10], parent: 2), Self.chain([0x20], parent: 1)]
    #expect(lines(of: 1, chains).filter { $0.hasPrefix("0x") } == ["0x10", "0x20"])
    #expect(lines(of: 3, chains).isEmpty)
  }

  // MARK: A recorded program

  /// Subscribes in work that was scheduled by other scheduled work.
  static func subscribeThereAndThen(_ signal: Signal<Int, Never>, done: DispatchGroup) {
    let outer = QueueScheduler(label: "outer")
    let inner = QueueScheduler(label: "inner")
    done.enter()
    outer.schedule {
      inner.schedule {
        signal.subscribe()
        done.leave()
      }
    }
  }

  @Test func aRecordedSubscriptionLeadsBackToThisFileAcrossTwoHops() async {
    await #expect(processExitsWith: .success) {
      var options = TraceOptions()
      options.size = 1 << 20
      options.stacks = .all
      options.path = "/tmp/rxtop-test-\(getpid()).rxtrace"
      try Trace.start(options)
      atexit { _ = unlink("/tmp/rxtop-test-\(getpid()).rxtrace") }
      let subject = Subject<Int, Never>()
      let done = DispatchGroup()
      AsyncBacktraceTextTests.subscribeThereAndThen(subject.signal, done: done)
      #expect(done.wait(timeout: .now() + 60) == .success)
      Trace.stop()
      var source = try TraceSource(path: try #require(Trace.path))
      let inspection = try source.inspection(at: .end)
      let row = try #require(inspection.subscriptions.first { $0.isRoot })
      let lines = source.backtrace(of: row.chain)
      let text = lines.joined(separator: "\n")
      let parts = lines.split { $0.hasPrefix("… asynchronously invoked") }
      #expect(parts.count >= 3, "\(text)")
      for part in parts.prefix(3) {
        #expect(
          part.contains {
            $0.contains("subscribeThereAndThen") && $0.contains(#fileID.split(separator: "/")[1])
          },
          "\(text)"
        )
      }
      #expect(lines.contains { $0.contains("(on inner)") || $0.contains("(on outer)") }, "\(text)")
      withExtendedLifetime(subject) {}
    }
  }
}
