import ReactiveTrace

extension Signal {
  /// A cold signal that runs an asynchronous function in a Swift task, and sends what it returns.
  ///
  /// ```
  /// task { try await load() }   --1|   or   --#
  /// ```
  ///
  /// Each subscription starts a task, which is cancelled when the subscription ends before it; what it returns
  /// or throws then is dropped. It inherits the priority and the task-local values of where the subscription
  /// is made, and its asynchronous backtrace leads back there.
  ///
  /// - Parameters:
  ///   - priority: Of the task; nil for that of where the subscription is made.
  ///   - body: Runs once per subscription.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that sends one value and completes, or fails.
  public static func task(
    priority: TaskPriority? = nil,
    _ body: @escaping @Sendable () async throws(Failure) -> Value,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal {
    Signal(Site("task", file, line, column, .source)) { down in
      down.startTask(priority) { observer in
        do throws(Failure) {
          let value = try await body()
          guard !observer.isDisposed else { return }
          observer.send(value)
          if !observer.isDisposed { observer.complete() }
        } catch {
          if !observer.isDisposed { observer.fail(error) }
        }
      }
    }
  }

  /// A cold signal that sends the elements of an asynchronous sequence, then completes, or fails as that
  /// does.
  ///
  /// ```
  /// sequence       -1--2-|
  /// from(async:)   -1--2-|
  /// ```
  ///
  /// Each subscription goes through the sequence in a task of its own, which is cancelled when the
  /// subscription ends. (An `AsyncStream` gives each of its elements to one of them only: `share` the signal.)
  /// The next element is asked for when the one before has been handled.
  ///
  /// - Parameters:
  ///   - values: The sequence.
  ///   - priority: Of the task; nil for that of where the subscription is made.
  ///   - file: The file of the call; recorded in traces, with line and column, as the place of the
  ///     operator.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A signal that ends as the sequence does.
  public static func from<Values: AsyncSequence & Sendable>(
    async values: Values,
    priority: TaskPriority? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal where Values.Element == Value, Values.Failure == Failure {
    Signal(Site("from(async:)", file, line, column, .source)) { down in
      down.startTask(priority) { observer in
        var iterator = values.makeAsyncIterator()
        do throws(Failure) {
          while let value = try await iterator.next(isolation: nil) {
            if observer.isDisposed { return }
            observer.send(value)
          }
          if !observer.isDisposed { observer.complete() }
        } catch {
          if !observer.isDisposed { observer.fail(error) }
        }
      }
    }
  }
}

extension Sink {
  /// Starts a task that belongs to this subscription: a recorded hop, which is where its backtrace begins.
  func startTask(
    _ priority: TaskPriority?,
    _ body: @escaping @Sendable (Observer<Value, Failure>) async -> Void
  ) {
    let outlet = Outlet(self)
    scope.own(outlet)
    let observer = Observer(handle: ObserverHandle(outlet, scope))
    var hop = TraceHop()
    if Tracer.isOn {
      hop = Tracer.hopScheduled(
        scheduler: ExecutorScheduler.tasks.identity.traceNumber,
        subscription: trace?.id ?? .none
      )
    }
    Tracer.makingTask(of: hop) {
      let task = Task(priority: priority) { [hop] in
        guard !observer.isDisposed else { return Tracer.hopCancelled(hop) }
        Tracer.run(hop) {}
        await body(observer)
      }
      scope.own(ActionTeardown { task.cancel() })
    }
  }
}
