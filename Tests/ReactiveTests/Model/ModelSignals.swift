import Reactive
import ReactiveTesting

/// Builds the signal that a tree describes, and plays it in virtual time.
struct ModelStage: Sendable {
  let time = TestScheduler()
  /// The number of source subscriptions that have begun and not ended.
  let alive = Counter()
  private let subjects = Box<[[Stamped]: Subject<Int, ModelFailure>]>([:])

  typealias Made = Signal<Int, ModelFailure>

  /// Schedules the events of the hot sources of a tree.
  ///
  /// Must be called once, at time zero.
  func playHot(in tree: ModelTree) {
    if case .hot(let events) = tree, subjects.value?[events] == nil {
      let subject = Subject<Int, ModelFailure>()
      subjects.value?[events] = subject
      for one in events { time.schedule(after: .ticks(one.time)) { subject.send(one.event.sent) } }
    }
    for child in tree.children { playHot(in: child) }
  }

  func signal(_ tree: ModelTree) -> Made {
    switch tree {
    case .cold(let events): cold(events)
    case .hot(let events): subjects.value?[events]?.signal ?? .never()
    case .unary(let one, let only): one.applied(to: signal(only), in: self)
    case .binary(let one, let a, let b): one.applied(to: signal(a), signal(b))
    case .flattening(let one, let outer, let inner):
      // Each value makes a new inner signal, so that inner signals have no part in common.
      one.applied(to: signal(outer)) { signal(inner[$0 % inner.count]) }
    }
  }

  private func cold(_ events: [Stamped]) -> Made {
    .create { [time, alive] observer in
      alive.add()
      observer.onDispose { alive.add(-1) }
      for one in events {
        if one.time == 0 {
          observer.send(one.event.sent)
        } else {
          observer.disposables.add(
            time.schedule(after: .ticks(one.time)) { observer.send(one.event.sent) }
          )
        }
      }
      // A signal without an end event stays active for ever.
      if events.last?.event.isEnd != true {
        observer.onDispose { withExtendedLifetime(observer) {} }
      }
    }
  }
}

extension Duration {
  static func ticks(_ count: Int) -> Duration { .microseconds(count) }
}

extension Stamped: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(time) }
}

extension ModelEvent {
  fileprivate var sent: Event<Int, ModelFailure> {
    switch self {
    case .next(let value): .next(value)
    case .failed(let failure): .failed(failure)
    case .completed: .completed
    }
  }
}

