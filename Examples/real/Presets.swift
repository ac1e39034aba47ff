import Reactive

/// The view of a cloud administrator: presets with their usage, filtered by typing; clusters with
/// their load; and an export of the presets that are ticked.
///
/// Rebuilt from kubermatic/dashboard#7867. The circle that turns while presets are loaded kept
/// turning after a search without results, even when something was found later.
extension Real {
  static let presets = Report("presets", "a circle turns for ever") { version in
    let cloud = Cloud()
    let panel = PresetPanel(cloud, version)
    let clusters = ClusterPanel(cloud)
    let export = Export(cloud)
    for (round, text) in ["", "a", "aw", "x", "az", "q", "gc"].enumerated() {
      panel.search.send(text)
      await pause(200)
      clusters.region.value = ["eu", "us", "none"][round % 3]
      await pause(100)
      export.tick.send(panel.rows.value.count > 2 ? ["aws"] : [])
      await pause(150)
    }
    await pause(100)
    print("presets: \(panel.busy.value) loads go on, \(export.files.value) files were written")
    return [panel, clusters, export] as [Any]
  }
}

private final class Cloud: Sendable {
  private let queue = QueueScheduler(label: "cloud")
  private let all = ["aws", "azure", "gcp", "hetzner"]

  func presets(with text: String) -> Signal<[String], Never> {
    answer(all.filter { $0.hasPrefix(text) }, after: 40)
  }

  func clusters(in region: String) -> Signal<[String], Never> {
    answer(region == "none" ? [] : ["\(region)-1", "\(region)-2"], after: 30)
  }

  func usage(of preset: String) -> Signal<Int, Never> { answer(preset.count, after: 50) }

  func load(of cluster: String) -> Signal<Int, Never> { answer(cluster.count * 9, after: 20) }

  func file(for preset: String) -> Signal<String, Never> { answer("\(preset).yaml", after: 30) }

  private func answer<Value: Sendable>(
    _ value: Value,
    after milliseconds: Int
  ) -> Signal<Value, Never> {
    Signal.timer(after: .milliseconds(milliseconds), on: queue).map { value }
  }
}

private final class PresetPanel: Sendable {
  let search = Subject<String, Never>("search")
  let rows = MutableProperty<[String]>([], "rows")
  /// The number of running loads; the circle turns unless it is zero.
  let busy = MutableProperty(0, "busy")
  private let names = MutableProperty<[String]>([], "names")
  private let circle = MutableProperty(false, "circle")
  private let bag = DisposableBag()

  init(_ cloud: Cloud, _ version: Version) {
    search.signal
      .flatMapLatest { cloud.presets(with: $0) }
      .flatMapLatest { [names, busy] found -> Signal<[Int], Never> in
        names.value = found
        busy.modify { $0 += 1 }
        let usages = found.map { cloud.usage(of: $0) }
        if version == .fixed, usages.isEmpty { return .just([]) }
        return forkJoin(usages)  // blame
      }
      .deliver(on: .main)
      .subscribe { [names, rows, busy] usages in
        rows.value = zip(names.value, usages).map { "\($0) (\($1))" }
        busy.modify { $0 -= 1 }
      }
      .store(in: bag)
    busy.signal.map { $0 > 0 }.distinctUntilChanged().bind(to: circle).store(in: bag)
  }
}

private final class ClusterPanel: Sendable {
  let region = MutableProperty("eu", "region")
  private let total = MutableProperty("", "total")
  private let bag = DisposableBag()

  init(_ cloud: Cloud) {
    let clusters = region.signal.flatMapLatest { cloud.clusters(in: $0) }
    clusters
      .flatMapLatest { forkJoin($0.map { cloud.load(of: $0) }).defaultIfEmpty([]) }
      .map { "\($0.reduce(0, +)) % of \($0.count) clusters" }
      .bind(to: total)
      .store(in: bag)
    Signal.interval(.milliseconds(250), on: .main)
      .withLatest(from: total.signal)
      .subscribe()
      .store(in: bag)
  }
}

/// Writes a file for each ticked preset, and then sets `isDone`.
private final class Export: Sendable {
  let tick = Subject<[String], Never>("tick")
  let files = Counter()
  private let isDone = MutableProperty(true, "done")
  private let bag = DisposableBag()

  init(_ cloud: Cloud) {
    tick.signal
      .subscribe { [files, isDone, bag] presets in
        isDone.value = false
        forkJoin(presets.map { cloud.file(for: $0) })
          .subscribe(next: { files.add($0.count) }, completed: { isDone.value = true })
          .store(in: bag)
      }
      .store(in: bag)
  }
}
