import Dispatch
internal import Foundation
import Reactive

/// Fetches mail in three requests, each of which needs the answer of the previous one.
///
///     swift run inbox [PASSWORD [ANSWERS]]
///
/// The server runs in the same process, on the loopback interface; its password is `engine`. With
/// ANSWERS, the server hangs up after so many answers. Errors of requests are printed in one place.
@main
enum Inbox {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let password = arguments.first ?? "engine"
    let answers = arguments.dropFirst().first.flatMap { Int($0) } ?? .max
    guard let server = MailServer(password: "engine", answers: answers) else {
      return complain("no port of the loopback is free")
    }
    let client = MailClient(port: server.port)

    client.logIn(password: password)
      .then { client.messages(.read) }
      .doNext { messages in print("read before: \(messages.joined(separator: ", "))") }
      .flatMap { messages in client.messages(.after(messages.count)) }
      .doNext { messages in print("new: \(messages.joined(separator: ", "))") }
      .deliver(on: .main)
      .subscribe(
        failed: { failure in
          complain("\(failure)")
          exit(1)
        },
        completed: {
          print("Fetched all messages.")
          exit(0)
        }
      )
    dispatchMain()
  }

  static func complain(_ text: String) {
    FileHandle.standardError.write(Data("inbox: \(text)\n".utf8))
  }
}
