public import Reactive
import ReactiveTrace
public import ServiceContextModule

extension Signal {
  /// Delivers all events with a `ServiceContext`, whatever thread they arrive on.
  ///
  /// ```
  /// source                 -1--2-|
  /// withServiceContext()   -1--2-|      each with the context of its subscriber
  /// ```
  ///
  /// The upstream signal is subscribed to with the context, too, so that the work of a cold signal
  /// belongs to the request for which it is done. Apply this operator last, downstream of the
  /// operators that change threads.
  ///
  /// Where there is no current scheduler, such as on an event loop of NIO, sources that run code of
  /// the program start on the background queue, which carries no context (event contract, rule 8).
  /// Put `subscribe(on: scheduler.carryingServiceContext())` upstream there.
  ///
  /// - Parameters:
  ///   - context: The context; nil for the context that is current at each subscription, if there
  ///     is any.
  /// - Returns: A signal with the same events as this signal.
  public func withServiceContext(
    _ context: ServiceContext? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let site = Site("withServiceContext", file, line, column, .hot)
    return .source(site) { [self] inlet in
      guard let context = context ?? ServiceContext.current else {
        return inlet.enter { _ = subscribe($0) }
      }
      // Disposal passes through from the beginning on, because a source may send everything before
      // `subscribe` returns.
      _ = ServiceContext.withValue(context) {
        subscribe(
          started: { subscription in inlet.onDispose { subscription.dispose() } },
          next: { value in ServiceContext.withValue(context) { inlet.send(value) } },
          failed: { error in ServiceContext.withValue(context) { inlet.fail(error) } },
          completed: { ServiceContext.withValue(context) { inlet.complete() } },
          file: file,
          line: line,
          column: column
        )
      }
    }
  }
}
