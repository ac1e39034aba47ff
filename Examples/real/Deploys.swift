import Reactive
import ReactiveTrace
import Synchronization

/// A release bot: it receives a tag and several projects, and makes one release in each of them.
///
/// Rebuilt from leonardowf/baroneza#140. If one of the projects could not be released, for instance
/// because it had no such draft, the bot stopped, and the other projects were not released either.
extension Real {
  static let deploys = Report("deploys", "releases are missing") { version in
    let hosting = Hosting()
    let bot = ReleaseBot(hosting, version)
    let orders = [
      ["app", "server", "docs"], ["app", "legacy", "server", "site"], ["site", "docs"],
      ["legacy", "app", "docs", "server"], ["server", "app"],
    ]
    for (number, projects) in orders.enumerated() {
      Trace.mark("order \(number)")
      bot.order(Order(tag: "v\(number)", projects: projects))
      bot.compare("v\(number)", with: "v\(number + 1)")
      await pause(500)
    }
    print("deploys: \(hosting.released) releases of 13 that were possible")
    return [hosting, bot] as [Any]
  }
}

private struct Order: Sendable {
  let tag: String
  let projects: [String]
}

private enum Outcome: Sendable {
  case released(String)
  case skipped(String)
}

private struct NoDraft: Error {
  let project: String
}

private final class Hosting: Sendable {
  private let queue = QueueScheduler(label: "hosting")
  private let made = Mutex<[String]>([])

  var released: Int { made.withLock { $0.count } }

  /// Draws up the notes, builds and publishes, which takes some time in most projects.
  func release(_ tag: String, in project: String) -> Signal<Outcome, NoDraft> {
    answer(after: project == "legacy" ? 60 : 240) { [weak self] () throws(NoDraft) in
      if project == "legacy" { throw NoDraft(project: project) }
      self?.made.withLock { $0.append("\(project) \(tag)") }
      return .released(project)
    }
  }

  /// Fails for the first tag, which does not exist.
  func changes(since tag: String) -> Signal<[String], NoDraft> {
    answer(after: 50) { () throws(NoDraft) in
      if tag == "v0" { throw NoDraft(project: tag) }
      return ["change in \(tag)"]
    }
  }

  func state(of project: String) -> Signal<String, NoDraft> {
    answer(after: 30) { () throws(NoDraft) in "\(project) is up" }
  }

  private func answer<Value: Sendable>(
    after milliseconds: Int,
    _ work: @escaping @Sendable () throws(NoDraft) -> Value
  ) -> Signal<Value, NoDraft> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue)
      .tryMap { _ throws(NoDraft) in try work() }
  }
}

private final class ReleaseBot: Sendable {
  private let hosting: Hosting
  private let version: Version
  private let orders = Subject<Order, Never>("orders")
  private let comparisons = Subject<[String], Never>("comparisons")
  private let channel = MutableProperty("", "channel")
  private let changes = MutableProperty<[String]>([], "changes")
  private let health = MutableProperty("", "health")
  private let bag = DisposableBag()

  init(_ hosting: Hosting, _ version: Version) {
    self.hosting = hosting
    self.version = version
    orders.signal
      .concatMap { [weak self] in self?.perform($0) ?? .empty() }
      .deliver(on: .main)
      .bind(to: channel)
      .store(in: bag)
    // A comparison needs both tags, so one failure may end it.
    comparisons.signal
      .concatMap { tags in
        forkJoin(tags.map { hosting.changes(since: $0) })
          .map { $0.flatMap(\.self) }
          .replaceFailure(with: [])
      }
      .bind(to: changes)
      .store(in: bag)
    Signal.interval(.milliseconds(350), on: .main)
      .concatMap { _ in
        forkJoin(["app", "server"].map { hosting.state(of: $0) })
          .map { $0.joined(separator: ", ") }
          .replaceFailure(with: "down")
      }
      .bind(to: health)
      .store(in: bag)
  }

  func order(_ order: Order) { orders.send(order) }

  func compare(_ tag: String, with other: String) { comparisons.send([tag, other]) }

  private func perform(_ order: Order) -> Signal<String, Never> {
    let releases = order.projects.map { project in
      version == .fixed
        ? hosting.release(order.tag, in: project).catch { _ in .just(.skipped(project)) }
        : hosting.release(order.tag, in: project)  // blame
    }
    return forkJoin(releases)  // blame, too
      .map { outcomes in "\(order.tag): \(outcomes.count) projects" }
      .catch { failure in .just("\(order.tag): no draft in \(failure.project)") }
  }
}
