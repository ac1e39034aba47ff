import Reactive
import ReactiveTesting
import Testing

/// The samples in the introduction of ReactiveCocoa's README.
///
/// `MutableProperty` stands for an observed property, `Button` for a button, and `Server` for the
/// network.
@Suite struct TourIntroductionTests {
  @Test func aPropertySendsItsValueThenEachChange() {
    let console = Console()
    let username = MutableProperty("bob")

    username.signal.subscribe { console.print($0) }
    username.value = "john"

    #expect(console.lines == ["bob", "john"])
  }

  @Test func onlyNamesThatBeginWithJAreLogged() {
    let console = Console()
    let username = MutableProperty("bob")

    username.signal
      .filter { $0.hasPrefix("j") }
      .subscribe { console.print($0) }
    for name in ["joshaber", "alice", "john"] { username.value = name }

    #expect(console.lines == ["joshaber", "john"])
  }

  @Test func stateIsDerivedFromSignals() {
    let password = MutableProperty("")
    let confirmation = MutableProperty("")
    let createEnabled = MutableProperty(false)

    combineLatest(password.signal, confirmation.signal)
      .map { password, confirmation in password == confirmation }
      .bind(to: createEnabled)

    #expect(createEnabled.value)
    password.value = "secret"
    #expect(!createEnabled.value)
    confirmation.value = "secret"
    #expect(createEnabled.value)
  }

  @Test func aButtonLogsAMessageWheneverItIsPressed() {
    let console = Console()
    let button = Button()

    button.executes(
      Command<Void, Void, Never>(on: .immediate) { _ in
        console.print("button was pressed!")
        return .empty()
      }
    )
    button.press()
    button.press()

    #expect(console.lines == ["button was pressed!", "button was pressed!"])
  }

  @Test func theLoginButtonExecutesTheLoginCommand() {
    let console = Console()
    let time = TestScheduler()
    let client = Server(console, time)
    do {
      let loginButton = Button()
      let loginCommand = Command<Void, String, Offline>(on: time) { _ in
        client.answer("login", "user")
      }

      loginCommand.executionSignals.subscribe { login in
        login.subscribe(completed: { console.print("Logged in successfully!") })
      }
      loginButton.executes(loginCommand)
      loginButton.press()
      time.advance(by: .milliseconds(500))
      #expect(!loginButton.isEnabled.value)
      loginButton.press()
      time.run()
      loginButton.press()
      time.run()
    }
    // The work that runs here reports the end of the released command.
    time.run()

    #expect(
      console.lines == [
        "begin login", "Logged in successfully!", "begin login", "Logged in successfully!",
      ]
    )
  }

  @Test func twoConcurrentRequestsAreDoneWhenBothAre() {
    let console = Console()
    let time = TestScheduler()
    let client = Server(console, time)

    merge(
      client.answer("user repos", ["a"], after: .seconds(1)),
      client.answer("org repos", ["b"], after: .seconds(3))
    )
    .subscribe(failed: { _ in }, completed: { console.print("They're both done!") })

    time.advance(by: .seconds(2))
    #expect(console.lines == ["begin user repos", "begin org repos"])
    time.advance(by: .seconds(1))
    #expect(console.lines.last == "They're both done!")
  }

  @Test func operationsFollowEachOtherInsteadOfNesting() {
    let console = Console()
    let time = TestScheduler()
    let client = Server(console, time)

    client.answer("log in", "joshaber")
      .flatMap { user in client.answer("cached messages of \(user)", [1, 2]) }
      .flatMap { messages in client.answer("messages after \(messages.last ?? 0)", [3, 4]) }
      .subscribe(
        next: { console.print("New messages: \($0)") },
        failed: { console.print("\($0)") },
        completed: { console.print("Fetched all messages.") }
      )
    time.run()

    #expect(
      console.lines == [
        "begin log in", "begin cached messages of joshaber", "begin messages after 2",
        "New messages: [3, 4]", "Fetched all messages.",
      ]
    )
    #expect(time.now == .seconds(3))
  }

  @Test func workMovesToTheBackgroundAndItsResultBackToTheMainScheduler() {
    let console = Console()
    let background = TestScheduler()
    let main = TestScheduler()
    let client = Server(console, main)
    let image = MutableProperty<String?>(nil)

    client.answer("user joshaber", "avatar.png")
      .deliver(on: background)
      .map { path in
        console.print("download \(path)")
        return "<\(path)>"
      }
      .deliver(on: main)
      .map { Optional($0) }
      .catch { _ in Signal<String?, Never>.just(nil) }
      .bind(to: image)

    main.run()
    #expect(console.lines == ["begin user joshaber"])
    background.run()
    #expect(console.lines.last == "download avatar.png")
    #expect(image.value == nil)
    main.run()
    #expect(image.value == "<avatar.png>")
  }
}
