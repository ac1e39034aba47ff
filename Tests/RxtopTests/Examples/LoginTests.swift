import Foundation
import Testing

/// The login form, typed into through a pipe and on a real terminal.
@Suite(
  .enabled(
    "rxtop and login were not built beside the tests",
    { Programs.built("login") != nil }
  )
)
struct LoginTests {
  private static let dots = (1...6).map { String(repeating: "•", count: $0) }

  @Test func theButtonFollowsTheFieldsTheServiceAndTheSession() async throws {
    let program = try ExampleProcess("login")
    try program.type("ada\twrong\r")
    try await program.prints("Wrong name or password.")
    try program.type("\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}engine\r")
    try await program.prints("Welcome")
    try program.type("\u{F}")
    try await program.prints("[Log in] | Logged out.")
    try program.type("\u{4}")
    #expect(try await program.end() == 0)

    let wrong = "Wrong name or password."
    var expected = ["_ |  | (Log in) | "]
    expected += ["a", "ad", "ada"].map { "\($0)_ |  | (Log in) | " }
    // The button changes before the picture shows the new field.
    expected += ["(Log in)", "[Log in]"].map { "ada | _ | \($0) | " }
    expected += Self.dots.prefix(5).map { "ada | \($0)_ | [Log in] | " }
    // The form first shows that it is running and is then disabled; it is enabled again before it
    // shows the result.
    expected += ["[Log in]", "(Log in)", "[Log in]"].map { "ada | •••••_ | \($0) | logging in …" }
    expected += Self.dots.prefix(5).reversed().map { "ada | \($0)_ | [Log in] | \(wrong)" }
    expected += ["•", ""].map { "ada | \($0)_ | (Log in) | \(wrong)" }
    expected.append("ada | _ | [Log in] | \(wrong)")
    expected += Self.dots.map { "ada | \($0)_ | [Log in] | \(wrong)" }
    expected += ["[Log in]", "(Log in)"].map { "ada | ••••••_ | \($0) | logging in …" }
    expected.append("ada | ••••••_ | (Log in) | Welcome, Ada Lovelace.")
    expected += ["(Log in)", "[Log in]"].map { "ada | ••••••_ | \($0) | Logged out." }
    #expect(program.output.split(separator: "\n").map(String.init) == expected)
    #expect(program.errors.isEmpty)

    let trace = try ExampleTrace(program.trace, of: "login")
    try trace.expect([
      ("MutableProperty", "LoginForm.swift", "let username"),
      ("combineLatest", "LoginForm.swift", "let mayLogIn = combineLatest"),
      ("Action", "LoginForm.swift", "logIn = Action"),
      ("bind(to:)", "LoginForm.swift", ".bind(to: isLoggedIn)"),
      ("bind(to:)", "LoginForm.swift", ".bind(to: message)"),
      ("timer(after:)", "LoginService.swift", "Signal.timer"),
      ("tryMap", "LoginService.swift", ".tryMap"),
      ("deliver(on:)", "LoginService.swift", ".deliver(on: .main)"),
      ("create", "Keyboard.swift", ".create { observer in"),
      ("flatMap", "Keyboard.swift", ".flatMap"),
      ("distinctUntilChanged", "LoginScreen.swift", ".distinctUntilChanged()"),
      ("take(while:)", "Login.swift", ".take(while:"),
      ("subscribe", "Login.swift", "screen.pictures.subscribe"),
    ])
    try trace.expectOwner("DisposableBag", in: "Login.swift", at: "let bag", live: 1)
    try trace.expectOwner("Action", in: "LoginForm.swift", at: "logIn = Action", live: 1)
    trace.expectHops(on: "login service", "main", "ui")
  }

  @Test(.enabled("tmux is not installed", { Programs.tmux != nil }))
  func theFormIsDrawnOnATerminalThatIsThenRestored() async throws {
    let session = try await TmuxSession()
    let program = try #require(Programs.built("login"))
    try session.enter("\(program); echo \"status $?\"")
    try await eventually("the form is there") { session.screen.contains("User") }
    try session.type("ada")
    try session.press("Tab")
    try session.type("engine")
    try await eventually("the fields are filled") { session.screen.contains(/Password +••••••/) }
    #expect(session.screen.contains(/User +ada/))
    try session.press("Enter")
    try await eventually("the user is greeted") {
      session.screen.contains("Welcome, Ada Lovelace.")
    }
    try session.press("C-d")
    try await eventually("it has ended") { session.screen.contains("status 0") }
    try session.enter("echo typed")
    try await eventually("what is typed is echoed again") { session.screen.contains("echo typed") }
  }
}
