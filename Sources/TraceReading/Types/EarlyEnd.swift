import Glibc

/// That a recording, or the stream of one, ended before its program did: where, and why.
public struct EarlyEnd: Sendable, Equatable {
  /// Why it ended.
  public enum Cause: Sendable, Equatable {
    /// The file of a stream would have become larger than its `limit=`, in bytes; the ring goes on.
    case limitReached(UInt64)
    /// A segment of a stream could not be appended, with the system's number of the error, 0 if it is not known; the
    /// ring goes on.
    case streamFailed(Int32)
    /// All of the recording stopped, with the system's number of the error: the disk had no room for what was to be
    /// written next, or the file lost what it had.
    case recordingStopped(Int32)
  }

  /// Why it ended.
  public var cause: Cause
  /// Ticks at about which it ended; nil if no record tells.
  public var ticks: UInt64?

  /// An end.
  public init(_ cause: Cause, ticks: UInt64? = nil) {
    self.cause = cause
    self.ticks = ticks
  }

  /// The system's number of the error; nil where there was none, or it is not known.
  public var error: Int32? {
    switch cause {
    case .limitReached: nil
    case .streamFailed(let number), .recordingStopped(let number): number == 0 ? nil : number
    }
  }

  /// Why, behind "because": `the disk was full`.
  public var reason: String {
    switch cause {
    case .limitReached: "its file had reached its limit="
    case .streamFailed(let number), .recordingStopped(let number):
      switch number {
      case ENOSPC: "the disk was full"
      case EDQUOT: "the user's quota of the disk was used up"
      case EFBIG: "the program may not make larger files"
      case EBADF: "the program had closed the descriptor of its file"
      case EIO: "its file was cut, or its disk had failed"
      case 0: "of an error that is not known"
      default: "of an error: \(String(cString: strerror(number)))"
      }
    }
  }
}

extension TraceHeader {
  /// Why the recording, or its stream, ended before its program did; nil if it has not.
  ///
  /// The one place that knows the fields of the header that tell of it.
  public var earlyEndCause: EarlyEnd.Cause? {
    if stopError != 0 { return .recordingStopped(stopError) }
    return switch tailState {
    case .none, .growing: nil
    case .limitReached: .limitReached(limit)
    case .failed: .streamFailed(tailError)
    }
  }
}

extension TraceSnapshot {
  /// Where and why the recording, or its stream, ended before its program did; nil if it has not.
  ///
  /// - Complexity: O(n / 4096).
  public var earlyEnd: EarlyEnd? {
    guard let cause = header.earlyEndCause else { return nil }
    if case .recordingStopped = cause { return EarlyEnd(cause, ticks: header.stopTicks) }
    if let row = records.lastRow(of: RecordKinds(.tailEnded)) {
      return EarlyEnd(cause, ticks: records[row].ticks)
    }
    // The ring may have overwritten the record; the last segment in the tail was full soon after its beginning.
    return EarlyEnd(cause, ticks: segments.last { $0.isInTail }?.baseTicks)
  }
}
