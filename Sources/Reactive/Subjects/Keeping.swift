import TraceFormat

/// What is kept for late subscribers: how many values, and for how long.
struct Keeping: Sendable {
  let capacity: Int
  private let duration: Duration?
  private let scheduler: (any Scheduler)?

  /// Values without an end to their time.
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

  /// A hub that keeps them so.
  func makeHub<Value: Sendable, Failure: Error>() -> Hub<Value, Failure> {
    let hub = Hub<Value, Failure>(capacity: capacity)
    if let duration, let scheduler { hub.lifespan = Lifespan(duration, scheduler) }
    return hub
  }

  /// As it is written in code, with what the capacity is called.
  ///
  /// - Parameters:
  ///   - label: Before the capacity.
  ///   - isOptional: Whether it may be left out, where it is `.max`.
  ///   - rest: Other arguments.
  /// - Returns: For the signal.
  func argument(_ label: String, isOptional: Bool = true, _ rest: String? = nil) -> Argument {
    .written { [capacity, duration] in
      let count = isOptional && capacity == .max ? nil : label + spelled(capacity)
      return [count, duration.map { "lasting: \(spelled($0)), …" }, rest]
        .compactMap { $0 }.joined(separator: ", ")
    }
  }
}

/// When the values that a hub keeps have come.
///
/// Unchecked: only whoever is inside the gate of the hub uses it.
final class Lifespan: @unchecked Sendable {
  private let duration: Duration
  private let scheduler: any Scheduler
  private var times = Fifo<Duration>()

  init(_ duration: Duration, _ scheduler: any Scheduler) {
    self.duration = duration
    self.scheduler = scheduler
  }

  /// Another value is kept from now on.
  func began() { times.push(scheduler.now) }

  /// The oldest is not kept any more.
  func ended() { _ = times.pop() }

  /// Whether the oldest has been kept for long enough.
  var isOver: Bool { times.first.map { scheduler.now - $0 >= duration } ?? false }
}
