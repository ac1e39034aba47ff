import Dispatch

/// Reads a log with loops and dictionaries, one piece at a time on one queue; the sink, which
/// receives the summaries, is on another queue.
enum PlainReader {
  static func read(_ log: Log, _ sink: Sink) {
    let (reader, writer) = (DispatchQueue(label: "reader"), DispatchQueue(label: "writer"))
    let done = DispatchSemaphore(value: 0)
    let counts = Counts(sink, writer)
    for piece in log.pieces {
      reader.async {
        for line in piece { counts.read(line) }
      }
    }
    reader.async {
      counts.end()
      writer.async { done.signal() }
    }
    done.wait()
  }

  /// The counts so far, which are only used on the reader's queue.
  private final class Counts: @unchecked Sendable {
    private let sink: Sink
    private let writer: DispatchQueue
    private var windows: [String: Summary] = [:]
    private var failures: [String: Int] = [:]
    private var alarm = Alarm()

    init(_ sink: Sink, _ writer: DispatchQueue) {
      self.sink = sink
      self.writer = writer
    }

    func read(_ line: String) {
      guard let entry = Entry(line) else { return }
      let wasHigh = alarm.isHigh
      alarm.add(entry)
      if alarm.isHigh != wasHigh {
        writer.async { [sink, isHigh = alarm.isHigh] in sink.alarm(isHigh) }
      }
      guard entry.route != "/health" else { return }
      var window = windows[entry.route] ?? Summary(entry.route)
      window.add(entry)
      if window.requests == Summary.windowCount {
        send(window)
        window = Summary(entry.route)
      }
      windows[entry.route] = window
    }

    func end() {
      for window in windows.values where window.requests > 0 { send(window) }
    }

    private func send(_ window: Summary) {
      let failures = failures[window.route, default: 0] + window.failures
      self.failures[window.route] = failures
      writer.async { [sink] in sink.take(window, failures) }
    }
  }
}

/// Whether many of the latest requests have failed.
struct Alarm: Sendable {
  private(set) var isHigh = false
  private var share = 0.04

  mutating func add(_ entry: Entry) {
    share += ((entry.status >= 500 ? 1 : 0) - share) / 256
    isHigh = isHigh ? share > 0.03 : share > 0.05
  }
}
