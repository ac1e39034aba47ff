public import Foundation
public import FoundationNetworking
public import Reactive
import ReactiveTrace

extension URLSession: ReactiveBridging {}

extension Bridged where Base: URLSession {
  /// A cold signal of the response to a request.
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
  /// Each subscription makes a separate request; disposal cancels it, unless the whole response has
  /// arrived. (Foundation on Linux traps if a task is cancelled at the moment its response arrives.
  /// This signal makes that very unlikely, but cannot rule it out: a program that would cancel
  /// thousands of requests should let them complete instead.) A response with an error status is
  /// sent like any other: `validStatus` turns it into a failure. Invalidating the session fails the
  /// requests under way; Foundation traps if another request is made afterwards.
  ///
  /// - Parameters:
  ///   - request: The URL, method, headers, body and time limit.
  /// - Returns: A signal that sends one value and completes, or fails. It sends on the session's
  ///   delegate queue: `deliver(on:)` moves it elsewhere.
  /// - Complexity: Retains the body until it is complete.
  public func data(
    for request: URLRequest,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<DataResponse, RequestFailure> {
    signal(Site("data(for:)", file, line, column), request.url) { [base] answer in
      base.dataTask(with: request, completionHandler: answer)
    }
  }

  /// A cold signal of the response to a request for a URL.
  ///
  /// - Parameters:
  ///   - url: The URL. Foundation on Linux does not load files, so the signal fails for a URL with
  ///     the scheme `file`. Use `Data.contents(of:)` to read a file.
  /// - Returns: The same as ``data(for:file:line:column:)``.
  public func data(
    from url: URL,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal<DataResponse, RequestFailure> {
    signal(Site("data(from:)", file, line, column), url) { [base] answer in
      base.dataTask(with: url, completionHandler: answer)
    }
  }

  /// A cold signal that uploads data to a server, and sends the response.
  ///
  /// - Parameters:
  ///   - data: The body; the request's own body is not used.
  ///   - request: The URL, method, headers and time limit.
  /// - Returns: The same as ``data(for:file:line:column:)``; each subscription uploads the data
  ///   anew.
  public func upload(
    _ data: Data,
    for request: URLRequest,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
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

  /// The URL as traces show it: host and path only, because a query may contain secrets that do not
  /// belong in a log.
  private static func name(_ url: URL) -> String { (url.host ?? "") + url.path }
}

/// Cancels a task in a way that does not make Foundation trap.
///
/// Foundation (Swift 6.3) does the work of `cancel()` later, on an internal queue, and traps there
/// if the session has meanwhile delivered the task's response or failure and removed the task,
/// which can happen before the cache has replied. Responses are delivered on the delegate queue,
/// one at a time, and the task is removed after that. So the task is cancelled on that queue too,
/// and never after its response; and a response that comes after the cancellation is held back
/// until the work of the cancellation is done.
///
/// Unchecked because of `task`, which is set before the task can be cancelled or answered.
private final class Cancellation: @unchecked Sendable {
  weak var task: URLSessionTask?
  private let hasAnswer = BooleanDisposable()
  private let isAsked = BooleanDisposable()

  func cancel(on queue: OperationQueue?) {
    if hasAnswer.isDisposed { return }
    // A session that has been released has no tasks.
    queue?.addOperation { [self] in
      if hasAnswer.isDisposed { return }
      isAsked.dispose()
      task?.cancel()
    }
  }

  /// Called on the delegate queue, before the response is sent.
  func isAnswered() {
    hasAnswer.dispose()
    guard isAsked.isDisposed, let task else { return }
    // Retained, because Foundation's queue may replace the error while this thread reads it.
    let before = task.error
    // The cancellation is under way, and stores its error in the task when it is done, so the wait
    // is short. After the deadline, continuing is no worse than not having waited.
    let deadline = ContinuousClock.now + .seconds(10)
    while (task.error as? URLError)?.code != .cancelled, ContinuousClock.now < deadline {
      usleep(50)
    }
    withExtendedLifetime(before) {}
  }
}

/// The scheduler that represents the delegate queues of all sessions in traces.
private let networkCallbacks = SchedulerIdentity(name: "URLSession", kind: .serialQueue)

extension Signal where Value == DataResponse, Failure == RequestFailure {
  /// Fails if the status of a response is not accepted.
  ///
  /// ```
  /// source            -a-|      a response with status 404
  /// validStatus(…)    -#
  /// ```
  ///
  /// Responses without a status, which are not from HTTP, pass.
  ///
  /// - Parameters:
  ///   - statuses: The accepted statuses.
  /// - Returns: A signal of the responses with an accepted status. The failure contains the
  ///   rejected response.
  public func validStatus(
    _ statuses: Range<Int> = 200..<300,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    tryMap(at: Site("validStatus", file, line, column, .passes), argument: "\(statuses)") {
      (answer: DataResponse) throws(RequestFailure) -> DataResponse in
      guard let status = answer.status, !statuses.contains(status) else { return answer }
      throw RequestFailure(answer.response.url, answer)
    }
  }
}
