import Reactive

/// The state of the form and everything derived from it; no code says when to update anything.
final class LoginForm: Sendable {
  let username = MutableProperty("", "username")
  let password = MutableProperty("", "password")
  let isLoggedIn = MutableProperty(false, "is logged in")
  let message = MutableProperty("", "message")
  /// The action of the button; disabled while a field is empty, while it runs, and after a login.
  let logIn: Action<Void, String, LoginFailure>

  init(_ service: LoginService) {
    let mayLogIn = combineLatest(username.signal, password.signal, isLoggedIn.signal)
      .map { username, password, isLoggedIn in
        !username.isEmpty && !password.isEmpty && !isLoggedIn
      }
    logIn = Action(enabledIf: mayLogIn) { [username, password] in
      service.logIn(username.value, password.value)
    }

    merge(
      logIn.isExecuting.signal.filter { $0 }.map(to: "logging in …"),
      logIn.values.map { "Welcome, \($0)." },
      logIn.errors.map { "\($0)" },
      service.loggedOut.map(to: "Logged out.")
    )
    .bind(to: message)

    merge(logIn.values.map(to: true), service.loggedOut.map(to: false))
      .bind(to: isLoggedIn)
  }
}
