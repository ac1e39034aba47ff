public import Observation
import TraceFormat
import Synchronization

extension Signal where Failure == Never {
  /// Sends what a closure reads from an `@Observable` object, on subscription and whenever it
  /// changes.
  ///
  /// ```swift
  /// Signal.observing(account, on: accounts) { $0.balance }
  /// ```
  ///
  /// The Observation module reports *that* a property will be set, once, just before it is set. So
  /// the object is read again in later work of the scheduler, which has these consequences:
  ///
  /// - The object must be changed by work of that one serial scheduler (or of its queue). A set on
  ///   another thread may take effect after the object was read, and is then sent only with the
  ///   next change.
  /// - Several sets between a change and the next read are sent as one, with the last value; if the
  ///   property was set back to its old value meanwhile, that value is sent again. To observe each
  ///   set, use ``MutableProperty`` or ``Observed``.
  /// - A value arrives after the set has returned, not during it.
  /// - Other state (`@ObservationIgnored` properties, globals, properties of classes that are not
  ///   `@Observable`) can be read, but its changes are not noticed.
  /// - With an ``ImmediateScheduler`` or ``UIScheduler`` the old value would be read; use
  ///   ``QueueScheduler/main``.
  ///
  /// The object is not kept alive. The signal completes when nothing that was read can change any
  /// more: when the object is released.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - scheduler: Where the object is read, and values are sent.
  ///   - read: Runs once for each value.
  /// - Returns: A signal of the value at the time of the subscription, then after changes. After
  ///   disposal, a small closure stays with the object until its next change.
  public static func observing<Object: AnyObject & Observable & Sendable>(
    _ object: Object,
    on scheduler: some Scheduler,
    _ read: @escaping @Sendable (Object) -> Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let object = WeakReference(object)
    return observing(Site("observing", file, line, column, .hot), scheduler, scheduler) { watch in
      guard let object = object.object else { return nil }
      return withObservationTracking {
        read(object)
      } onChange: {
        watch.willChange()
      }
    }
  }

  /// Sends what a closure reads from an `@Observable` object of the main actor, on subscription and
  /// whenever it changes.
  ///
  /// Works like ``observing(_:on:_:file:line:column:)`` on the main queue: the first value comes at
  /// once if the signal is subscribed to there, others in later work of the main queue. All sets of
  /// one piece of work on the main actor are sent as one.
  ///
  /// - Parameters:
  ///   - object: The object. Only the main actor changes it.
  ///   - read: Runs once for each value.
  /// - Returns: A signal of the value at the time of the subscription, then after changes.
  @MainActor
  public static func observing<Object: AnyObject & Observable>(
    onMainActor object: Object,
    _ read: @escaping @MainActor @Sendable (Object) -> Value,
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Signal {
    let object = MainActorReference(object)
    let site = Site("observing", file, line, column, .hot)
    return observing(site, UIScheduler.shared, QueueScheduler.main) { watch in
      MainActor.assumeIsolated {
        guard let object = object.object else { return nil }
        return withObservationTracking {
          read(object)
        } onChange: {
          watch.willChange()
        }
      }
    }
  }

  private static func observing(
    _ site: Site,
    _ first: any Scheduler,
    _ later: any Scheduler,
    _ read: @escaping @Sendable (ObservationWatch) -> Value?
  ) -> Signal {
    Signal(site) { down in
      let stage = ObservingStage(down, later, read)
      down.scope.own(stage)
      stage.readAgain(on: first)
    }
  }
}

/// Reads a value, and reads it again when it is notified of a change.
///
/// Unchecked because the superclass ``Teardown`` is; the stage's own properties are constant.
private final class ObservingStage<Value: Sendable>: Teardown, ObservationReader,
  @unchecked Sendable
{
  private let outlet: Outlet<Value, Never>
  private let scheduler: any Scheduler
  private let read: @Sendable (ObservationWatch) -> Value?
  /// Scheduled reads, and the scheduled end, that have not begun.
  private let hops = CompositeDisposable(owner: nil)

  init(
    _ down: Sink<Value, Never>,
    _ scheduler: any Scheduler,
    _ read: @escaping @Sendable (ObservationWatch) -> Value?
  ) {
    outlet = Outlet(down)
    self.scheduler = scheduler
    self.read = read
    super.init()
    down.scope.own(outlet)
  }

  func readAgain() { readAgain(on: scheduler) }

  func readAgain(on scheduler: any Scheduler) {
    run(on: scheduler) { [self] in
      guard outlet.scope.isActive else { return }
      if let value = read(ObservationWatch(self)) { outlet.send(value) } else { complete() }
    }
  }

  func nothingCanChange() { run(on: scheduler) { [self] in complete() } }

  private func complete() { outlet.end(.completed) }

  /// Runs `body` as separate work for each read and for the end, so that the end does not replace
  /// the read before it.
  private func run(on scheduler: any Scheduler, _ body: @escaping @Sendable () -> Void) {
    let hop = StageState<ScheduledWork?>(nil)
    let work = ScheduledWork(on: scheduler, for: outlet.trace) { [hops] in
      if let own = hop.value { hops.remove(own) }
      hop.value = nil
      body()
    }
    hop.value = work
    hops.add(work)
    if !work.isDisposed { scheduler.run(work) }
  }

  override func teardown(_ ending: Ending) { hops.dispose() }
}

private protocol ObservationReader: AnyObject, Sendable {
  func readAgain()
  func nothingCanChange()
}

/// Waits for the first change of any of the objects that were read.
///
/// The Observation module cannot cancel an observation, but it releases the observation's closure
/// when the last observed object has been released. So the release of this object shows that no
/// change can come.
private final class ObservationWatch: Sendable {
  private let reader: WeakReader
  private let hasFired = Atomic<Bool>(false)

  init(_ reader: any ObservationReader) { self.reader = WeakReader(reader) }

  /// Called when a property is about to be set, on the thread that sets it.
  func willChange() {
    if hasFired.exchange(true, ordering: .acquiringAndReleasing) { return }
    reader.object?.readAgain()
  }

  deinit {
    if !hasFired.load(ordering: .acquiring) { reader.object?.nothingCanChange() }
  }
}

/// Unchecked because of `object`, which is set once; reading a weak reference is safe on any
/// thread.
private final class WeakReader: @unchecked Sendable {
  private(set) weak var object: (any ObservationReader)?
  init(_ object: any ObservationReader) { self.object = object }
}
