import Reactive

/// What the form knows, and what follows from it: no line of it says when anything is to be updated.
final class LoginForm: Sendable {
  let username = MutableProperty("", "username")
  let password = MutableProperty("", "password")
  let isLoggedIn = MutableProperty(false, "is logged in")
  let message = MutableProperty("", "message")
  /// What the button does; disabled where nothing is typed, while it runs, and for a user who is logged in.
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
