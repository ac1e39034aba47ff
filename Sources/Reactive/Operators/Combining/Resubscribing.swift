import CReactiveTraceShims
import Synchronization

/// Subscribes again and again, in a loop, so that a million subscriptions that end at once use no
/// more stack than one.
///
/// If ``resubscribe()`` is called before the current call of `attach` has returned, on this thread
/// or another, the next subscription is made when `attach` returns.
///
/// This class is `@unchecked Sendable` because of the state of subclasses; the state of this class
/// is constant or atomic.
@usableFromInline
class Resubscribing: @unchecked Sendable {
  private let owner: Subscription
  private let downstream: GatedStage?
  /// The number of subscriptions still to be made, including the subscription that is being made.
  private let due = Atomic<Int>(0)
  /// Subscribes once.
  private let attach: @Sendable (Resubscribing) -> Void

  /// - Parameters:
  ///   - owner: The subscription to the operator; when it has ended, no further subscription is
  ///     made.
  ///   - downstream: The nearest gate downstream, which puts events of several threads in order.
  ///   - attach: Subscribes once. The closure receives the object itself, so that it captures
  ///     nothing. A closure is used because a method that a generic subclass overrides would not be
  ///     specialised, and would look up its types at each call.
  @usableFromInline
  init(
    _ owner: Subscription,
    downstream: GatedStage?,
    attach: @escaping @Sendable (Resubscribing) -> Void
  ) {
    self.owner = owner
    self.downstream = downstream
    self.attach = attach
  }

  /// Subscribes for the first time.
  @usableFromInline
  final func start() {
    due.store(1, ordering: .relaxed)
    attach(self)
    finishDue()
  }

  /// Subscribes once more, as soon as no thread is inside a gate downstream (event contract, rule
  /// 10).
  ///
  /// Memory that the caller wrote before the call is visible to the code that makes the
  /// subscription.
  @usableFromInline
  final func resubscribe() {
    // The increment pairs with the decrement in `finishDue`, which another thread may be running.
    if due.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue > 0 { return }
    attachNext()
    finishDue()
  }

  private func finishDue() {
    let outer = rxt_thread_state().pointee.looped
    defer { rxt_thread_state().pointee.looped = outer }
    while due.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0 {
      rxt_thread_state().pointee.looped &+= 1
      attachNext()
    }
  }

  private func attachNext() {
    guard owner.isActive else { return }
    if let downstream, !downstream.isPathOpen { return downstream.whenOpen { self.resubscribe() } }
    attach(self)
  }
}

/// Subscribes to one signal again and again, until `decide` returns `end`.
///
/// This class is `@unchecked Sendable` because its superclass `Resubscribing` is; its own
/// properties are constant.
@usableFromInline
final class ResubscribeStage<Value: Sendable, Failure: Error>: Resubscribing, @unchecked Sendable {
  @usableFromInline
  enum Decision {
    case end
    case resubscribe
    case resubscribeAfter(Duration, on: any Scheduler)
  }

  @usableFromInline let source: Signal<Value, Failure>
  @usableFromInline let down: Sink<Value, Failure>
  @usableFromInline let site: Site
  @usableFromInline let decide: @Sendable (End<Failure>) -> Decision

  /// - Parameters:
  ///   - source: The signal to subscribe to.
  ///   - down: Receives the values and the last end.
  ///   - site: The operator's name and line, under which its timers are recorded.
  ///   - decide: Called with the end of each subscription; calls do not overlap.
  @inlinable
  init(
    _ source: Signal<Value, Failure>,
    _ down: Sink<Value, Failure>,
    _ site: Site,
    _ decide: @escaping @Sendable (End<Failure>) -> Decision
  ) {
    self.source = source
    self.down = down
    self.site = site
    self.decide = decide
    super.init(down.scope, downstream: down.downstreamGate) {
      unsafeDowncast($0, to: ResubscribeStage.self).attach()
    }
  }

  @inlinable
  func attach() {
    let upstream = UpstreamScope<Failure>(in: down.scope) { [self] in ended($0) }
    source.attach(Sink(upstream, down.trace, down.downstreamGate, next: down.next))
  }

  @inlinable
  func ended(_ end: End<Failure>) {
    switch decide(end) {
    case .end: down.scope.end(end)
    case .resubscribe: resubscribe()
    case .resubscribeAfter(let delay, let scheduler): pause(for: delay, on: scheduler)
    }
  }

  /// Subscribes once more after a delay.
  ///
  /// The timer has a separate scope (the object that ends a subscription), so that the timer is
  /// released when the delay has passed.
  @usableFromInline
  func pause(for delay: Duration, on scheduler: any Scheduler) {
    let pause = UpstreamScope<Never>(in: down.scope) { [self] _ in resubscribe() }
    let timer = ScheduledTimer.start(
      on: scheduler,
      after: delay,
      every: nil,
      site: site,
      trace: down.trace
    ) { pause.end(.completed) }
    pause.own(timer)
  }
}
