public import TraceFormat

extension Signal {
  /// Runs a closure before the terminal event, completion or failure, is forwarded.
  ///
  /// ```
  /// source      -1-2-|
  /// finally     -1-2-x|      x: the closure
  /// ```
  ///
  /// The closure does not run on disposal, nor if the subscription ends because the source can no
  /// longer send; for these cases, use ``doDisposed(_:file:line:column:)``. (`finalize` of RxJS and
  /// `do(onDispose:)` of RxSwift also run on disposal.)
  ///
  /// - Parameters:
  ///   - action: Runs at most once per subscription, when upstream has been torn down.
  /// - Returns: A signal with the same events.
  @inlinable
  public func finally(
    _ action: @escaping @Sendable () -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("finally", file, line, column, .passes), .one(self)) { [self] down in
      attachWatchingEnd(to: down) { end in
        switch end {
        case .completed, .failed: action()
        case .sourceGone: break
        }
      }
    }
  }

  /// Runs a closure with the terminal event, completion or failure, before the event is forwarded.
  ///
  /// ```
  /// source           -1-2-#
  /// doTerminated     -1-2-x#      x: the closure, with the failure
  /// ```
  ///
  /// Works like ``finally(_:file:line:column:)``, but passes the failure, if any, to the closure.
  ///
  /// - Parameters:
  ///   - action: Receives the failure, or nil for completion.
  /// - Returns: A signal with the same events.
  @inlinable
  public func doTerminated(
    _ action: @escaping @Sendable (_ failure: Failure?) -> Void,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("doTerminated", file, line, column, .passes), .one(self)) { [self] down in
      attachWatchingEnd(to: down) { end in
        switch end {
        case .completed: action(nil)
        case .failed(let error): action(error)
        case .sourceGone: break
        }
      }
    }
  }
}
