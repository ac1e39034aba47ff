internal import Glibc

/// Draws pictures: on a terminal always in the same place, elsewhere each on a separate line.
final class Terminal: Sendable {
  private let isReal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  private let former: termios

  /// Puts the terminal into raw mode: keys arrive one by one and are not echoed.
  init() {
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    former = settings
    guard isReal else { return }
    cfmakeraw(&settings)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Restores the settings of the terminal.
  func restore() {
    guard isReal else { return }
    var former = former
    tcsetattr(STDIN_FILENO, TCSANOW, &former)
    write("\r\n")
  }

  func draw(_ picture: LoginScreen.Picture) {
    let (user, password) = (picture.username, picture.password)
    let isFirst = picture.field == .username
    guard isReal else {
      let fields = isFirst ? "\(user)_ | \(password)" : "\(user) | \(password)_"
      let button = picture.isButtonEnabled ? "[Log in]" : "(Log in)"
      return write("\(fields) | \(button) | \(picture.message)\n")
    }
    let cursor = "\u{1B}[7m \u{1B}[0m"
    let button =
      picture.isButtonEnabled ? "\u{1B}[7m Log in \u{1B}[0m" : "\u{1B}[2m Log in \u{1B}[0m"
    let lines = [
      "User      \(user)\(isFirst ? cursor : "")",
      "Password  \(password)\(isFirst ? "" : cursor)",
      "", button, "", picture.message, "",
      "Tab other field   Enter log in   Ctrl-O log out   Ctrl-D quit",
    ]
    write("\u{1B}[H\u{1B}[2J" + lines.map { "  \($0)\r\n" }.joined())
  }

  private func write(_ text: String) {
    print(text, terminator: "")
    fflush(nil)
  }
}
