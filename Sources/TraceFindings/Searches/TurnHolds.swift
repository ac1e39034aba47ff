import TraceReading

/// Stretches of time in which one thread could not leave a gate, because others continued to send.
///
/// A gate lets one thread at a time deliver events, and that thread also delivers what others send.
/// When the queue of a gate grows, the sending thread writes a record at each power of two,
/// beginning with 1. A record of 1 shows that the queue had been empty. Until there is such a
/// record, everything delivered had been waiting, and the delivering thread has not left the gate.
/// The number of waiting events in the last record is the number of deliveries still to come.
struct TurnHolds {
  /// One stretch, which lasted at least as long as the records show.
  struct Hold {
    let thread: UInt32
    /// The number of the record of the delivery during which others began to send.
    let first: UInt64
    /// When the delivery of the first event sent by others began.
    var began: UInt64
    /// When the delivery of the last event sent by others ended.
    var ended: UInt64
    /// The number of delivered events that others had sent.
    var delivered = 0
    /// The greatest number of waiting events, and the records at which that number rose.
    var peak: UInt32 = 0
    var rises: [UInt64] = []
    /// The threads that made the queue grow.
    var senders: Set<UInt32> = []

    var ticks: UInt64 { ended > began ? ended - began : 0 }
    var numbers: [UInt64] { ([first] + rises).sorted() }
  }

  /// The worst stretches of one gate: the stretch with the most deliveries, and the longest
  /// stretch.
  struct Extremes {
    var most: Hold
    var longest: Hold
  }

  private struct Turn {
    let thread: UInt32
    let number: UInt64
    let ticks: UInt64
    var isOpen = true
  }

  private struct Running {
    var hold: Hold
    /// The number of events known to have been waiting when the last record was written.
    var known = 0
    /// The number of events delivered since then.
    var since = 0
    /// Whether the thread itself has sent to the gate, inside a delivery: it is then unknown which
    /// thread sent which event.
    var isMixed = false

    /// The number of events that are certainly still waiting.
    var left: Int { max(known - since, 0) }
  }

  private(set) var worst: [TraceID: Extremes] = [:]
  private var turns: [TraceID: Turn] = [:]
  private var running: [TraceID: Running] = [:]

  /// A stretch with fewer deliveries is ignored.
  private static let few = 32

  mutating func turnBegan(_ record: TraceRecord) {
    let id = record.entity
    turns[id] = Turn(thread: record.thread, number: record.number, ticks: record.ticks)
    guard let thread = running[id]?.hold.thread else { return }
    guard thread == record.thread else { return close(id) }
    if running[id]?.since == 0, running[id]?.hold.delivered == 0 {
      running[id]?.hold.began = record.ticks
    }
    running[id]?.since += 1
  }

  mutating func turnEnded(_ record: TraceRecord) {
    let id = record.entity
    guard turns[id]?.thread == record.thread else { return }
    turns[id]?.isOpen = false
    guard let now = running[id], now.hold.thread == record.thread, now.since <= now.known else {
      return
    }
    running[id]?.hold.ended = record.ticks
  }

  mutating func depth(_ record: TraceRecord) {
    let id = record.entity
    guard record.argument > 0 else { return }
    guard let now = running[id] else { return begin(record) }
    if record.thread == now.hold.thread {
      running[id]?.isMixed = true
    } else if record.argument > 1 || now.left > 0 {
      running[id]?.hold.delivered += record.argument > 1 ? now.since : min(now.since, now.known)
      running[id]?.hold.ended = max(now.hold.ended, record.ticks)
      running[id]?.known = max(Int(record.argument), now.left)
      running[id]?.since = 0
      note(record)
    } else {
      close(id)
      begin(record)
    }
  }

  /// Closes all stretches at the end of the records.
  mutating func finish() { for id in Array(running.keys) { close(id) } }

  private mutating func begin(_ record: TraceRecord) {
    guard let turn = turns[record.entity], turn.isOpen, turn.thread != record.thread else { return }
    let hold = Hold(thread: turn.thread, first: turn.number, began: turn.ticks, ended: record.ticks)
    running[record.entity] = Running(hold: hold, known: Int(record.argument))
    note(record)
  }

  private mutating func note(_ record: TraceRecord) {
    let id = record.entity
    running[id]?.hold.senders.insert(record.thread)
    guard let peak = running[id]?.hold.peak, record.argument > peak else { return }
    running[id]?.hold.peak = record.argument
    running[id]?.hold.rises.append(record.number)
  }

  private mutating func close(_ id: TraceID) {
    guard var last = running.removeValue(forKey: id) else { return }
    last.hold.delivered += min(last.since, last.known)
    guard !last.isMixed, last.hold.delivered >= Self.few else { return }
    guard let known = worst[id] else {
      worst[id] = Extremes(most: last.hold, longest: last.hold)
      return
    }
    if last.hold.delivered > known.most.delivered { worst[id]?.most = last.hold }
    if last.hold.ticks > known.longest.ticks { worst[id]?.longest = last.hold }
  }
}
