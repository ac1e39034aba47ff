import Reactive

/// The form on a terminal: two fields, a button, and a line for messages.
final class LoginScreen: Sendable {
  /// A field that accepts text.
  enum Field: Sendable { case username, password }

  /// What the screen shows.
  struct Picture: Sendable, Equatable {
    var username = ""
    var password = ""
    var field = Field.username
    var isButtonEnabled = false
    var message = ""
  }

  private let form: LoginForm
  private let service: LoginService
  private let field = MutableProperty(Field.username, "field")

  init(_ form: LoginForm, _ service: LoginService) {
    self.form = form
    self.service = service
  }

  /// Sends the current picture on subscription, and then each that differs from the previous one.
  var pictures: Signal<Picture, Never> {
    combineLatest(
      form.username.signal,
      form.password.signal.map { String(repeating: "•", count: $0.count) },
      field.signal,
      form.logIn.isEnabled.signal,
      form.message.signal
    )
    .map {
      Picture(username: $0, password: $1, field: $2, isButtonEnabled: $3, message: $4)
    }
    .distinctUntilChanged()
  }

  /// Handles a key press.
  func press(_ key: Key) {
    switch key {
    case .character(let character): typed.modify { $0.append(character) }
    case .erase: typed.modify { _ = $0.popLast() }
    case .tab: field.modify { $0 = $0 == .username ? .password : .username }
    case .enter: form.logIn.execute()
    case .logOut: service.logOut()
    case .quit: break
    }
  }

  private var typed: MutableProperty<String> {
    field.value == .username ? form.username : form.password
  }
}
