import TraceReading

/// Recordings of programs that lose values because something ends while it holds one, or because
/// somebody subscribes too late.
///
/// Times are in seconds.
extension Scene {
  /// Editors that save their text after a pause in typing, each of which a trigger closes.
  ///
  /// With `isInTime`, an editor is closed after the pause, and before it otherwise. `work` are the
  /// traits of the operator that saves. With `savesAtTheEnd`, the program saves the text itself
  /// when it closes an editor.
  static func editors(
    _ count: Int,
    isInTime: Bool = false,
    work: SiteTraits = [.merging, .flattens, .queuesInner],
    savesAtTheEnd: Bool = false,
    offset: UInt32 = 0
  ) -> Recording {
    var recording = Recording(offset: offset)
    let save = recording.site("create", "App/Draft.swift", 3, .source)
    let property = recording.site("MutableProperty", "App/Draft.swift", 4, [.hot, .endless])
    let subject = recording.site("Subject", "App/Draft.swift", 5, [.hot, .endless, .subject])
    let sites = [
      recording.site("subscribe", "App/Draft.swift", 9, .root),
      recording.site("worker", "App/Draft.swift", 8, work),
      recording.site("take(until:)", "App/Draft.swift", 7, [.bounding, .passes, .triggers]),
      recording.site("debounce", "App/Draft.swift", 6, .keepsLatest),
    ]
    let other = recording.site("subscribe", "App/Draft.swift", 12, .root)
    let (text, closed) = (recording.signal(property, at: 0), recording.signal(subject, at: 0))
    for editor in 0..<count {
      let start = 1.5 * Double(editor)
      let ids = recording.chain(sites, at: start)
      let trigger = recording.subscribe(subject, to: ids[2], of: closed, at: start)
      let input = recording.subscribe(property, to: ids[3], of: text, at: start)
      for (time, passes) in [(start + 0.1, true), (start + 0.6, isInTime)] {
        recording.turn(text, at: time) { $0.next(input, at: time) }
        let timer = recording.arm(sites[3], every: 0.3, for: ids[3], at: time)
        guard passes else {
          recording.endTimer(timer, .cancelled, at: time + 0.1)
          continue
        }
        recording.fire(timer, usefully: true, at: time + 0.3)
        recording.endTimer(timer, .completed, at: time + 0.3)
        for id in [ids[3], ids[2]] { recording.next(id, at: time + 0.3) }
        let one = recording.subscribe(save, to: ids[1], at: time + 0.3)
        for id in [one, ids[1], ids[0]] { recording.next(id, at: time + 0.35) }
        recording.end(one, .completed, at: time + 0.35)
      }
      let end = start + (isInTime ? 1 : 0.7)
      recording.turn(closed, at: end) { recording in
        recording.next(trigger, at: end)
        recording.end([trigger, input, ids[3]], at: end)
        for id in [ids[2], ids[1], ids[0]] { recording.end(id, .completed, at: end) }
      }
      guard savesAtTheEnd else { continue }
      let last = recording.chain([other, save], at: end + 0.01)
      for id in last.reversed() { recording.next(id, at: end + 0.05) }
      for id in last.reversed() { recording.end(id, .completed, at: end + 0.05) }
    }
    recording.mark("later", at: 1.5 * Double(count) + 1)
    return recording
  }

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

extension Recording {
  /// Records the end of a timer, and removes its slot.
  mutating func endTimer(_ timer: TraceID, _ reason: EndReason, at seconds: Double) {
    appendRecord(.timerEnded, timer, argument: reason.rawValue, at: seconds)
    edit { snapshot in
      guard let place = snapshot.slots.firstIndex(where: { $0.id == timer }) else { return }
      snapshot.sites[Int(snapshot.slots[place].site)].timersEnded += 1
      snapshot.slots[place] = TraceSlot()
      snapshot.slots[place].id = timer
    }
  }
}
