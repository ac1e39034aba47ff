/// The event of a `refused` record.
public enum RefusedEvent: UInt32, CaseIterable, Sendable {
  case next = 0
  case failed = 1
  case completed = 2
}
