import TraceModel
import TraceReading

/// The signals to which timers of a program send, as far as records of the firing timers show them.
struct TimerTargets {
  /// The signals to which each timer sent, each with the number of the record of the latest
  /// delivery there.
  private var turns: [TraceID: [TraceID: UInt64]] = [:]
  private let facts: FindingFacts

  init(_ timers: [TraceSlot], _ facts: FindingFacts) {
    self.facts = facts
    guard !timers.isEmpty else { return }
    let createdAt = Dictionary(timers.map { ($0.id, $0.createdAt) }, uniquingKeysWith: max)
    // The timer whose work each thread is running, and the nesting depth of other work inside it.
    var running: [UInt32: (timer: TraceID, depth: Int)] = [:]
    var gaps = facts.gaps
    for record in facts.records {
      // Work that the thread had begun before a gap in its records may have ended in the gap.
      if gaps.followsGap(record) { running[record.thread] = nil }
      switch record.kind {
      case .timerFired:
        running[record.thread] = nil
        guard let creation = createdAt[record.entity], record.ticks >= creation else { continue }
        running[record.thread] = (record.entity, 0)
      case .hopBegan: running[record.thread]?.depth += 1
      case .hopEnded:
        guard let run = running[record.thread] else { continue }
        running[record.thread] = run.depth > 0 ? (run.timer, run.depth - 1) : nil
      case .turnBegan:
        guard let timer = running[record.thread]?.timer else { continue }
        turns[timer, default: [:]][record.entity] = record.number
      default: break
      }
    }
  }

  /// A signal to which the timer sends, and which has no subscriber; nil if none is known.
  func targetWithoutSubscribers(of timer: TraceSlot) -> (signal: TraceSlot, number: UInt64)? {
    for (id, number) in (turns[timer.id] ?? [:]).sorted(by: { $0.value < $1.value }) {
      guard let signal = facts.slot(id), signal.kind == .signal, signal.depth == 0 else { continue }
      return (signal, number)
    }
    return nil
  }

  /// Whether the signal to which the timer sends, and which has no subscriber now, once had one.
  func hadSubscribers(_ timer: TraceSlot) -> Bool {
    targetWithoutSubscribers(of: timer).map { $0.signal.eventCount > 0 } ?? false
  }
}
