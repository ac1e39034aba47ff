import Dispatch
import Reactive

/// Reads a log with signals, one piece at a time on one queue; the sink, which receives the
/// summaries, is on another queue.
enum ReactiveReader {
  static func read(_ log: Log, _ sink: Sink) {
    let (reader, writer) = (QueueScheduler(label: "reader"), QueueScheduler(label: "writer"))
    let done = DispatchSemaphore(value: 0)

    let entries = Signal<[String], Never>.from(log.pieces, on: reader)
      .flatten()
      .compactMap(Entry.init)
      .publish()

    let alarms = entries.signal
      .scan(Alarm()) { alarm, entry in
        var alarm = alarm
        alarm.add(entry)
        return alarm
      }
      .map(\.isHigh)
      .startWith(false)
      .distinctUntilChanged()
      .skip(1)
      .deliver(on: writer)
      .doNext { sink.alarm($0) }
      .map(to: ())

    let summaries = entries.signal
      .filter { $0.route != "/health" }
      .groupBy(\.route)
      .flatMap { group in
        group.signal
          .window(count: Summary.windowCount)
          .flatMap { [key = group.key] window in
            window.reduce(into: Summary(key)) { $0.add($1) }
          }
          .scan((Summary(group.key), 0)) { ($1, $0.1 + $1.failures) }
      }
      .deliver(on: writer)
      .doNext { sink.take($0, $1) }
      .map(to: ())

    alarms.merge(with: summaries).subscribe(completed: { done.signal() })
    let connection = entries.connect()
    done.wait()
    connection.dispose()
  }
}
