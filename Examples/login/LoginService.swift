import Reactive

/// Why a login failed.
enum LoginFailure: Error, CustomStringConvertible {
  case wrongPassword

  var description: String { "Wrong name or password." }
}

/// Stands in for a server: it takes a moment to answer, on a separate queue, and knows one user.
final class LoginService: Sendable {
  private let queue = QueueScheduler(label: "login service")
  private let logouts = Subject<Void, Never>("logouts")

  /// Sends whenever the session has ended.
  var loggedOut: Signal<Void, Never> { logouts.signal }

  /// Sends the full name of the user.
  func logIn(_ username: String, _ password: String) -> Signal<String, LoginFailure> {
    Signal.timer(after: .milliseconds(200), on: queue)
      .tryMap { _ throws(LoginFailure) in
        guard username == "ada", password == "engine" else { throw .wrongPassword }
        return "Ada Lovelace"
      }
      .deliver(on: .main)
  }

  func logOut() { logouts.send() }
}
