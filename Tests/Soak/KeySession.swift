import Glibc
import InspectorUI
import TraceFindings
import TraceReading

/// An intact or damaged recording, on whose screens a number of random keys are pressed.
struct KeySession {
  /// The recording, as bytes.
  var file: [UInt8]
  /// The seed of all random numbers, and the number of this session in the campaign.
  var seed: UInt64
  var part: Int
  var presses: Int
  /// A frame is drawn after every press, or after one in this many if frames take long.
  var framesEvery = 1

  /// The damage that was done to the recording.
  var damage: TraceDamage {
    var generator = SeededGenerator(seed: seed, part: part)
    return Self.damage(&generator)
  }

  /// The recording with its damage.
  var damagedFile: [UInt8] {
    var generator = SeededGenerator(seed: seed, part: part)
    return Self.damage(&generator).applied(to: file, &generator)
  }

  private static func damage(_ generator: inout SeededGenerator) -> TraceDamage {
    generator.one(of: [.none, .none, .cut, .mutated, .mutated])
  }

  /// Presses the keys.
  ///
  /// - Parameter willSend: Called before each message is handled; nil for time that passes.
  /// - Returns: False if the file is so damaged that it cannot be opened; no key is pressed then.
  /// - Throws: `TraceError` if no temporary file can be made.
  func run(willSend: @escaping (TerminalMessage?) -> Void) throws -> Bool {
    let trace = try TemporaryTrace(damagedFile)
    defer { trace.close() }
    let source: TraceSource
    do throws(TraceError) {
      source = try TraceSource(path: trace.path)
    } catch {
      precondition(!error.message.isEmpty)
      return false
    }
    press(source, willSend)
    return true
  }

  private func press(_ source: TraceSource, _ willSend: (TerminalMessage?) -> Void) {
    var source = source
    var keys = RandomPresses(seed: ~seed, part: part)
    var model = Model(size: keys.size, glyphs: part % 7 == 0 ? .ascii : .utf8)
    answer(model.start(), &model, &source)
    for press in 0..<presses {
      let message = keys.next()
      willSend(message)
      let effects: [Effect]
      switch message {
      case .key(let key)?: effects = model.update(.key(key))
      case .mouse(let action)?: effects = model.update(.mouse(action))
      case .resized(let size)?: effects = model.update(.resized(size))
      // Time passes with messages rather than by the clock, so that a seed always gives the same
      // session.
      case nil where model.isPlaying: effects = model.update(.elapsed(.milliseconds(40)))
      case nil, .ended?: effects = model.update(.tick)
      }
      if press % framesEvery == 0 { draw(model) }
      answer(effects, &model, &source)
      if press % framesEvery == 0, !effects.isEmpty { draw(model) }
    }
  }

  private func draw(_ model: Model) {
    let frame = model.frame()
    if frame.size != model.size { fatalError("a frame of another size than the screen") }
  }

  /// Performs the effects that the model returns, as rxtop would, except that `q` on the first
  /// screen does not quit.
  private func answer(_ effects: [Effect], _ model: inout Model, _ source: inout TraceSource) {
    var effects = effects
    while !effects.isEmpty {
      let effect = effects.removeFirst()
      guard let message = Self.message(answering: effect, &source) else { continue }
      effects += model.update(message)
    }
  }

  private static func message(answering effect: Effect, _ source: inout TraceSource) -> Message? {
    do throws(TraceError) {
      switch effect {
      case .show(let position):
        return .inspection(try source.inspection(at: position), at: position)
      case .step(let step, let forward, let position):
        guard let found = try source.step(step, forward: forward, from: position) else {
          return .noStep(forward: forward)
        }
        return .inspection(found.inspection, at: found.position)
      case .watch: return .program(source.program())
      case .backtrace(let chain): return .backtrace(chain: chain, source.backtrace(of: chain))
      case .query(let query): return .answered(query, try source.query(query))
      case .save: return .saved("rxtop-1.txt")
      case .compare(let name): return .failed("there is no '\(name)'")
      case .edit(let file, let line): return .edited("Opened \(file):\(line).")
      case .saveSettings(let settings):
        let (again, problems) = Settings.parse(settings.text)
        if !problems.isEmpty || again.text != settings.text {
          fatalError("settings do not come back: \(settings.text.debugDescription) \(problems)")
        }
        return .settingsSaved("config")
      case .redraw, .quit: return nil
      }
    } catch {
      return .failed(error.description)
    }
  }
}

/// A file without a name, of which nothing is left, however the process ends.
private struct TemporaryTrace {
  private let descriptor: Int32

  init(_ bytes: [UInt8]) throws {
    var name = Array("/tmp/rxtop-soak-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    if descriptor >= 0 { unlink(name) }
    guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
      throw TraceError(
        .system,
        "a temporary file cannot be made: \(String(cString: strerror(errno)))"
      )
    }
  }

  var path: String { "/proc/self/fd/\(descriptor)" }

  func close() { Glibc.close(descriptor) }
}
