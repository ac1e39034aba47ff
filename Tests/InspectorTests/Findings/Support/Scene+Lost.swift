import TraceReading

/// Recordings of programs that lose values because somebody subscribes too late.
///
/// Times are in seconds.
extension Scene {
  /// Pages that subscribe to a shared signal after it has sent its value.
  ///
  /// The value comes from a property that keeps one or, with `keepsOne` false, from something that
  /// was sent. With `isServed`, another value comes while a page is open. `between` are the traits
  /// of an operator between the page and the shared signal; if it waits for all of its inputs,
  /// another input sends a value. The pages stay open with `staysOpen`.
  static func profiles(
    _ count: Int,
    keepsOne: Bool = true,
    isServed: Bool = false,
    between: SiteTraits = .passes,
    staysOpen: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let header = recording.site("subscribe", "App/Profile.swift", 9, .root)
    let page = recording.site("subscribe", "App/Profile.swift", 20, .root)
    let operation = recording.site("operator", "App/Profile.swift", 19, between)
    let posts = recording.site("create", "App/Profile.swift", 18, .source)
    let share = recording.site("share", "App/Profile.swift", 8, [.passes, .shares, .refCounted])
    let property = recording.site("MutableProperty", "App/Profile.swift", 4, [.hot, .endless])
    let account = recording.signal(property, at: 0)
    let shared = recording.signal(share, of: account, at: 0)
    let first = recording.subscribe(header, at: 0)
    let reader = recording.subscribe(share, to: first, of: shared, at: 0)
    let running = recording.subscribe(share, of: shared, at: 0)
    let source = recording.subscribe(property, to: running, of: account, at: 0)
    if keepsOne {
      recording.next(source, at: 0)
    } else {
      recording.turn(account, at: 0.1) { $0.next(source, at: 0.1) }
    }
    for id in [running, reader, first] { recording.next(id, at: 0.2) }
    for number in 0..<count {
      let time = 1 + 0.8 * Double(number)
      let root = recording.subscribe(page, at: time)
      let stage = recording.subscribe(operation, to: root, at: time)
      let late = recording.subscribe(share, to: stage, of: shared, at: time)
      if between.contains(.waitsForAll) {
        let other = recording.subscribe(posts, to: stage, at: time)
        recording.next(other, at: time + 0.1)
      }
      if isServed {
        recording.turn(account, at: time + 0.3) { recording in
          for id in [source, running, reader, first, late, stage, root] {
            recording.next(id, at: time + 0.3)
          }
        }
      }
      if !staysOpen { recording.end([late, stage, root], at: time + 0.6) }
    }
    recording.mark("later", at: 4)
    return recording
  }
}
