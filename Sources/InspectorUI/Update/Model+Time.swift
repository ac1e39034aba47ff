import TraceModel

extension Model {
  /// Performs a command that moves through time.
  mutating func travel(_ command: Command) -> [Effect] {
    guard hasInspection else { return [] }
    switch command {
    case .play: return play()
    case .faster: return changeSpeed(1)
    case .slower: return changeSpeed(-1)
    case .bookmark: return bookmark()
    default: break
    }
    let wasPlaying = isPlaying
    isPlaying = false
    switch command {
    case .pause:
      if wasPlaying {
        showNote("Stopped; p plays on, $ goes to the end.")
        return []
      }
      return pause()
    case .seek(let what, let forward): return step(what, forward: forward)
    case .previousEvent: return step(.event, forward: false)
    case .nextEvent: return step(.event, forward: true)
    case .previousChange: return step(.graphChange, forward: false)
    case .nextChange: return step(.graphChange, forward: true)
    case .begin: return go(to: .time(.zero))
    case .end:
      isFollowing = true
      place.list.isPinned = place.screen == .events
      return [.show(.end)]
    case .goTo: return goToSelected()
    case .previousBookmark: return goToBookmark(forward: false)
    case .nextBookmark: return goToBookmark(forward: true)
    default: return []
    }
  }

  /// The position that is shown.
  var currentPosition: Position {
    if let event = inspection.instant.event { return .event(event) }
    return .time(inspection.instant.time)
  }

  private mutating func pause() -> [Effect] {
    guard isRunning else {
      showNote("The program has ended: there is nothing to pause. , and . step through its events.")
      return []
    }
    if isFollowing {
      isFollowing = false
      position = currentPosition
      return []
    }
    isFollowing = true
    return [.show(.end)]
  }

  private mutating func step(_ step: Step, forward: Bool) -> [Effect] {
    // A backward search from the end must be able to find the last event itself, so the search
    // begins at the end and not at that event.
    let isAtEnd = isFollowing && step != .event && step != .graphChange && !forward
    let from = isAtEnd ? .end : isFollowing ? currentPosition : position
    lastStep = step
    stopFollowing()
    return [.step(step, forward: forward, from: from)]
  }

  mutating func go(to position: Position) -> [Effect] {
    stopFollowing()
    return [.show(position)]
  }

  /// Stays at the instant that is shown, until the answer to a request shows another one.
  mutating func stopFollowing() {
    if isFollowing {
      isLeavingEnd = true
      position = currentPosition
    }
    isFollowing = false
    if place.screen == .events { place.list.isPinned = true }
  }

  /// Follows the trace again if the screen stopped following it for a request that has failed.
  mutating func followAgain() {
    guard isLeavingEnd else { return }
    isLeavingEnd = false
    isFollowing = true
    position = .end
  }

  private mutating func goToSelected() -> [Effect] {
    if let table = place.screen.table, let row = rows.place(at: place.list.index) {
      if let event = table.event(self, at: row) {
        if place.screen == .findings {
          path.append(Place(.events))
          place.list.isPinned = true
        }
        return go(to: .event(event))
      }
      if place.screen == .findings {
        showNote("This finding rests on counters, not on single events; Enter goes to its site.")
        return []
      }
    }
    showNote("t jumps to the time of a row on Events or Findings.")
    return []
  }

  // MARK: Bookmarks

  private mutating func bookmark() -> [Effect] {
    let time = inspection.instant.time
    if !bookmarks.contains(time) {
      bookmarks.append(time)
      bookmarks.sort()
    }
    showNote("Bookmarked \(Quantity.moment(time)); b and B go to bookmarks and marks.")
    return []
  }

  private mutating func goToBookmark(forward: Bool) -> [Effect] {
    let now = inspection.instant.time
    let stops: [(time: Duration, position: Position, name: String)] =
      bookmarks.map { ($0, .time($0), "bookmark") }
      + inspection.allMarks.map { ($0.time, .mark($0.id), displayName($0.name, columns: 40)) }
    let candidates = stops.filter { forward ? $0.time > now : $0.time < now }
    let nearest =
      forward ? candidates.min { $0.time < $1.time } : candidates.max { $0.time < $1.time }
    guard let nearest else {
      showNote(
        "There is no bookmark or mark \(forward ? "after" : "before") this moment; m sets one."
      )
      return []
    }
    showNote(
      "At \(nearest.name.isEmpty ? "a mark" : "'\(nearest.name)'"), \(Quantity.moment(nearest.time))."
    )
    return go(to: nearest.position)
  }
}
