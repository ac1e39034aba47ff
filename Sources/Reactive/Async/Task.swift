public import TraceFormat

extension Signal {
  /// A cold signal that runs an asynchronous function in a Swift task, and sends its result.
  ///
  /// ```
  /// task { try await load() }   --1|   or   --#
  /// ```
  ///
  /// Each subscription starts a task. If the subscription ends first, the task is cancelled, and
  /// its result or error is dropped. The task inherits the priority and the task-local values of
  /// the code that subscribes, and its asynchronous backtrace leads back to that code.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; nil for the priority of the code that subscribes.
  ///   - body: Runs once per subscription.
  /// - Returns: A signal that sends one value and completes, or fails.
  @inlinable
  public static func task(
    priority: TaskPriority? = nil,
    _ body: @escaping @Sendable () async throws(Failure) -> Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    Signal(Site("task", file, line, column, .source)) { down in
      let observer = down.taskObserver()
      down.scope.startTask(priority, down.trace) {
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

  /// A cold signal that sends the elements of an asynchronous sequence, then completes or fails as
  /// the sequence does.
  ///
  /// ```
  /// sequence       -1--2-|
  /// from(async:)   -1--2-|
  /// ```
  ///
  /// Each subscription iterates over the sequence in its own task, which is cancelled when the
  /// subscription ends. The next element is requested when the previous one has been handled. An
  /// `AsyncStream` gives each of its elements to only one of its iterators: for several
  /// subscribers, `share` the signal.
  ///
  /// - Parameters:
  ///   - values: The sequence.
  ///   - priority: The priority of the task; nil for the priority of the code that subscribes.
  /// - Returns: A signal that ends as the sequence does.
  @inlinable
  public static func from<Values: AsyncSequence & Sendable>(
    async values: Values,
    priority: TaskPriority? = nil,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal where Values.Element == Value, Values.Failure == Failure {
    Signal(Site("from(async:)", file, line, column, .source)) { down in
      let observer = down.taskObserver()
      down.scope.startTask(priority, down.trace) {
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
  /// The observer to which a task of this subscription sends.
  @inlinable
  func taskObserver() -> Observer<Value, Failure> {
    let outlet = Outlet(self)
    scope.own(outlet)
    return Observer(handle: ObserverHandle(outlet, scope))
  }
}

extension Subscription {
  /// Starts a task that belongs to this subscription.
  ///
  /// The start is recorded as a hop (work that is scheduled in one place and runs in another), so
  /// that the task's backtrace leads back to the subscription.
  @usableFromInline
  final func startTask(
    _ priority: TaskPriority?,
    _ trace: SubscriptionTrace?,
    _ body: @escaping @Sendable () async -> Void
  ) {
    let hop = HopTrace(on: ExecutorScheduler.tasks.identity, for: trace)
    hop.makingTask {
      let task = Task(priority: priority) { [hop] in
        guard !isDisposed else { return hop.cancelled() }
        hop.taskBegan()
        await body()
      }
      own(ActionTeardown { task.cancel() })
    }
  }
}
