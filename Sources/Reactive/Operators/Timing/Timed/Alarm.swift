/// The state of a timer whose deadline only moves later.
///
/// The timer is armed for the first deadline; if it fires before the current deadline, it is armed
/// again for the remaining time.
///
/// So at most one timer is armed at a time, and a new deadline does not cost a new timer.
@usableFromInline
struct Alarm: Sendable {
  @usableFromInline
  enum Fired: Sendable, Equatable {
    /// No deadline is set.
    case idle
    case due
    /// The timer fired before the deadline, and has to be armed again for this delay.
    case early(Duration)
  }

  /// Nil if no deadline is set.
  @usableFromInline var deadline: Duration?
  @usableFromInline var isArmed = false

  @inlinable
  init() {}

  /// Sets the deadline.
  ///
  /// - Returns: The delay for which to arm the timer; nil if the timer is already armed.
  @inlinable
  mutating func set(to deadline: Duration, at now: Duration) -> Duration? {
    self.deadline = deadline
    if isArmed { return nil }
    isArmed = true
    return max(deadline - now, .zero)
  }

  /// Removes the deadline.
  ///
  /// If the timer is armed, it fires without effect.
  @inlinable
  mutating func unset() { deadline = nil }

  /// Handles a firing of the timer; returns whether the deadline has been reached.
  @inlinable
  mutating func fire(at now: Duration) -> Fired {
    isArmed = false
    guard let deadline else { return .idle }
    if deadline > now {
      isArmed = true
      return .early(deadline - now)
    }
    self.deadline = nil
    return .due
  }
}
