import Reactive
import ReactiveTesting
import ReactiveTrace
import Testing
import TraceReading

@Suite struct ObservedTests {
  @MainActor private final class Model {
    @Observed("name") var username = ""
    @Observed var password = ""
    var line: UInt32 { $password.site.line }
  }

  private struct Fields: Sendable {
    @Observed var text = "a"
  }

  private actor Account {
    @Observed var balance = 1
    func deposit() { balance += 1 }
    var signal: Signal<Int, Never> { $balance }
  }

  @MainActor @Test func sendsItsValueThenEachNewValueUntilItsOwnerIsReleased() {
    let seen = Recorder<String, Never>()
    do {
      let model = Model()
      seen.record(model.$username)
      model.username = "bob"
      model.username = "bob"
      #expect(model.username == "bob")
    }
    #expect(seen.events == [.next(""), .next("bob"), .next("bob"), .completed])
  }

  @MainActor @Test func aSubscriptionDoesNotRetainTheOwner() {
    var model: Model? = Model()
    weak let held = model
    let signal = model?.$username
    let subscription = signal?.subscribe { _ in }
    model = nil
    #expect(held == nil)
    #expect(subscription?.isDisposed == true)
    #expect(signal?.recorded().events == [.next(""), .completed])
  }

  @MainActor @Test func hasTheGivenNameAndThePlaceOfItsDeclaration() {
    let model = Model()
    #expect(model.$username.description == "name")
    #expect(model.line == 10)
  }

  @MainActor @Test func hasTheNameOfItsProperty() async {
    #expect(Model().$password.description == "Model.password")
    #expect(Model().$password.map { $0 }.description == "Model.password.map(…)")
    #expect(await Account().signal.description == "Account.balance")
    // A property wrapper in a structure cannot know which structure that is.
    #expect(Fields().$text.description == "Observed(…)")
  }

  @Test func hasTheNameOfThePropertyInTheTrace() async {
    await #expect(processExitsWith: .success) {
      try PrivateTrace.start()
      defer { PrivateTrace.remove() }
      let model = Model()
      let (first, again, other) = await (model.$password, model.$password, model.$username)
      let now = try TraceReader(path: #require(Trace.path)).snapshot()
      let named = now.records.filter { $0.kind == .signalNamed }.map { now.string($0.argument) }
      #expect(named == ["name", "Model.password"])
      #expect(first === again)
      withExtendedLifetime((model, other)) {}
    }
  }

  @Test func copiesOfAStructureShareIt() {
    let first = Fields()
    let second = first
    second.text = "b"
    #expect(first.text == "b")
  }

  @Test func canBeUsedInAnActor() async {
    let account = Account()
    let seen = await account.signal.recorded()
    await account.deposit()
    #expect(seen.values == [1, 2])
  }
}
