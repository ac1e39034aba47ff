import Reactive
import ReactiveTesting
import Testing

/// The samples of ReactiveCocoa's README, section "When to use ReactiveCocoa".
@Suite struct TourUseCasesTests {
  /// The screen of the sample: two text fields, a button, and the state of the session.
  private final class LoginForm: Sendable {
    let username = MutableProperty("")
    let password = MutableProperty("")
    let isLoggingIn = MutableProperty(false)
    let isLoggedIn = MutableProperty(false)
    let logInButton = Button()
    let loggedOut = Subject<Void, Never>()
    private let console: Console

    init(_ console: Console, _ server: Server) {
      self.console = console
      combineLatest(username.signal, password.signal, isLoggingIn.signal, isLoggedIn.signal)
        .map { username, password, isLoggingIn, isLoggedIn in
          !username.isEmpty && !password.isEmpty && !isLoggingIn && !isLoggedIn
        }
        .bind(to: logInButton.isEnabled)

      logInButton.presses.subscribe { [weak self] in self?.logIn(server) }

      loggedOut.signal
        .map { false }
        .bind(to: isLoggedIn)
    }

    private func logIn(_ server: Server) {
      isLoggingIn.value = true
      server.answer("login of \(username.value)", true)
        .doDisposed { [isLoggingIn] in isLoggingIn.value = false }
        .subscribe(
          failed: { [weak self] in self?.present($0) },
          completed: { [weak self] in self?.isLoggedIn.value = true }
        )
    }

    private func present(_ error: Offline) { console.print("\(error)") }
  }

  @Test func theLoginButtonIsEnabledWhileALoginIsPossible() {
    let console = Console()
    let time = TestScheduler()
    let form = LoginForm(console, Server(console, time))
    var isEnabled: Bool { form.logInButton.isEnabled.value }

    #expect(!isEnabled)
    form.username.value = "joshaber"
    #expect(!isEnabled)
    form.password.value = "secret"
    #expect(isEnabled)

    form.logInButton.press()
    #expect(form.isLoggingIn.value)
    #expect(!isEnabled)
    time.run()
    #expect(form.isLoggedIn.value)
    #expect(!isEnabled)

    form.loggedOut.send()
    #expect(!form.isLoggedIn.value)
    #expect(isEnabled)
    #expect(console.lines == ["begin login of joshaber"])
  }

  @Test func aLoginThatFailsIsReportedAndCanBeTriedAgain() {
    let console = Console()
    let time = TestScheduler()
    let server = Server(console, time)
    let form = LoginForm(console, server)
    form.username.value = "joshaber"
    form.password.value = "secret"
    server.disconnect()

    form.logInButton.press()
    time.run()

    #expect(console.lines == ["begin login of joshaber", "Offline()"])
    #expect(!form.isLoggedIn.value)
    #expect(form.logInButton.isEnabled.value)
  }

  /// The requests of the sample, each of which begins when the previous one has succeeded.
  private func fetchAllMessages(from client: Server, _ console: Console) {
    client.answer("log in", true)
      .then { client.answer("cached messages", [1, 2]) }
      .flatMap { messages in client.answer("messages after \(messages.last ?? 0)", [3]) }
      .subscribe(
        failed: { console.print("\($0)") },
        completed: { console.print("Fetched all messages.") }
      )
  }

  @Test func dependentOperationsFollowEachOther() {
    let console = Console()
    let time = TestScheduler()

    fetchAllMessages(from: Server(console, time), console)
    time.run()

    #expect(
      console.lines == [
        "begin log in", "begin cached messages", "begin messages after 2",
        "Fetched all messages.",
      ]
    )
  }

  @Test func oneHandlerSufficesForTheFailureOfAnyOfThem() {
    let console = Console()
    let time = TestScheduler()
    let client = Server(console, time)

    fetchAllMessages(from: client, console)
    time.advance(by: .seconds(1))
    client.disconnect()
    time.run()

    #expect(console.lines == ["begin log in", "begin cached messages", "Offline()"])
  }

  @Test func independentWorkRunsAtTheSameTimeAndIsCombinedAtTheEnd() {
    let console = Console()
    let database = TestScheduler()
    let disk = TestScheduler()
    let databaseSignal = Signal<[String], Never>.create { observer in
      console.print("query")
      observer.send(["object"])
      observer.complete()
    }
    .subscribe(on: database)
    // The work begins without a subscriber, and the signal keeps the result for later ones.
    let fileSignal = Signal<[String], Never>.create { observer in
      console.print("read")
      observer.send(["one", "two"].map { "contents of \($0)" })
      observer.complete()
    }
    .subscribe(on: disk)
    .replay()

    disk.run()
    #expect(console.lines == ["read"])
    combineLatest(databaseSignal, fileSignal)
      .map { objects, contents in console.print("process \(objects) and \(contents)") }
      .subscribe(completed: { console.print("Done processing") })
    #expect(console.lines == ["read"])
    database.run()

    #expect(
      console.lines == [
        "read", "query",
        #"process ["object"] and ["contents of one", "contents of two"]"#,
        "Done processing",
      ]
    )
  }

  @Test func aCollectionIsTransformedWithoutALoop() {
    let strings = ["a", "bc", "", "def"]
    var looped: [String] = []
    for string in strings {
      if string.count < 2 { continue }
      looped.append(string + "foobar")
    }

    let results = strings.lazyList
      .filter { $0.count >= 2 }
      .map { $0 + "foobar" }

    #expect(Array(results) == looped)
    #expect(Array(results) == ["bcfoobar", "deffoobar"])
  }
}
