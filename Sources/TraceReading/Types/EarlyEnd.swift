import Glibc

/// Where and why a recording ended before its program did, or a stream stopped appending records to
/// its file.
public struct EarlyEnd: Sendable, Equatable {
  /// Why it ended.
  public enum Cause: Sendable, Equatable {
    /// The file of a stream would have become larger than its `limit=`, in bytes; recording into
    /// the ring continues.
    case limitReached(UInt64)
    /// A segment of a stream could not be appended, with the system's error number, or 0 if it is
    /// not known; recording into the ring continues.
    case streamFailed(Int32)
    /// The whole recording stopped, with the system's error number: the disk was full, or the file
    /// lost data.
    case recordingStopped(Int32)
  }

  /// Why it ended.
  public var cause: Cause
  /// The approximate time at which it ended, in ticks; nil if it is not known.
  public var ticks: UInt64?

  /// Creates a description of an early end.
  public init(_ cause: Cause, ticks: UInt64? = nil) {
    self.cause = cause
    self.ticks = ticks
  }

  /// The system's error number; nil if there was no error, or it is not known.
  public var error: Int32? {
    switch cause {
    case .limitReached: nil
    case .streamFailed(let number), .recordingStopped(let number): number == 0 ? nil : number
    }
  }

  /// The reason, to follow "because": `the disk was full`.
  public var reason: String {
    switch cause {
    case .limitReached: "its file had reached its 'limit'"
    case .streamFailed(let number), .recordingStopped(let number):
      switch number {
      case ENOSPC: "the disk was full"
      case EDQUOT: "the user's quota of the disk was used up"
      case EFBIG: "the program may not make larger files"
      case EBADF: "the program had closed the descriptor of its file"
      case EIO: "its file was cut, or its disk had failed"
      case 0: "of an unknown error"
      default: "of an error: \(String(cString: strerror(number)))"
      }
    }
  }
}

extension TraceHeader {
  /// Why the recording, or its stream, ended before its program did; nil if it has not.
  ///
  /// No other code reads the fields of the header from which the cause follows.
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
  /// - Complexity: O(n / 4096) in the number of records.
  public var earlyEnd: EarlyEnd? {
    guard let cause = header.earlyEndCause else { return nil }
    if case .recordingStopped = cause { return EarlyEnd(cause, ticks: header.stopTicks) }
    if let row = records.lastRow(of: RecordKinds(.tailEnded)) {
      return EarlyEnd(cause, ticks: records[row].ticks)
    }
    // The ring may have overwritten that record. The last segment of the tail was full soon after
    // it began, so the time at which it began is a good approximation.
    return EarlyEnd(cause, ticks: segments.last { $0.isInTail }?.baseTicks)
  }
}
