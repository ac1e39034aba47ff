import Reactive
import ReactiveTesting
import ReactiveTrace
import Synchronization
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// What a trace says of who or what ended a subscription.
@Suite struct EndCauseTests {
  /// Something that is recorded, and what is said of each end in it.
  struct Case: Sendable {
    var name: String
    var ends: [String]
    var run: @Sendable () -> Void

    init(_ name: String, _ ends: [String], _ run: @escaping @Sendable () -> Void) {
      self.name = name
      self.ends = ends
      self.run = run
    }
  }

  /// Subscribes, sends values, and keeps the subject, so that nothing ends for another reason.
  private static func sends(
    _ values: [Int],
    _ make: (Signal<Int, Refused>) -> Signal<some Sendable, Refused>
  ) {
    let subject = Subject<Int, Refused>()
    make(subject.signal).subscribe(failed: { _ in })
    for value in values { subject.send(value) }
    withExtendedLifetime(subject) {}
  }

  struct Refused: Error {}

  /// The end of an operator that has had enough: it ends its source, and then completes.
  private static func enough(_ name: String) -> [String] {
    [
      "Subject cancelled: operator \(name)", "\(name) completed: event \(name)",
      "subscribe completed: event \(name)",
    ]
  }

  private static let operators: [Case] = [
    Case("take", enough("take")) { sends([1, 2]) { $0.take(2) } },
    Case("take(while:)", enough("take(while:)")) { sends([1, 2]) { $0.take(while: { $0 < 2 }) } },
    Case("output(in:)", enough("output(in:)")) { sends([1, 2]) { $0.output(in: 0..<2) } },
    Case("element(at:)", enough("element(at:)")) { sends([1, 2]) { $0.element(at: 1) } },
    Case("first(where:)", enough("first(where:)")) { sends([1, 2]) { $0.first { $0 == 2 } } },
    Case("contains", enough("contains")) { sends([1, 2]) { $0.contains(2) } },
    Case("allSatisfy", enough("allSatisfy")) { sends([1, 2]) { $0.allSatisfy { $0 < 2 } } },
    Case("isEmpty", enough("isEmpty")) { sends([1]) { $0.isEmpty() } },
    Case(
      "single",
      [
        "Subject cancelled: operator single", "single failed: event single",
        "subscribe failed: event single",
      ]
    ) {
      sends([1, 2]) { $0.single { _ in Refused() } }
    },
    Case(
      "a chain above an operator",
      [
        "Subject cancelled: operator take", "filter cancelled: operator take",
        "skip cancelled: operator take", "map cancelled: operator take",
        "take completed: event take", "subscribe completed: event take",
      ]
    ) {
      sends([1, 2]) { $0.filter { $0 > 0 }.skip(0).map { $0 }.take(2) }
    },
    Case("switchToLatest", ["interval cancelled: operator flatMapLatest"]) {
      let time = TestScheduler()
      let subject = Subject<Int, Never>()
      subject.signal.flatMapLatest { _ in .interval(time.frame, on: time) }.subscribe()
      subject.send(1)
      subject.send(2)
      withExtendedLifetime(subject) {}
    },
    Case("amb", ["Subject cancelled: operator amb"]) {
      let (one, other) = (Subject<Int, Never>(), Subject<Int, Never>())
      Signal.amb([one.signal, other.signal]).subscribe()
      one.send(1)
      withExtendedLifetime((one, other)) {}
    },
    Case(
      "share",
      [
        "Subject cancelled: operator share", "share cancelled: operator share",
        "share cancelled: disposed", "subscribe cancelled: disposed",
      ]
    ) {
      let subject = Subject<Int, Never>()
      let disposable = subject.signal.share().subscribe()
      disposable.dispose()
      withExtendedLifetime(subject) {}
    },
    Case("skip(until:)", ["Subject cancelled: operator skip(until:)"]) {
      let (source, trigger) = (Subject<Int, Never>(), Subject<Int, Never>())
      source.signal.skip(until: trigger.signal).subscribe()
      trigger.send(1)
      withExtendedLifetime((source, trigger)) {}
    },
    Case(
      "take(until:)",
      [
        "Subject cancelled: downstream take(until:)",
        "Subject cancelled: downstream take(until:)",
        "take(until:) completed: event take(until:)", "subscribe completed: event take(until:)",
      ]
    ) {
      let (source, trigger) = (Subject<Int, Never>(), Subject<Int, Never>())
      source.signal.take(until: trigger.signal).subscribe()
      trigger.send(1)
      withExtendedLifetime((source, trigger)) {}
    },
    Case(
      "timeout",
      [
        "Subject cancelled: downstream timeout(after:)",
        "timeout(after:) failed: event timeout(after:)", "subscribe failed: event timeout(after:)",
      ]
    ) {
      let time = TestScheduler()
      let subject = Subject<Int, Refused>()
      subject.signal.timeout(after: time.frames(3), on: time, failingWith: Refused())
        .subscribe(failed: { _ in })
      time.advance(by: time.frames(5))
      withExtendedLifetime(subject) {}
    },
    Case(
      "zip",
      [
        "Subject completed: event Subject", "Subject cancelled: downstream zip",
        "zip completed: event zip", "subscribe completed: event zip",
      ]
    ) {
      let (one, other) = (Subject<Int, Never>(), Subject<Int, Never>())
      zip(one.signal, other.signal).subscribe()
      one.complete()
      withExtendedLifetime((one, other)) {}
    },
  ]

