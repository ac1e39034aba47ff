import Glibc
import TraceReading

/// Divides random key presses into sessions, each of which opens one of several recordings.
struct KeyCampaign {
  let files: [(path: String, bytes: [UInt8])]
  let seed: UInt64
  let presses: Int
  var pressesOfSession = 1000
  var framesEvery = 1

  /// The number of sessions that are needed for all presses.
  var sessions: Int { (presses + pressesOfSession - 1) / pressesOfSession }

  func session(_ part: Int) -> KeySession {
    KeySession(
      file: files[part % files.count].bytes,
      seed: seed,
      part: part,
      presses: min(pressesOfSession, presses - part * pressesOfSession),
      framesEvery: framesEvery
    )
  }

  /// The bytes of a recording.
  ///
  /// A text file is assembled into a recording.
  static func contents(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "re") else {
      throw TraceError(.system, "cannot be opened: \(String(cString: strerror(errno)))", path: path)
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard path.hasSuffix(".txt") else { return bytes }
    return try TraceText.assemble(String(decoding: bytes, as: UTF8.self))
  }
}

/// The processor time of presses, counted in buckets, eight of which cover a factor of two.
struct PressCosts {
  private var buckets = [Int](repeating: 0, count: 512)
  private(set) var count = 0
  private(set) var longest: UInt64 = 0

  mutating func add(nanoseconds: UInt64) {
    count += 1
    longest = max(longest, nanoseconds)
    buckets[min(buckets.count - 1, Int(log2(Double(max(1, nanoseconds))) * 8))] += 1
  }

  /// The time in nanoseconds that the given fraction of all presses does not exceed; 0 if there
  /// were no presses.
  func quantile(_ part: Double) -> UInt64 {
    let rank = Int((Double(count) * part).rounded(.up))
    var seen = 0
    for (index, number) in buckets.enumerated() where number > 0 {
      seen += number
      if seen >= rank { return min(longest, UInt64(exp2(Double(index + 1) / 8))) }
    }
    return longest
  }
}

/// The processor time of the calling thread, in nanoseconds.
func processorTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
