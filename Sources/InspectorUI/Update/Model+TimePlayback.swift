import TraceModel

extension Model {
  /// The speeds of playback, relative to the recording.
  static let playbackSpeeds = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]

  /// The interval at which playback advances the shown instant.
  public static let playbackInterval = Duration.milliseconds(100)

  mutating func play() -> [Effect] {
    if isPlaying {
      isPlaying = false
      position = .time(inspection.instant.time)
      showNote("Stopped; p plays on, $ goes to the end.")
      return []
    }
    let isAtEnd = isFollowing || inspection.instant.time >= inspection.program.duration
    isPlaying = true
    stopFollowing()
    showSpeed()
    // At the end, playback starts from the beginning.
    return isAtEnd ? [.show(.time(beginning))] : []
  }

  /// The beginning of the part of the recording in which no record is missing.
  private var beginning: Duration { inspection.program.exactWindow?.lowerBound ?? .zero }

  mutating func changeSpeed(_ step: Int) -> [Effect] {
    speed = min(max(0, speed + step), Self.playbackSpeeds.count - 1)
    showSpeed()
    return []
  }

  /// The name of a speed, such as `×0.5` or `×10`, by its index in ``playbackSpeeds``.
  static func playbackName(_ speed: Int) -> String {
    let times = playbackSpeeds[speed]
    return "×" + (times < 1 ? "\(times)" : "\(Int(times))")
  }

  private mutating func showSpeed() {
    let text = Self.playbackName(speed).dropFirst()
    showNote(
      isPlaying
        ? "Playing, \(text) times as fast as recorded; + and - change that, p stops."
        : "p will play \(text) times as fast as recorded."
    )
  }

  /// Advances the shown instant by a duration, multiplied by the speed of playback.
  mutating func advancePlayback(_ time: Duration) -> [Effect] {
    guard isPlaying, hasInspection, time > .zero else { return [] }
    let next = inspection.instant.time + time * Self.playbackSpeeds[speed]
    // The duration of a running program is that of the records read so far; more may be read.
    let end = inspection.program.duration
    guard next < end || (isRunning && inspection.instant.time < end) else {
      isPlaying = false
      isFollowing = true
      showNote(isRunning ? "Live again." : "This is the end of the recording.")
      return [.show(.end)]
    }
    return [.show(.time(next))]
  }

  /// Shows a message that the latest step found nothing in that direction.
  ///
  /// If the screen was following the program when the step was requested, it follows again, except
  /// after a step to the next or previous event, or to the next or previous change of the graph
  /// (something was made, subscribed, ended, released, armed or named).
  mutating func showNoStep(forward: Bool) {
    let step = lastStep
    if step != .event, step != .graphChange { followAgain() }
    isLeavingEnd = false
    let direction = forward ? "after" : "before"
    switch step {
    case .event, .graphChange:
      showNote(
        forward
          ? (isRunning ? "No later event yet; $ goes live again." : "This is the last event.")
          : "This is the earliest event the recording still holds."
      )
    case .error: showNote("There is no failure \(direction) this moment.")
    case .finding: showNote("No finding rests on an event \(direction) this moment.")
    case .stall:
      showNote("No work is known to have waited or run for 100 ms \(direction) this moment.")
    case .loss: showNote("No records were lost \(direction) this moment.")
    case .problem: showNote("There is no failure, stall or loss \(direction) this moment.")
    }
  }
}
