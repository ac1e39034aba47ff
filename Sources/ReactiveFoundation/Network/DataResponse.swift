public import Foundation
public import FoundationNetworking

/// A server's response, with its body.
public struct DataResponse: Sendable {
  /// The body; empty where there is none.
  public let data: Data
  /// The URL, length and type of the response; for HTTP, an `HTTPURLResponse`.
  public let response: URLResponse

  /// Creates a response, for use in tests.
  public init(data: Data, response: URLResponse) {
    self.data = data
    self.response = response
  }

  /// The HTTP status; nil for other protocols.
  public var status: Int? { (response as? HTTPURLResponse)?.statusCode }
}

/// Why a request failed.
public struct RequestFailure: Error, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The loading system reported an error: see ``RequestFailure/underlying``.
    public static let notLoaded = Code(name: "notLoaded")
    /// There is a response, but its status is not accepted.
    public static let status = Code(name: "status")

    /// The name of the code.
    public var description: String { name }
  }

  /// What kind of failure it is.
  public let code: Code
  /// The URL that was requested.
  public let url: URL?
  /// The error of the loading system, usually a `URLError`; nil for ``Code/status``.
  public let underlying: (any Error)?
  /// The response, for ``Code/status``; nil otherwise.
  public let response: DataResponse?

  init(_ url: URL?, _ underlying: any Error) {
    code = .notLoaded
    self.url = url
    self.underlying = underlying
    response = nil
  }

  init(_ url: URL?, _ response: DataResponse) {
    code = .status
    self.url = url
    underlying = nil
    self.response = response
  }

  /// The code of ``underlying``, if that is a `URLError`.
  public var urlErrorCode: URLError.Code? { (underlying as? URLError)?.code }

  /// One sentence: the URL that was requested, and what happened.
  ///
  /// The query, fragment, user and password of the URL are left out, since they may contain secrets
  /// that do not belong in a log; ``url`` contains them.
  public var description: String {
    let target = url.map { "'\(Self.text($0))'" } ?? "a request without an address"
    if let response {
      let answer = "status \(response.status ?? 0), \(response.data.count) bytes"
      return "\(target) was answered with \(answer)"
    }
    if url?.isFileURL == true, urlErrorCode == .unsupportedURL {
      return "\(target) could not be loaded: URLSession loads no files on Linux; "
        + "read it with Data.contents(of:)"
    }
    guard let underlying else { return "\(target) could not be loaded" }
    return "\(target) could not be loaded: \(underlying.localizedDescription)"
  }

  private static func text(_ url: URL) -> String {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return (url.host ?? "") + url.path
    }
    (parts.query, parts.fragment, parts.user, parts.password) = (nil, nil, nil, nil)
    return parts.string ?? (url.host ?? "") + url.path
  }
}
