/// One timer for a deadline that only moves later, as a value: it is armed once for many deadlines,
/// and if it fires before the last of them, armed again for the rest.
///
/// So there is never more than one timer under way, and no timer is cancelled and armed anew for
/// each value.
@usableFromInline
struct Alarm: Sendable {
  @usableFromInline
  enum Fired: Sendable, Equatable {
    /// No deadline is set.
    case idle
    case due
    /// It fired before the deadline: to be armed again for this delay.
    case early(Duration)
  }

  /// When it is due; nil if there is nothing to wait for.
  @usableFromInline var deadline: Duration?
  @usableFromInline var isArmed = false

  @inlinable
  init() {}

  /// Sets the deadline.
  ///
  /// - Returns: The delay for which to arm the timer, if it is not armed.
  @inlinable
  mutating func set(to deadline: Duration, at now: Duration) -> Duration? {
    self.deadline = deadline
    if isArmed { return nil }
    isArmed = true
    return max(deadline - now, .zero)
  }

  /// Removes the deadline.
  ///
  /// The timer, if it is armed, fires without effect.
  @inlinable
  mutating func unset() { deadline = nil }

  /// The timer has fired.
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
