public import Reactive

/// A signal that sends the events of a marble diagram, and records when each subscription began and
/// ended.
///
/// ```swift
/// let source = MarbleSource(cold: "-1-2-|", on: time)
/// source.signal.take(1).subscribe(failed: { _ in })
/// time.run()
/// #expect(source.subscriptions == [.init(began: .zero, ended: .frames(1))])
/// ```
///
/// The signal starts like any cold signal (rule 8 of Reactive's event contract). A subscription to
/// a diagram without an end stays active until it is disposed of.
public final class MarbleSource<Value: Sendable, Failure: Error>: Sendable {
  /// The signal that sends the events.
  public let signal: Signal<Value, Failure>
  private let history: MarbleSubscriptions

  /// All subscriptions so far, in the order in which they began.
  public var subscriptions: [MarbleSubscription] { history.all }
  /// How many subscriptions are active now.
  public var activeCount: Int { history.all.count { $0.ended == nil } }

  /// Plays events anew for each subscription, from the time at which the subscription began.
  init(
    coldly events: [MarbleEvent<Value, Failure>],
    on scheduler: TestScheduler,
    file: StaticString,
    line: UInt,
    column: UInt
  ) {
    let history = MarbleSubscriptions()
    self.history = history
    signal = .create(
      { observer in
        history.begin(observer, at: scheduler)
        for (delay, event) in events {
          observer.disposables.add(scheduler.schedule(after: delay) { observer.send(event) })
        }
      },
      file: file,
      line: line,
      column: column
    )
  }

  /// Plays events once, beginning now.
  ///
  /// The scheduler retains the subject.
  init(
    hotly events: [MarbleEvent<Value, Failure>],
    on scheduler: TestScheduler,
    file: StaticString,
    line: UInt,
    column: UInt
  ) {
    let history = MarbleSubscriptions()
    let subject = Subject<Value, Failure>(file: file, line: line, column: column)
    self.history = history
    scheduler.keep(subject)
    for (delay, event) in events {
      scheduler.schedule(after: delay) { [weak subject] in
        switch event {
        case .next(let value): subject?.send(value)
        case .failed(let error): subject?.fail(error)
        case .completed: subject?.complete()
        }
      }
    }
    signal = .create(
      { [signal = subject.signal] observer in
        history.begin(observer, at: scheduler)
        let inner = signal.subscribe(
          next: { observer.send($0) },
          failed: { observer.fail($0) },
          completed: { observer.complete() }
        )
        observer.disposables.add(inner)
      },
      file: file,
      line: line,
      column: column
    )
  }
}

/// One subscription of a ``MarbleSource``, in virtual time.
public struct MarbleSubscription: Sendable, Equatable {
  /// When the subscription began.
  public let began: Duration
  /// When the subscription ended, with an event or by disposal; nil if it has not.
  public var ended: Duration?

  /// Creates a value to compare with.
  public init(began: Duration, ended: Duration? = nil) {
    self.began = began
    self.ended = ended
  }
}

final class MarbleSubscriptions: Sendable {
  private let list = Locked<[MarbleSubscription]>([])

  var all: [MarbleSubscription] { list.withLock { $0 } }

  /// Records when a subscription begins and ends, and retains its observer until then: otherwise a
  /// subscription whose diagram has nothing more to send would end, as if its source were gone.
  func begin<Value, Failure>(_ observer: Observer<Value, Failure>, at scheduler: TestScheduler) {
    let began = scheduler.now
    let index = list.withLock { list in
      list.append(MarbleSubscription(began: began))
      return list.count - 1
    }
    observer.onDispose { [self] in
      withExtendedLifetime(observer) {
        let now = scheduler.now
        list.withLock { $0[index].ended = now }
      }
    }
  }
}
