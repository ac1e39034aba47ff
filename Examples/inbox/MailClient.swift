internal import Foundation
internal import FoundationNetworking
import Reactive
internal import ReactiveFoundation

/// Why a request of the mail client failed.
enum MailFailure: Error, CustomStringConvertible {
  case refused(request: String, status: Int)
  case unanswered(request: String)

  var description: String {
    switch self {
    case .refused(let request, let status): "the server refuses '\(request)' with status \(status)"
    case .unanswered(let request): "the server does not answer '\(request)'"
    }
  }
}

/// Sends requests to a mail server: each signal makes its request anew for each subscription.
final class MailClient: Sendable {
  /// The messages that a request asks for.
  enum Selection: Sendable {
    case read
    case after(Int)

    var path: String {
      switch self {
      case .read: "/read"
      case .after(let count): "/new/\(count)"
      }
    }
  }

  private let port: UInt16
  /// The identifier of the session, which the server returns on login.
  private let session = MutableProperty("", "session")

  init(port: UInt16) { self.port = port }

  /// Begins a session; completes without a value.
  func logIn(password: String) -> Signal<Never, MailFailure> {
    request("/login", header: "Password", password)
      .doNext { [session] answer in session.value = answer }
      .ignoreValues()
  }

  /// Sends the messages as a list.
  func messages(_ selection: Selection) -> Signal<[String], MailFailure> {
    // The session is read on subscription, not when this method is called.
    Signal.deferred { [self] in request(selection.path, header: "Session", session.value) }
      .map { text in text.split(separator: "\n").map(String.init) }
  }

  private func request(
    _ path: String,
    header: String,
    _ value: String
  ) -> Signal<String, MailFailure> {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
      return .failed(.unanswered(request: path))
    }
    var request = URLRequest(url: url)
    request.setValue(value, forHTTPHeaderField: header)
    return URLSession.shared.reactive.data(for: request)
      .validStatus()
      .mapFailure { failure in
        failure.response?.status.map { .refused(request: path, status: $0) }
          ?? .unanswered(request: path)
      }
      .map { answer in String(decoding: answer.data, as: UTF8.self) }
  }
}
