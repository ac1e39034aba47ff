public import Foundation
public import FoundationNetworking

/// What a server has answered.
public struct DataResponse: Sendable {
  /// The body; empty where there is none.
  public let data: Data
  /// Address, length and type; of HTTP an `HTTPURLResponse`.
  public let response: URLResponse

  /// An answer of one's own, for tests.
  public init(data: Data, response: URLResponse) {
    self.data = data
    self.response = response
  }

  /// The status of HTTP; nil for other protocols.
  public var status: Int? { (response as? HTTPURLResponse)?.statusCode }
}

/// Why there is no answer to a request.
public struct RequestFailure: Error, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The loading system gave up: see ``RequestFailure/underlying``.
    public static let notLoaded = Code(name: "notLoaded")
    /// There is an answer, but its status is none of those wanted.
    public static let status = Code(name: "status")

    /// The name of the code.
    public var description: String { name }
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was asked for.
  public let url: URL?
  /// What the loading system said, as a rule a `URLError`; nil for ``Code/status``.
  public let underlying: (any Error)?
  /// The answer, for ``Code/status``.
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

  /// The code of Foundation, where it is one of those.
  public var urlErrorCode: URLError.Code? { (underlying as? URLError)?.code }

  /// One sentence: what was asked for, and what came of it.
  ///
  /// Query, fragment, user and password of the address are left out, as they may hold what is not for a log; ``url``
  /// has them.
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