  private static let others: [Case] = [
    Case(
      "the program's dispose",
      [
        "Subject cancelled: disposed", "map cancelled: disposed", "subscribe cancelled: disposed",
      ]
    ) {
      let subject = Subject<Int, Never>()
      subject.signal.map { $0 }.subscribe().dispose()
      withExtendedLifetime(subject) {}
    },
    Case(
      "dispose, of what merges",
      [
        "interval cancelled: downstream flatMap", "Subject cancelled: downstream flatMap",
        "flatMap cancelled: disposed", "subscribe cancelled: disposed",
      ]
    ) {
      let time = TestScheduler()
      let subject = Subject<Int, Never>()
      let disposable = subject.signal.flatMap { _ in Signal.interval(time.frame, on: time) }
        .subscribe()
      subject.send(1)
      disposable.dispose()
      withExtendedLifetime(subject) {}
    },
    Case(
      "a bag",
      ["Subject cancelled: owner DisposableBag", "subscribe cancelled: owner DisposableBag"]
    ) {
      let subject = Subject<Int, Never>()
      var bag: DisposableBag? = DisposableBag()
      if let bag { subject.signal.subscribe().store(in: bag) }
      bag = nil
      withExtendedLifetime(subject) {}
    },
    Case(
      "a composite that is in a bag",
      [
        "Subject cancelled: owner CompositeDisposable",
        "subscribe cancelled: owner CompositeDisposable",
      ]
    ) {
      let subject = Subject<Int, Never>()
      let (bag, inner) = (DisposableBag(), CompositeDisposable())
      inner.add(subject.signal.subscribe())
      inner.store(in: bag)
      bag.empty()
      withExtendedLifetime(subject) {}
    },
    Case(
      "a lifetime",
      ["Subject cancelled: owner Lifetime", "subscribe cancelled: owner Lifetime"]
    ) {
      let subject = Subject<Int, Never>()
      let token = Lifetime.Token()
      token.lifetime.add(subject.signal.subscribe())
      token.dispose()
      withExtendedLifetime(subject) {}
    },
    Case(
      "take(during:)",
      [
        "Lifetime completed: event Lifetime", "Subject owner gone: operator take(during:)",
        "take(during:) completed: event take(during:)",
        "subscribe completed: event take(during:)",
      ]
    ) {
      let subject = Subject<Int, Never>()
      let token = Lifetime.Token()
      subject.signal.take(during: token.lifetime).subscribe()
      token.dispose()
      withExtendedLifetime(subject) {}
    },
    Case(
      "completion of the source",
      [
        "Subject completed: event Subject", "map completed: event Subject",
        "subscribe completed: event Subject",
      ]
    ) {
      let subject = Subject<Int, Never>()
      subject.signal.map { $0 }.subscribe()
      subject.complete()
    },
    Case(
      "failure of the source",
      [
        "Subject failed: event Subject", "map failed: event Subject",
        "subscribe failed: event Subject",
      ]
    ) {
      let subject = Subject<Int, Refused>()
      subject.signal.map { $0 }.subscribe(failed: { _ in })
      subject.fail(Refused())
    },
    Case(
      "release of the subject",
      ["Subject source gone: event Subject", "subscribe source gone: event Subject"]
    ) {
      var subject: Subject<Int, Never>? = Subject()
      _ = subject?.signal.subscribe()
      subject = nil
    },
    Case(
      "release of the last reference",
      ["Subject cancelled: released", "values cancelled: released"]
    ) {
      let subject = Subject<Int, Never>()
      _ = subject.signal.values.makeAsyncIterator()
      withExtendedLifetime(subject) {}
    },
    Case(
      "a source that forgets whom it tells",
      ["create source gone: event create", "subscribe source gone: event create"]
    ) {
      Signal<Int, Never>.create { _ in }.subscribe()
    },
  ]

