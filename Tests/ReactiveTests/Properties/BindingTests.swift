import Logging
import Reactive
import ReactiveTesting
import Testing

/// Bindings end with their target, and a property has one binding at a time.
///
/// Serialized, because the process has only one handler for conflicts.
@Suite(.serialized) struct BindingTests {
  private final class Board: Sendable {
    private let box = Box<Int>(0)
    var total: Int {
      get { box.value ?? 0 }
      set { box.value = newValue }
    }
    var other: Int {
      get { box.value ?? 0 }
      set { box.value = newValue }
    }
  }

  private final class Pane: LifetimeProviding, Sendable {
    private let token = Lifetime.Token()
    private let box = Box<Int>(0)
    var lifetime: Lifetime { token.lifetime }
    var total: Int {
      get { box.value ?? 0 }
      set { box.value = newValue }
    }
  }

  /// The conflicts reported while `body` runs, as the property and the lines of both bindings.
  private func conflicts(_ body: () -> Void) -> [String] {
    let seen = Recorder<String, Never>()
    BindingConflict.setHandler { seen.next("\($0) \($1.line) \($2.line)") }
    defer { BindingConflict.setHandler(nil) }
    body()
    return seen.values
  }

  @Test func aSecondLiveBindingIsRefusedAndReportedWithBothPlaces() {
    let board = Board()
    let first = Subject<Int, Never>()
    let second = Subject<Int, Never>()
    let line = #line + 4
    let found = conflicts {
      withExtendedLifetime(
        (
          first.signal.bind(to: \.total, on: board),
          second.signal.bind(to: \.total, on: board)
        )
      ) { _, refused in #expect(refused.isDisposed) }
      second.send(2)
      #expect(board.total == 0)
      first.send(1)
      #expect(board.total == 1)
    }
    #expect(found == ["\\Board.<computed (Int)> \(line) \(line + 1)"])
  }

  @Test func bindingAnotherPropertyOrObjectOrBindingLaterIsNoConflict() {
    let board = Board()
    let subject = Subject<Int, Never>()
    let found = conflicts {
      let binding = subject.signal.bind(to: \.total, on: board)
      subject.signal.bind(to: \.other, on: board)
      subject.signal.bind(to: \.total, on: Board())
      binding.dispose()
      subject.signal.take(1).bind(to: \.total, on: board)
      subject.send(1)
      subject.signal.bind(to: \.total, on: board)
    }
    #expect(found == [])
  }

  @Test func anObjectAtTheAddressOfAFormerOneCanBeBound() {
    let subject = Subject<Int, Never>()
    let found = conflicts {
      for _ in 0..<100 { subject.signal.bind(to: \.total, on: Board()) }
    }
    #expect(found == [])
    subject.complete()
  }

  @Test func aConflictStopsADebugBuild() async {
    #if DEBUG
    await #expect(processExitsWith: .failure) {
      let property = MutableProperty(0)
      Signal<Int, Never>.never().bind(to: property)
      Signal<Int, Never>.never().bind(to: property)
    }
    #endif  // DEBUG
  }

  @Test func aBindingEndsAtOnceWithATargetThatHasALifetime() {
    let subject = Subject<Int, Never>()
    var pane: Pane? = Pane()
    let binding = pane.map { subject.signal.bind(to: \.total, on: $0) }
    let other = pane.map { subject.signal.subscribe(with: $0) { $0.total = $1 } }
    subject.send(1)
    #expect(pane?.total == 1)
    #expect(binding?.isDisposed == false)
    #expect(other?.isDisposed == false)
    pane = nil
    #expect(binding?.isDisposed == true)
    #expect(other?.isDisposed == true)
  }

  @Test func aBoundPropertyKeepsItsLastValueAndCanStillBeSet() {
    let property = MutableProperty(0)
    let seen = property.signal.recorded()
    let subject = Subject<Int, Never>()
    let binding = subject.signal.bind(to: property)
    subject.send(1)
    property.value = 5
    subject.send(2)
    subject.complete()
    #expect(binding.isDisposed)
    #expect(seen.events == [.next(0), .next(1), .next(5), .next(2)])
  }

  @Test func aBindingEndsWithTheProperty() {
    let subject = Subject<Int, Never>()
    var property: MutableProperty<Int>? = MutableProperty(0)
    let binding = property.map { subject.signal.bind(to: $0) }
    weak let held = property
    property = nil
    #expect(held == nil)
    #expect(binding?.isDisposed == true)
  }

  @Test func aSecondBindingOfAPropertyIsRefused() {
    let property = MutableProperty(0, "total")
    let found = conflicts {
      Signal<Int, Never>.never().bind(to: property)
      #expect(Signal<Int, Never>.just(1).bind(to: property).isDisposed)
    }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("total ") == true)
    #expect(property.value == 0)
  }

  @Test func anObservedPropertyCanBeBound() {
    struct Fields: Sendable {
      @Observed var text = "a"
      var property: MutableProperty<String> { _text.property }
    }
    let fields = Fields()
    let subject = Subject<String, Never>()
    let binding = subject.signal.bind(to: fields.property)
    subject.send("c")
    #expect(fields.text == "c")
    binding.dispose()
  }

  @Test func onlyOneOfEightThreadsBinds() {
    let property = MutableProperty(0)
    let source = Subject<Int, Never>()
    let found = conflicts {
      onPlainThreads(8) { _ in source.signal.bind(to: property) }
      source.send(1)
    }
    #expect(found.count == 7)
    #expect(property.value == 1)
  }
}

extension MainQueueTests {
  @Suite(.serialized) struct MainActorBindingTests {
    @MainActor private final class Label {
      var text = ""
    }

    @MainActor @Test func setsThePropertyOnTheMainActorAndEndsWithTheObject() {
      let subject = Subject<String, Never>()
      var label: Label? = Label()
      weak let held = label
      let binding = label.map { subject.signal.bind(to: \.text, onMainActor: $0) }
      subject.send("a")
      #expect(label?.text == "a")
      label = nil
      #expect(held == nil)
      subject.send("b")
      #expect(binding?.isDisposed == true)
    }
  }
}
