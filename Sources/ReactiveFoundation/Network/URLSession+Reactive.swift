public import Foundation
public import FoundationNetworking
public import Reactive
import ReactiveTrace

extension URLSession: ReactiveBridging {}

extension Bridged where Base: URLSession {
  /// A cold signal of the answer to a request.
  ///
  /// ```
  /// data(for:)   ---(1|)   or   ---#
  /// ```
  ///
  /// ```swift
  /// URLSession.shared.reactive.data(for: request)
  ///   .retry(2)
  ///   .subscribe { print($0.data.count) }
  /// ```
  ///
  /// Each subscription makes a request of its own; disposal cancels it, unless all of its answer is here. (Foundation on
  /// Linux traps where a task is cancelled in the instant in which its answer comes. Next to nothing is left of that
  /// instant here, but not nothing: where requests are cancelled by the thousand, let them end.) An answer with an unhappy status is an
  /// answer: `validStatus` makes failures of them. A session that is
  /// invalidated fails the requests under way, and Foundation traps at the next.
  ///
  /// - Parameters:
  ///   - request: Address, method, headers, body and time limit.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that sends one value and completes, or fails. It sends on the session's delegate queue:
  ///   `deliver(on:)` moves it elsewhere.
  /// - Complexity: Retains the body until it is complete.
  public func data(
    for request: URLRequest,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<DataResponse, RequestFailure> {
    signal(Site("data(for:)", file, line, column), request.url) { [base] answer in
      base.dataTask(with: request, completionHandler: answer)
    }
  }

  /// A cold signal of the answer to a request for an address.
  ///
  /// - Parameters:
  ///   - url: The address. Foundation loads no files on Linux: one with the scheme `file` fails, and
  ///     `Data.contents(of:)` reads it.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: As ``data(for:file:line:column:)``.
  public func data(
    from url: URL,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<DataResponse, RequestFailure> {
    signal(Site("data(from:)", file, line, column), url) { [base] answer in
      base.dataTask(with: url, completionHandler: answer)
    }
  }

  /// A cold signal that sends data to a server, and then what that answers.
  ///
  /// - Parameters:
  ///   - data: The body; that of the request is not used.
  ///   - request: Address, method, headers and time limit.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: As ``data(for:file:line:column:)``; each subscription sends the data anew.
  public func upload(
    _ data: Data,
    for request: URLRequest,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<DataResponse, RequestFailure> {
    signal(Site("upload(for:)", file, line, column), request.url) { [base] answer in
      base.uploadTask(with: request, from: data, completionHandler: answer)
    }
  }

  private func signal(
    _ site: Site,
    _ url: URL?,
    _ makeTask:
      @escaping @Sendable (
        _ answer: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
      ) -> URLSessionTask
  ) -> Signal<DataResponse, RequestFailure> {
    .source(site, argument: url.map(Self.name), on: networkCallbacks) { [base] inlet in
      let cancellation = Cancellation()
      let task = makeTask { data, response, error in
        cancellation.isAnswered()
        inlet.enter { observer in
          if let response, error == nil {
            observer.send(DataResponse(data: data ?? Data(), response: response))
            if !observer.isDisposed { observer.complete() }
          } else {
            observer.fail(RequestFailure(url, error ?? URLError(.badServerResponse)))
          }
        }
      }
      cancellation.task = task
      inlet.onDispose { [weak base] in cancellation.cancel(on: base?.delegateQueue) }
      task.resume()
    }
  }

  /// Host and path: a query may hold what is not for a log.
  private static func name(_ url: URL) -> String { (url.host ?? "") + url.path }
}

/// Cancels a task so that Foundation survives it.
///
/// Foundation (Swift 6.3) does the work of `cancel()` later, on a queue of its own, and traps there where the task has
/// handed out an answer or a failure meanwhile and has been forgotten: which it can while the cache has not replied. An
/// answer is handed out on the delegate queue, one at a time, and the task is forgotten after that. So a task is
/// cancelled there too, and never after its answer; and an answer that comes after the cancellation is held back until the
/// work of that is done.
///
/// Unchecked for `task`, which is set before anything can be cancelled or answered.
private final class Cancellation: @unchecked Sendable {
  weak var task: URLSessionTask?
  private let hasAnswer = BooleanDisposable()
  private let isAsked = BooleanDisposable()

  func cancel(on queue: OperationQueue?) {
    if hasAnswer.isDisposed { return }
    // A session that is gone has no tasks.
    queue?.addOperation { [self] in
      if hasAnswer.isDisposed { return }
      isAsked.dispose()
      task?.cancel()
    }
  }

  /// On the delegate queue, before anything else.
  func isAnswered() {
    hasAnswer.dispose()
    guard isAsked.isDisposed, let task else { return }
    // Kept, so that it can be replaced while it is looked at.
    let before = task.error
    // The work of the cancellation leaves its failure in the task. It is under way, so that this is over soon; if it
    // were not, going on loses no more than not having waited.
    let deadline = ContinuousClock.now + .seconds(10)
    while (task.error as? URLError)?.code != .cancelled, ContinuousClock.now < deadline {
      usleep(50)
    }
    withExtendedLifetime(before) {}
  }
}

/// The delegate queues of sessions, as traces show them.
private let networkCallbacks = SchedulerIdentity(name: "URLSession", kind: .serialQueue)

extension Signal where Value == DataResponse, Failure == RequestFailure {
  /// Fails where the status of an answer is none of those wanted.
  ///
  /// ```
  /// source            -a-|      an answer with status 404
  /// validStatus(…)    -#
  /// ```
  ///
  /// Answers that have no status, because they are not of HTTP, pass.
  ///
  /// - Parameters:
  ///   - statuses: Those that are wanted.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal of the answers with such a status. The failure has the answer in it.
  public func validStatus(
    _ statuses: Range<Int> = 200..<300,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    tryMap(at: Site("validStatus", file, line, column, .passes), argument: "\(statuses)") {
      (answer: DataResponse) throws(RequestFailure) -> DataResponse in
      guard let status = answer.status, !statuses.contains(status) else { return answer }
      throw RequestFailure(answer.response.url, answer)
    }
  }
}
