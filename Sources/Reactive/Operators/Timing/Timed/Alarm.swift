/// One timer for a deadline that only moves later, as a value: it is armed once for many deadlines, and
/// where it fires before the last of them, armed again for the rest.
///
/// So there is never more than one timer under way, and none has to be cancelled and armed anew for each
/// value.
@usableFromInline
struct Alarm: Sendable {
  @usableFromInline
  enum Fired: Sendable, Equatable {
    /// No deadline is set.
    case idle
    case due
    /// Before the deadline: to be armed again for this delay.
    case early(Duration)
  }

  /// When it is due; nil while there is nothing to wait for.
  @usableFromInline var deadline: Duration?
  @usableFromInline var isArmed = false

  @inlinable
  init() {}

  /// Sets the deadline.
  ///
  /// - Returns: What to arm the timer for, if it is not armed.
  @inlinable
  mutating func set(to deadline: Duration, at now: Duration) -> Duration? {
    self.deadline = deadline
    if isArmed { return nil }
    isArmed = true
    return max(deadline - now, .zero)
  }

  /// Nothing is to be waited for any more.
  ///
  /// The timer, if it is armed, fires in vain.
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
