import Glibc
import TraceReading

/// Recordings of programs that died.
extension Scene {
  /// A program that crashes in an operator to which a value is delivered on a queue, while the main
  /// thread sends the next value.
  ///
  /// - Parameters:
  ///   - ending: The ending in the header; by default SIGILL on the thread of the queue.
  ///   - isEnded: Whether all work had returned before the crash.
  ///   - offset: Added to identifiers and serials.
  /// - Returns: The recording of the process, which has died.
  static func crashed(
    by ending: TraceEnding? = TraceEnding(.signal(SIGILL), thread: 2),
    isEnded: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let root = recording.site("subscribe", "App/Trip.swift", 7, .root)
    let map = recording.site("map", "App/Trip.swift", 6)
    let deliver = recording.site("deliver(on:)", "App/Trip.swift", 5)
    let source = recording.site("Subject", "App/Trip.swift", 3, [.hot, .endless])
    let road = recording.scheduler("road", .serialQueue)
    recording.threads(2)
    recording.edit { snapshot in
      snapshot.header.level = .events
      snapshot.header.startLevel = .events
      snapshot.threads[2].systemID = 4712
      snapshot.threads[2].name = "road"
      snapshot.chains = [TraceChain(), TraceChain()]
      snapshot.header.ending = ending
      snapshot.processStatus = .died
    }
    let subject = recording.signal(source, at: 0)
    let ids = recording.chain([root, map, deliver, source], at: 0)
    recording.schedule(77, on: road, chain: 1, at: 1)
    recording.begin(.turnBegan, subject, thread: 1, at: 1.1)
    recording.next(ids[3], thread: 1, at: 1.1)
    recording.begin(.hopBegan, TraceID(rawValue: 77), argument: road, thread: 2, at: 1.2)
    recording.begin(.turnBegan, ids[2], thread: 2, at: 1.2)
    recording.next(ids[2], thread: 2, at: 1.2)
    if isEnded {
      recording.begin(.turnEnded, ids[2], thread: 2, at: 1.3)
      recording.begin(.hopEnded, TraceID(rawValue: 77), thread: 2, at: 1.3)
      recording.begin(.turnEnded, subject, thread: 1, at: 1.3)
    }
    return recording
  }
}
