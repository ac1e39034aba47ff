import Dispatch
import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

/// Tests the trace of properties and their bindings; each test traces a separate process.
@Suite struct PropertyTraceTests {
  private final class Pane: LifetimeProviding, Sendable {
    private let token = Lifetime.Token()
    private let box = Box<Int>(0)
    var lifetime: Lifetime { token.lifetime }
    var total: Int {
      get { box.value ?? 0 }
      set { box.value = newValue }
    }
    func show(_ value: Int) {}
  }

  @Test func newValuesAreTurnsOfThePropertyAndNamesAndPlacesAreRecorded() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let property = MutableProperty(0, "score")
      let subscription = property.signal.map { $0 + 1 }.subscribe { _ in }
      property.value = 1
      property.value = 2
      let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
      #expect(snapshot.records.count { $0.kind == .turnBegan } == 2)
      let site = try #require(snapshot.sites.first { $0.name == "MutableProperty" })
      #expect(site.file.hasSuffix("PropertyTraceTests.swift"))
      let root = try #require(snapshot.slots.first { $0.kind == .subscription && $0.link == .none })
      #expect(root.eventCount == 3)
      withExtendedLifetime((property, subscription)) {}
    }
  }

  @Test func aValueThatIsReplacedWithoutHavingBeenReadIsRecorded() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let property = MutableProperty(0, "pieces")
      func overwritten() throws -> Int {
        try TraceReader(path: try #require(Trace.path)).snapshot().records
          .count { $0.kind == .valueOverwritten }
      }
      func setElsewhere(_ value: Int) {
        let isSet = DispatchSemaphore(value: 0)
        DispatchQueue(label: "elsewhere").async {
          property.value = value
          isSet.signal()
        }
        isSet.wait()
      }
      property.value += 1
      _ = property.value
      property.value = 2
      setElsewhere(3)
      property.value = 4
      #expect(try overwritten() == 0)
      let before = property.value
      setElsewhere(5)
      property.value = before + 1
      #expect(try overwritten() == 1)
      // A change by `modify` loses nothing.
      _ = property.value
      setElsewhere(6)
      property.modify { $0 += 1 }
      #expect(try overwritten() == 1)
      #expect(property.value == 7)
    }
  }

  @Test func subscriptionsThatEndWithAnOwnerAreRecordedAsOwned() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let subject = Subject<Int, Never>()
      var pane: Pane? = Pane()
      if let pane {
        subject.signal.bind(to: \.total, on: pane)
        subject.signal.subscribe(with: pane) { $0.show($1) }
        subject.signal.take(during: pane.lifetime).subscribe { _ in }
        lift(Pane.show, on: pane, subject.signal)
      }
      let reader = try TraceReader(path: try #require(Trace.path))
      let before = try reader.snapshot()
      let owner = try #require(before.slots.first { $0.kind == .owner })
      #expect(before.sites.first { $0.index == owner.site }?.name == "Lifetime")
      #expect(before.records.count { $0.kind == .ownerBound } == 4)
      pane = nil
      let after = try reader.snapshot()
      #expect(after.records.count { $0.kind == .ownerEnded } == 1)
      let left = after.slots.filter { $0.kind == .subscription && $0.state != .ended }
      #expect(left.isEmpty)
      subject.complete()
    }
  }

  @Test func nothingIsLeftBehind() async {
    await #expect(processExitsWith: .success) {
      assertNoLeaks {
        let model = MutableProperty(0)
        let view = MutableProperty(0)
        let text = MutableProperty("")
        let subject = Subject<Int, Never>()
        let channel = Channel<Int, Never>()
        let pane = Pane()
        view.bindTwoWay(to: model)
        view.bindTwoWay(to: text, from: { Int($0) ?? 0 }, to: { "\($0)" })
        let terminal = model.channel()
        terminal.signal.subscribe(channel.leading)
        channel.leading.signal.subscribe(terminal)
        channel.following.signal.subscribe { _ in }
        subject.signal.bind(to: \.total, on: pane)
        subject.signal.take(during: pane.lifetime).bind(to: model)
        lift(Pane.show, on: pane, subject.signal)
        let derived = Property(initial: 0, then: subject.signal).map { $0 + 1 }
        derived.signal.subscribe { _ in }
        subject.send(1)
        #expect(derived.value == 2)
        channel.following.send(3)
        #expect(text.value == "3")
        channel.leading.complete()
      }
    }
  }

  @Test func aTwoWayBindingShowsBothDirectionsUnderOneRoot() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let a = MutableProperty(0)
      let b = MutableProperty(1)
      let link = a.bindTwoWay(to: b)
      a.value = 2
      let snapshot = try TraceReader(path: try #require(Trace.path)).snapshot()
      let site = try #require(snapshot.sites.first { $0.name == "bindTwoWay(to:)" })
      let root = try #require(snapshot.slots.first { $0.site == site.index })
      let halves = snapshot.slots.filter { $0.kind == .subscription && $0.link == root.id }
      #expect(halves.count == 2)
      withExtendedLifetime((a, b, link)) {}
    }
  }
}
