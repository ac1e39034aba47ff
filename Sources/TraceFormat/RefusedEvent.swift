/// The event that a `refused` record reports as dropped.
public enum RefusedEvent: UInt32, CaseIterable, Sendable {
  case next = 0
  case failed = 1
  case completed = 2
}
