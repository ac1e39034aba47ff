import InspectorUI
import Testing
import TraceFindings
import TraceModel

/// A recording that is played moves forward in time by itself.
@Suite struct PlaybackTests {
  private static let end = Duration.seconds(72)

  /// A model that shows the given instant.
  private func model(at time: Duration, isEnd: Bool = false) -> Model {
    var model = Model(size: .standard)
    _ = model.update(.inspection(Self.inspection(at: Self.end, isEnd: true), at: .end))
    if !isEnd {
      _ = model.update(.key(.character(",")))
      _ = model.update(.inspection(Self.inspection(at: time), at: .time(time)))
    }
    return model
  }

  private static func inspection(at time: Duration, isEnd: Bool = false) -> Inspection {
    var inspection = Fixture.watchtower(status: .stopped)
    inspection.program.duration = end
    inspection.program.exactWindow = .seconds(40)...end
    inspection.instant.time = time
    inspection.instant.isEnd = isEnd
    return inspection
  }

  @Test func playbackContinuesFromTheInstantShown() {
    var model = model(at: .seconds(50))
    #expect(model.update(.key(.character("p"))) == [])
    #expect(model.isPlaying)
    #expect(model.update(.elapsed(.milliseconds(250))) == [.show(.time(.milliseconds(50_250)))])
    #expect(model.update(.tick) == [])
    #expect(model.update(.key(.character("p"))) == [])
    #expect(!model.isPlaying && model.position == .time(.seconds(50)))
    #expect(model.update(.elapsed(.seconds(1))) == [])
  }

  @Test func saysInWordsAndSignsWhetherItRunsOrIsPaused() {
    var model = model(at: .seconds(50))
    #expect(model.frame().line(0).contains("‖ replay paused  50.000 s"))
    _ = model.update(.key(.character("p")))
    #expect(model.frame().line(0).contains("▶ replay ×1  50.000 s"))
    _ = model.update(.key(.character("+")))
    #expect(model.frame().line(0).contains("▶ replay ×2"))
    _ = model.update(.key(.character(" ")))
    #expect(model.frame().line(0).contains("‖ replay paused"))
  }

  @Test func playsTheWholeExactPartFromTheEnd() {
    var model = model(at: .zero, isEnd: true)
    #expect(model.update(.key(.character("p"))) == [.show(.time(.seconds(40)))])
    #expect(model.isPlaying && !model.isFollowing)
  }

  @Test func playsAtATenthToAHundredTimesTheSpeed() {
    var model = model(at: .seconds(45))
    _ = model.update(.key(.character("p")))
    for _ in 0..<20 { _ = model.update(.key(.character("-"))) }
    #expect(model.update(.elapsed(.seconds(1))) == [.show(.time(.milliseconds(45_100)))])
    for _ in 0..<20 { _ = model.update(.key(.character("+"))) }
    #expect(model.frame().text.contains("100 times as fast"))
    #expect(model.update(.elapsed(.milliseconds(20))) == [.show(.time(.seconds(47)))])
  }

  @Test func playbackEndsAtTheEndOfTheRecording() {
    var model = model(at: .seconds(71))
    _ = model.update(.key(.character("p")))
    #expect(model.update(.elapsed(.seconds(2))) == [.show(.end)])
    #expect(!model.isPlaying && model.isFollowing)
  }

  @Test func playbackOfARunningProgramReadsOnBeforeItGoesLive() {
    var model = model(at: .seconds(71))
    var running = Self.inspection(at: .seconds(71))
    running.program.status = .running
    _ = model.update(.inspection(running, at: .time(.seconds(71))))
    _ = model.update(.key(.character("p")))
    #expect(model.update(.elapsed(.seconds(2))) == [.show(.time(.seconds(73)))])
    #expect(model.isPlaying)
    running.instant.time = .seconds(73)
    _ = model.update(.inspection(running, at: .time(.seconds(73))))
    #expect(model.update(.elapsed(.seconds(2))) == [.show(.end)])
    #expect(!model.isPlaying && model.isFollowing)
  }

  @Test func anyOtherMoveThroughTimeStopsPlayback() {
    for key in [
      Key.character(","), .character(" "), .character("^"), .character("$"), .character(")"),
    ] {
      var model = model(at: .seconds(50))
      _ = model.update(.key(.character("p")))
      _ = model.update(.key(key))
      #expect(!model.isPlaying, "\(key.name)")
    }
    var model = model(at: .seconds(50))
    _ = model.update(.key(.character("p")))
    _ = model.update(.key(.down))
    #expect(model.isPlaying)
  }

  private final class ManualTime {
    var now = ContinuousClock.now
  }

  /// A terminal in which time passes and no more keys are pressed.
  private struct Waiting: Terminal {
    var size = Size.standard
    var keys: [Key]
    /// How long each wait takes.
    var waits: [Duration]
    let time: ManualTime
    private(set) var timeouts: [Duration] = []

    init(keys: [Key], waits: [Duration], _ time: ManualTime) {
      (self.keys, self.waits, self.time) = (keys, waits, time)
    }

    mutating func nextMessage(
      before deadline: ContinuousClock.Instant
    ) throws(TerminalError) -> TerminalMessage? {
      if !keys.isEmpty { return .key(keys.removeFirst()) }
      if waits.isEmpty { return .ended }
      timeouts.append(deadline - time.now)
      time.now += waits.removeFirst()
      return nil
    }

    mutating func present(_ frame: Frame) throws(TerminalError) {}
  }

  @Test func playbackAdvancesByTheElapsedTime() throws {
    let time = ManualTime()
    // The instant advances by the elapsed time. The waits are short, because the recording soon
    // ends.
    let waits: [Duration] = [.milliseconds(10), .milliseconds(25), .milliseconds(10)]
    var terminal = Waiting(
      keys: [.character(","), .character(","), .character("p")],
      waits: waits,
      time
    )
    let source = FixtureSource(Fixture.watchtower(status: .stopped))
    var loop = ScreenLoop(
      model: Model(size: .standard),
      source: source,
      helpers: .none(),
      now: { time.now }
    )
    try loop.run(on: &terminal)
    #expect(loop.model.isPlaying)
    #expect(terminal.timeouts == [Duration](repeating: Model.playbackInterval, count: 3))
    let times = source.requests.compactMap { effect -> Duration? in
      guard case .show(.time(let time)) = effect else { return nil }
      return time
    }
    // The fixture has only the instants of its events, so each wait begins at the same instant.
    let start = loop.model.inspection.instant.time
    #expect(times == waits.map { start + $0 })
  }

  @Test func stepsToProblemsWithoutAResultAreReported() throws {
    let live = try run(":next-problem<Enter>")
    #expect(live.source.requests.last == .step(.problem, forward: true, from: .event(8_206)))
    #expect(live.screen.contains("There is no failure, stall or loss after this moment."))
    #expect(live.model.isFollowing)
    #expect(
      try run(":previous-problem<Enter>").source.requests.last
        == .step(.problem, forward: false, from: .end)
    )
    #expect(try run("W").source.requests.last == .step(.finding, forward: false, from: .end))
    for step in [Step.error, .stall, .loss] {
      let request = try run(":previous-\(step)<Enter>").source.requests.last
      #expect(request == .step(step, forward: false, from: .end))
    }
  }
}
