import Reactive
import ReactiveTesting
import Testing

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

  @MainActor @Test func sendsItsValueThenEachSetUntilItsOwnerEnds() {
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

  @MainActor @Test func aSubscriptionDoesNotKeepTheOwner() {
    var model: Model? = Model()
    weak let held = model
    let signal = model?.$username
    let subscription = signal?.subscribe { _ in }
    model = nil
    #expect(held == nil)
    #expect(subscription?.isDisposed == true)
    #expect(signal?.recorded().events == [.next(""), .completed])
  }

  @MainActor @Test func hasTheNameItWasGivenAndThePlaceOfItsDeclaration() {
    let model = Model()
    #expect(model.$username.description == "name")
    #expect(model.$password.description == "Observed(…)")
    #expect(model.line == 8)
  }

  @Test func copiesOfAStructureShareIt() {
    let first = Fields()
    let second = first
    second.text = "b"
    #expect(first.text == "b")
  }

  @Test func standsInAnActor() async {
    let account = Account()
    let seen = await account.signal.recorded()
    await account.deposit()
    #expect(seen.values == [1, 2])
  }
}