  @Test(arguments: (operators + others).indices)
  func eachKindOfEndHasItsCause(_ place: Int) async {
    await #expect(processExitsWith: .success) { [place] in
      let one = (Self.operators + Self.others)[place]
      let report = try await EndReport { one.run() }
      #expect(
        Array(report.lines.prefix(one.ends.count)) == one.ends,
        "\(one.name): \(report.lines)"
      )
      // Whoever is named stands where this file says, and the record of the cause is of the thread that ended it.
      for row in report.rows {
        let cause = try #require(EndedBy(ofEndIn: row, report.snapshot.records), "\(one.name)")
        let (record, told) = (report.snapshot.records[row], report.snapshot.records[cause.row])
        #expect(record.thread == told.thread)
        #expect(record.ticks == told.ticks)
        if cause.by != .none {
          let site = try #require(report.site(cause.by, row))
          #expect(site.file.hasSuffix("/EndCauseTests.swift"), "\(site.file)")
        }
      }
    }
  }

  /// Disposes of something, and says in which line.
  @inline(never)
  private static func close(_ disposable: any Disposable) -> Int {
    disposable.dispose()
    return #line - 1
  }

  @Test func theLineThatDisposesIsOnTheStackOfTheCause() async {
    await #expect(processExitsWith: .success) {
      var line = 0
      let report = try await EndReport { line = Self.close(Signal<Int, Never>.never().subscribe()) }
      let cause = try #require(report.cause(of: "subscribe"))
      #expect(cause.cause == .disposed)
      let lines = AsyncBacktraceText(report.snapshot)
        .lines(of: cause.chain, Symbolizer(report.snapshot))
      let place = try #require(AsyncBacktraceText.ownPlace(in: lines))
      #expect(place.contains("close(_:) at "), "\(lines)")
      #expect(place.hasSuffix("EndCauseTests.swift:\(line)"), "\(lines)")
    }
  }

  @Test(arguments: [true, false])
  func theCauseOfAnEndInAHopLeadsToWhereItWasScheduled(_ hasEvents: Bool) async {
    await #expect(processExitsWith: .success) { [hasEvents] in
      let report = try await EndReport(level: hasEvents ? .events : .graph) {
        let time = TestScheduler()
        let subject = Subject<Int, Never>()
        let disposable = subject.signal.subscribe()
        subject.signal.take(1).subscribe()
        time.schedule {
          subject.send(1)
          disposable.dispose()
        }
        time.run()
        withExtendedLifetime(subject) {}
      }
      let disposed = try #require(
        report.rows.map { EndedBy(ofEndIn: $0, report.snapshot.records) }
          .first { $0?.cause == .disposed } ?? nil
      )
      let chain = report.snapshot.chains[Int(disposed.chain)]
      #expect(chain.parent != 0, "it is asynchronous")
      let taken = try #require(report.cause(of: "Subject"))
      #expect(taken.cause == .operator)
      if !hasEvents { return #expect(taken.hop(report.snapshot) == nil) }
      for cause in [disposed, taken] {
        let hop = try #require(cause.hop(report.snapshot))
        #expect(report.snapshot.records[hop].kind == .hopBegan)
      }
      let trigger = try #require(
        taken.trigger(report.snapshot) { $0 == taken.by }
      )
      #expect(report.snapshot.records[trigger].kind == .next)
      #expect(report.snapshot.records[trigger].argument == 1)
    }
  }

  @Test func anEndInsideOfAnotherHasItsOwnCauseAndLeadsToTheOther() async {
    await #expect(processExitsWith: .success) {
      let report = try await EndReport {
        let (outer, inner, beside) = (
          Subject<Int, Never>(), Subject<Int, Never>(), Subject<Int, Never>()
        )
        let other = beside.signal.map { $0 }.subscribe()
        outer.signal.flatMap { _ in inner.signal.doDisposed { other.dispose() } }.take(1)
          .subscribe()
        outer.send(1)
        inner.send(2)
        withExtendedLifetime((outer, inner, beside)) {}
      }
      let records = report.snapshot.records
      // The one beside was disposed of by the program, while take ended what is above it.
      let beside = try #require(report.cause(of: "map"))
      #expect(beside.cause == .disposed)
      // What ran in the merge ended with that, which take ended at its first value.
      let inner = try #require(report.cause(of: "doDisposed"))
      #expect(inner.cause == .downstream)
      #expect(report.site(inner.by, inner.row)?.name == "flatMap")
      let end = try #require(EndedBy.end(of: inner.by, after: inner.row, records))
      let above = try #require(EndedBy(ofEndIn: end, records))
      #expect(above.cause == .operator)
      #expect(report.site(above.by, above.row)?.name == "take")
      // And what take sent down leads back to that.
      let last = try #require(report.rows.last)
      let down = try #require(EndedBy(ofEndIn: last, records))
      #expect(down.above(report.snapshot)?.row == above.row)
    }
  }

  @Test func ofThreadsThatRaceToDisposeTheOneThatWonIsNamed() async {
    await #expect(processExitsWith: .success) {
      let rounds = 200
      let winners = Mutex<[UInt]>([])
      let names = Mutex<[UInt: String]>([:])
      let report = try await EndReport {
        let disposables = (0..<rounds).map { _ in
          Signal<Int, Never>.never()
            .doDisposed { winners.withLock { $0.append(threadNumber()) } }
            .subscribe()
        }
        let meetings = (0..<rounds).map { _ in Meeting(of: 2) }
        onPlainThreads(2) { index in
          // So that the trace tells which is which.
          if index == 0 {
            Signal<Int, Never>.just(1).subscribe()
          } else {
            Signal<Int, Never>.empty().subscribe()
          }
          names.withLock { $0[threadNumber()] = index == 0 ? "just" : "empty" }
          for (disposable, meeting) in zip(disposables, meetings) {
            meeting.wait()
            disposable.dispose()
          }
        }
      }
      let roots = report.rows.filter {
        report.site(report.snapshot.records[$0].entity, $0)?.name == "subscribe"
          && EndedBy(ofEndIn: $0, report.snapshot.records)?.cause != .event
      }
      #expect(roots.count == rounds)
      var racers: [UInt32: String] = [:]
      for row in report.rows {
        let record = report.snapshot.records[row]
        guard let name = report.site(record.entity, row)?.name, ["just", "empty"].contains(name)
        else { continue }
        racers[record.thread] = name
      }
      var named: [String?] = []
      for row in roots {
        let cause = try #require(EndedBy(ofEndIn: row, report.snapshot.records))
        #expect(cause.cause == .disposed)
        #expect(cause.chain != 0)
        named.append(racers[report.snapshot.records[cause.row].thread])
      }
      let known = names.withLock { $0 }
      #expect(named == winners.withLock { $0.map { known[$0] } })
    }
  }

  @Test func aTaskThatIsCancelledIsTheCause() async {
    await #expect(processExitsWith: .success) {
      let report = try await EndReport {
        let subject = Subject<Int, Never>()
        let task = Task { _ = await subject.signal.wait() }
        while !subject.hasObservers { await Task.yield() }
        task.cancel()
        await task.value
        withExtendedLifetime(subject) {}
      }
      let cause = try #require(report.cause(of: "wait"))
      #expect(cause.cause == .task)
      #expect(cause.chain != 0)
    }
  }

  @Test func whoHasWhatHeWaitedForEndsItHimself() async {
    await #expect(processExitsWith: .success) {
      let report = try await EndReport { _ = await Signal<Int, Never>.from(1...3).first() }
      let row = try #require(report.row(of: "first"))
      let cause = try #require(EndedBy(ofEndIn: row, report.snapshot.records))
      #expect(cause.cause == .operator)
      #expect(cause.by == report.snapshot.records[row].entity)
    }
  }

  @Test func anOperatorThatIsOlderThanTheRecordingIsNotTakenForAnother() async {
    await #expect(processExitsWith: .success) {
      let subject = Subject<Int, Never>()
      let (one, other) = (Subject<Int, Never>(), Subject<Int, Never>())
      subject.signal.flatMapLatest { ($0 == 1 ? one : other).signal.map { $0 }.skip(0) }
        .subscribe()
      let report = try await EndReport { for value in 1...2 { subject.send(value) } }
      #expect(report.lines.allSatisfy { $0.hasSuffix(" cancelled: operator") }, "\(report.lines)")
      #expect(report.lines.count == 3)
      withExtendedLifetime((subject, one, other)) {}
    }
  }

  /// Whatever is lost, nobody else is accused.
  @Test func ofARecordingWithLostRecordsTheCauseIsTheSameOrUnknown() async {
    await #expect(processExitsWith: .success) {
      let report = try await EndReport {
        for one in Self.operators + Self.others { one.run() }
      }
      let records = Array(report.snapshot.records)
      var known: [UInt64: UInt64] = [:]
      for row in report.rows {
        let cause = EndedBy(ofEndIn: row, report.snapshot.records)
        known[records[row].number] = cause.map { records[$0.row].number }
      }
      #expect(known.count == report.rows.count)
      var lost = 0
      for hole in records.indices {
        for length in 1...3 where hole + length <= records.count {
          var left = records
          left.removeSubrange(hole..<(hole + length))
          // Only what stands near it can have another cause.
          for row in max(0, hole - 1)..<min(left.count, hole + 64) where left[row].kind == .ended {
            guard let cause = EndedBy(ofEndIn: row, TraceRecords(left[...min(row, left.count - 1)]))
            else {
              lost += 1
              continue
            }
            #expect(left[cause.row].number == known[left[row].number])
          }
        }
      }
      #expect(lost > 0)
    }
  }

  /// Subscribes to two values, and says in which line.
  private static func takesTwo(of subject: Subject<Int, Never>) -> Int {
    subject.signal.map { $0 }.take(2).subscribe()
    return #line - 1
  }

  @Test func explanationsNameTheOperatorItsValueAndTheWork() async {
    await #expect(processExitsWith: .success) {
      var line = 0
      let report = try await EndReport {
        let time = TestScheduler()
        let subject = Subject<Int, Never>()
        line = Self.takesTwo(of: subject)
        time.schedule { for value in 1...2 { subject.send(value) } }
        time.run()
        withExtendedLifetime(subject) {}
      }
      let row = try #require(report.row(of: "map"))
      let entry = try #require(
        report.store.life(report.snapshot.records[row].entity, at: row)
      )
      let explanation = try SilenceExplanation.of(entry.key.serial, in: report.snapshot)
      let cause = try #require(EndedBy(ofEndIn: row, report.snapshot.records))
      let trigger = try #require(cause.trigger(report.snapshot) { $0 == cause.by })
      let number = report.snapshot.records[trigger].number
      let take = try #require(report.store.life(cause.by, at: row))
      #expect(
        explanation.answer
          == "It ended: cancelled, ended by take@EndCauseTests.swift:\(line) \(take.key.label), "
          + "at its value 2 (event #\(number))."
      )
      #expect(explanation.known.contains { $0.hasPrefix("it happened in hop ") })
    }
  }
}
