import TraceFormat

/// How many values are kept for late subscribers, and for how long.
struct ReplayPolicy: Sendable {
  let capacity: Int
  private let duration: Duration?
  private let scheduler: (any Scheduler)?

  /// Keeps values without a time limit.
  init(_ capacity: Int) {
    self.capacity = capacity
    duration = nil
    scheduler = nil
  }

  init(_ capacity: Int, lasting duration: Duration, on scheduler: any Scheduler) {
    self.capacity = capacity
    self.duration = duration
    self.scheduler = scheduler
  }

  /// What the trace says of an operator with this policy: whether it keeps values.
  var replayingTraits: SiteTraits { capacity > 0 ? .replays : [] }

  /// Creates a hub that keeps values according to this policy.
  func makeHub<Value: Sendable, Failure: Error>() -> Hub<Value, Failure> {
    let hub = Hub<Value, Failure>(capacity: capacity)
    if let duration, let scheduler { hub.lifespan = Lifespan(duration, scheduler) }
    return hub
  }

  /// The operator's arguments as they are written in code.
  ///
  /// - Parameters:
  ///   - label: The label of the capacity.
  ///   - isOptional: Whether the capacity may be left out if it is `.max`.
  ///   - rest: Other arguments.
  /// - Returns: The arguments, for the signal's name.
  func argument(_ label: String, isOptional: Bool = true, _ rest: String? = nil) -> Argument {
    .written { [capacity, duration] in
      let count = isOptional && capacity == .max ? nil : label + spelled(capacity)
      return [count, duration.map { "lasting: \(spelled($0)), …" }, rest]
        .compactMap { $0 }.joined(separator: ", ")
    }
  }
}

/// The times at which the kept values of a hub were sent.
///
/// Unchecked, because it is only used inside the gate of the hub, which lets one thread at a time
/// deliver events.
@usableFromInline
final class Lifespan: @unchecked Sendable {
  private let duration: Duration
  private let scheduler: any Scheduler
  private var times = Fifo<Duration>()

  init(_ duration: Duration, _ scheduler: any Scheduler) {
    self.duration = duration
    self.scheduler = scheduler
  }

  /// Stores that one more value is kept from now on.
  @usableFromInline
  func began() { times.push(scheduler.now) }

  /// Stores that the oldest value is no longer kept.
  @usableFromInline
  func ended() { _ = times.pop() }

  /// Whether the oldest value has been kept for the whole duration.
  var isOver: Bool { times.first.map { scheduler.now - $0 >= duration } ?? false }
}
