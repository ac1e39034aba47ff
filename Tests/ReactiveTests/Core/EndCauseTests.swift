import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceFindings
import TraceModel
import TraceReading

/// Tests the recorded causes of the ends of subscriptions.
@Suite struct EndCauseTests {
  @Test(arguments: (operators + others).indices)
  func eachKindOfEndHasItsCause(_ place: Int) async {
    await #expect(processExitsWith: .success) { [place] in
      let one = (Self.operators + Self.others)[place]
      let report = try await EndReport { one.run() }
      #expect(
        Array(report.lines.prefix(one.ends.count)) == one.ends,
        "\(one.name): \(report.lines)"
      )
      // The records of the cause and of the end have the same thread and time. If the cause names a
      // signal, subscription or other entity, that was created in `EndCauseCases.swift`.
      for row in report.rows {
        let cause = try #require(EndedBy(ofEndIn: row, report.snapshot.records), "\(one.name)")
        let (record, reported) = (report.snapshot.records[row], report.snapshot.records[cause.row])
        #expect(record.thread == reported.thread)
        #expect(record.ticks == reported.ticks)
        if cause.by != .none {
          let site = try #require(report.site(cause.by, row))
          #expect(site.file.hasSuffix("/EndCauseCases.swift"), "\(site.file)")
        }
      }
    }
  }

  /// Disposes of `disposable`, and returns the line of that call.
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
      let place = try #require(AsyncBacktraceText.ownPlaces(in: lines).first)
      #expect(place.contains("close(_:) at "), "\(lines)")
      #expect(place.hasSuffix("EndCauseTests.swift:\(line)"), "\(lines)")
    }
  }

  @Test(arguments: [true, false])
  func theCauseOfAnEndInAHopRefersToTheHopAndWhereItWasScheduled(_ hasEvents: Bool) async {
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

  @Test func anEndInsideAnotherHasASeparateCauseThatRefersToTheOther() async {
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
      // The program disposed of `other`, the subscription to `map`, while `take` was ending its
      // upstream.
      let beside = try #require(report.cause(of: "map"))
      #expect(beside.cause == .disposed)
      // The inner signal ended with `flatMap`, which `take` ended at its first value.
      let inner = try #require(report.cause(of: "doDisposed"))
      #expect(inner.cause == .downstream)
      #expect(report.site(inner.by, inner.row)?.name == "flatMap")
      let end = try #require(EndedBy.end(of: inner.by, after: inner.row, records))
      let above = try #require(EndedBy(ofEndIn: end, records))
      #expect(above.cause == .operator)
      #expect(report.site(above.by, above.row)?.name == "take")
      // The completion that `take` sent downstream refers to the same cause.
      let last = try #require(report.rows.last)
      let down = try #require(EndedBy(ofEndIn: last, records))
      #expect(down.upstreamEnd(report.snapshot)?.row == above.row)
    }
  }

  @Test func theThreadThatWinsARaceToDisposeIsTheCause() async {
    await #expect(processExitsWith: .success) {
      let rounds = 200
      let winners = Locked<[UInt]>([])
      let names = Locked<[UInt: String]>([:])
      let report = try await EndReport {
        let disposables = (0..<rounds).map { _ in
          Signal<Int, Never>.never()
            .doDisposed { winners.withLock { $0.append(threadNumber()) } }
            .subscribe()
        }
        let barriers = (0..<rounds).map { _ in SpinBarrier(of: 2) }
        onPlainThreads(2) { index in
          // These subscriptions identify the threads in the trace.
          if index == 0 {
            Signal<Int, Never>.just(1).subscribe()
          } else {
            Signal<Int, Never>.empty().subscribe()
          }
          names.withLock { $0[threadNumber()] = index == 0 ? "just" : "empty" }
          for (disposable, barrier) in zip(disposables, barriers) {
            barrier.wait()
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

  @Test func cancellingATaskIsTheCause() async {
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

  @Test func awaitingTheFirstValueIsTheCauseOfItsEnd() async {
    await #expect(processExitsWith: .success) {
      let report = try await EndReport { _ = await Signal<Int, Never>.from(1...3).first() }
      let row = try #require(report.row(of: "first"))
      let cause = try #require(EndedBy(ofEndIn: row, report.snapshot.records))
      #expect(cause.cause == .operator)
      #expect(cause.by == report.snapshot.records[row].entity)
    }
  }

  @Test func anOperatorFromBeforeTheRecordingIsNotConfusedWithAnother() async {
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

  /// Whichever records are lost, no wrong cause is reported.
  @Test func withLostRecordsTheCauseIsTheSameOrUnknown() async {
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
          // The gap can affect only the causes of ends near it.
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

  /// Subscribes to two values, and returns the line of that call.
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
      let entry = try #require(report.store.life(report.snapshot.records[row].entity, at: row))
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