extension UnaryModel {
  func applied(to source: ModelStage.Made, in stage: ModelStage) -> ModelStage.Made {
    let time = stage.time
    switch self {
    case .map: return source.map { paired($0, 1) }
    case .filter: return source.filter { $0 % 2 == 0 }
    case .compactMap: return source.compactMap { $0 % 3 == 0 ? nil : $0 + 1 }
    case .scan: return source.scan(1, paired)
    case .reduce: return source.reduce(1, paired)
    case .collect: return source.collect().map(folded)
    case .count: return source.count()
    case .minimum: return source.min()
    case .maximum: return source.max()
    case .distinctUntilChanged: return source.distinctUntilChanged()
    case .ignoreValues: return source.ignoreValues(as: Int.self)
    case .enumerated: return source.enumerated().map { paired($0.0, $0.1) }
    case .combinePrevious: return source.combinePrevious().map { paired($0.previous, $0.current) }
    case .materialize:
      return source.materialize().dematerialize()
    case .replaceFailure:
      return source.replaceFailure(with: 7).promoteFailure(to: ModelFailure.self)
    case .take(let count): return source.take(count)
    case .skip(let count): return source.skip(count)
    case .takeLast(let count): return source.take(last: count)
    case .skipLast(let count): return source.skip(last: count)
    case .elementAt(let index): return source.element(at: index)
    case .takeWhile(let limit): return source.take(while: { $0 < limit })
    case .takeWhileInclusive(let limit): return source.take(while: { $0 < limit }, inclusive: true)
    case .skipWhile(let limit): return source.skip(while: { $0 < limit })
    case .firstWhere(let limit): return source.first(where: { $0 > limit })
    case .lastWhere(let limit): return source.last(where: { $0 > limit })
    case .buffer(let count): return source.buffer(count: count).map(folded)
    case .startWith(let value): return source.startWith(value)
    case .endWith(let value): return source.endWith(value)
    case .defaultIfEmpty(let value): return source.defaultIfEmpty(value)
    case .failIfEmpty: return source.failIfEmpty(.green)
    case .repeating(let count): return source.repeat(count)
    case .retry(let tries): return source.retry(tries)
    case .mapFailure: return source.mapFailure { $0 == .red ? .green : .red }
    case .delay(let span): return source.delay(.ticks(span), on: time)
    case .debounce(let span): return source.debounce(.ticks(span), on: time)
    case .throttle(let span, let latest):
      return source.throttle(.ticks(span), on: time, latest: latest)
    case .audit(let span): return source.audit(.ticks(span), on: time)
    case .timeoutAfter(let span):
      return source.timeout(after: .ticks(span), on: time, failingWith: .timedOut)
    case .timeoutEach(let span):
      return source.timeout(each: .ticks(span), on: time, failingWith: .timedOut)
    case .takeFor(let span): return source.take(for: .ticks(span), on: time)
    case .skipFor(let span): return source.skip(for: .ticks(span), on: time)
    case .delaySubscription(let span): return source.delaySubscription(.ticks(span), on: time)
    case .forwarded: return .create { source.subscribe($0) }
    case .throughSubject:
      return .create { observer in
        let subject = Subject<Int, ModelFailure>()
        subject.signal.subscribe(observer)
        observer.disposables.add(source.subscribe(subject))
      }
    case .throughReplay:
      return .create { observer in
        let subject = ReplaySubject<Int, ModelFailure>()
        observer.disposables.add(source.subscribe(subject))
        subject.signal.subscribe(observer)
      }
    case .share: return source.share()
    case .shareReplay: return source.share(replay: 2)
    case .deferred: return .deferred { source }
    }
  }
}

extension BinaryModel {
  func applied(to a: ModelStage.Made, _ b: ModelStage.Made) -> ModelStage.Made {
    switch self {
    case .merge: a.merge(with: b)
    case .concat: a.concat(b)
    case .concatList: .concat([a, b])
    case .zip: Reactive.zip(a, b).map { paired($0.0, $0.1) }
    case .combineLatest: Reactive.combineLatest(a, b).map { paired($0.0, $0.1) }
    case .withLatest: a.withLatest(from: b).map { paired($0.0, $0.1) }
    case .amb: a.amb(with: b)
    case .sample: a.sample(on: b)
    case .takeUntil: a.take(until: b)
    case .skipUntil: a.skip(until: b)
    case .takeUntilReplacement: a.take(untilReplacement: b)
    case .catchTo: a.catch(to: b)
    case .then: a.then(b)
    case .ifEmpty: a.ifEmpty(switchTo: b)
    case .forkJoin: Reactive.forkJoin(a, b).map { paired($0.0, $0.1) }
    case .bufferBoundary: a.buffer(boundary: b).map(folded)
    case .sequenceEqual: a.sequenceEqual(b).map { $0 ? 1 : 0 }
    case .onFailureResumeNext:
      a.onFailureResumeNext(with: b).promoteFailure(to: ModelFailure.self)
    case .mergeObserver:
      .create { observer in
        a.subscribe(observer)
        if !observer.isDisposed { b.subscribe(observer) }
      }
    }
  }
}

extension FlatteningModel {
  func applied(
    to outer: ModelStage.Made,
    _ choose: @escaping @Sendable (Int) -> ModelStage.Made
  ) -> ModelStage.Made {
    switch self {
    case .flatMap: outer.flatMap(choose)
    case .flatMapLatest: outer.flatMapLatest(choose)
    case .switchToLatest: outer.map(choose).switchToLatest()
    case .concatMap: outer.concatMap(choose)
    case .flatMapFirst: outer.flatMapFirst(choose)
    case .flatMapLimit: outer.flatMap(limit: 2, choose)
    }
  }
}
