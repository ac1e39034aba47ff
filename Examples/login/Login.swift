import Dispatch
internal import Glibc
import Reactive

/// A login form whose button is enabled depending on the fields, the service and the session.
///
///     swift run login            in a terminal; the user is ada, the password engine
///     RXTRACE=1 swift run login  the same, to be inspected with rxtop
///
/// Unless input and output are terminals, login prints a line for each change; its test reads them.
@main
enum Login {
  static func main() {
    let terminal = Terminal()
    let service = LoginService()
    let form = LoginForm(service)
    let screen = LoginScreen(form, service)
    let bag = DisposableBag()

    screen.pictures.subscribe { terminal.draw($0) }.store(in: bag)
    Keyboard.keys()
      .take(while: { $0 != .quit })
      .subscribe(
        next: { screen.press($0) },
        completed: {
          bag.empty()
          terminal.restore()
          exit(0)
        }
      )
    dispatchMain()
  }
}
