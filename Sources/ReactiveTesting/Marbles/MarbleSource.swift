public import Reactive

/// A signal that sends what a marble diagram says, and remembers who was subscribed when.
///
/// It starts like any cold signal (contract rule 8), and a diagram without an end stays active until it
/// is disposed of.
public final class MarbleSource: Sendable {
  /// One subscription, in virtual time.
  public struct Stay: Sendable, Equatable {
    /// When it was subscribed to.
    public let began: Duration
    /// When the subscription ended, in whatever way; nil if it has not.
    public var ended: Duration?

    /// A stay to compare with.
    public init(began: Duration, ended: Duration? = nil) {
      self.began = began
      self.ended = ended
    }
  }

  /// What sends the events.
  public let signal: Signal<String, MarbleFailure>
  private let stays: Stays

  /// Who subscribed, in order.
  public var subscriptions: [Stay] { stays.all }
  /// How many subscriptions are active now.
  public var activeCount: Int { stays.all.count { $0.ended == nil } }

  /// A source that plays its diagram anew for each subscription, from the frame it began in.
  public init(
    cold marbles: Marbles,
    on scheduler: TestScheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let stays = Stays()
    self.stays = stays
    signal = .create(
      { observer in
        stays.begin(observer, at: scheduler)
        for item in marbles.items {
          let timer = scheduler.schedule(after: .frames(item.frame)) { observer.send(item.event) }
          observer.disposables.add(timer)
        }
      },
      file: file,
      line: line,
      column: column
    )
  }

  /// A source that plays its diagram once, beginning now, whether or not anybody listens.
  ///
  /// The scheduler keeps it alive.
  public init(
    hot marbles: Marbles,
    on scheduler: TestScheduler,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let stays = Stays()
    let subject = Subject<String, MarbleFailure>(file: file, line: line, column: column)
    self.stays = stays
    scheduler.keep(subject)
    for item in marbles.items {
      scheduler.schedule(after: .frames(item.frame)) { [weak subject] in
        switch item.event {
        case .next(let value): subject?.send(value)
        case .failed(let error): subject?.fail(error)
        case .completed: subject?.complete()
        }
      }
    }
    signal = .create(
      { [signal = subject.signal] observer in
        stays.begin(observer, at: scheduler)
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

extension TestScheduler {
  /// A signal that plays a diagram anew for each subscription; see
  /// ``MarbleSource/init(cold:on:file:line:column:)``.
  public func cold(
    _ marbles: Marbles,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<String, MarbleFailure> {
    MarbleSource(cold: marbles, on: self, file: file, line: line, column: column).signal
  }

  /// A signal that plays a diagram once, beginning now; see
  /// ``MarbleSource/init(hot:on:file:line:column:)``.
  public func hot(
    _ marbles: Marbles,
    file: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) -> Signal<String, MarbleFailure> {
    MarbleSource(hot: marbles, on: self, file: file, line: line, column: column).signal
  }
}

private final class Stays: Sendable {
  private let list = Locked<[MarbleSource.Stay]>([])

  var all: [MarbleSource.Stay] { list.withLock { $0 } }

  /// Notes a subscription until it ends, and keeps its observer until then: a source that has nothing
  /// more to send is not yet gone.
  func begin(_ observer: Observer<String, MarbleFailure>, at scheduler: TestScheduler) {
    let began = scheduler.now
    let index = list.withLock { list in
      list.append(MarbleSource.Stay(began: began))
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
