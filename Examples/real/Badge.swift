internal import Dispatch
import Reactive
import Synchronization

/// A shop's dashboard: a menu shows whether the chosen site is eligible, and other numbers.
///
/// Rebuilt from woocommerce/woocommerce-ios#9958. The value was delivered on the main thread, then
/// passed to an asynchronous function that answered on another thread, where views were changed.
extension Real {
  static let badge = Report("badge", "drawn on another thread") { version in
    let sites = Sites()
    let menu = Menu(sites, version)
    for site in 1...10 {
      sites.chosen.value = site
      sites.visitors.send(site * 3)
      await pause(350)
    }
    let (off, all) = menu.count("eligibility")
    print("menu: \(off) of \(all) drawings of the eligibility were not on the main queue")
    return [sites, menu]
  }
}

private final class Sites: Sendable {
  let chosen = MutableProperty(0, "chosen")
  let visitors = Subject<Int, Never>("visitors")
  let queue = QueueScheduler(label: "sites")

  func isEligible(_ site: Int) async -> Bool {
    try? await Task.sleep(for: .milliseconds(30))
    return site.isMultiple(of: 2)
  }

  func stock(of site: Int) async -> Int {
    try? await Task.sleep(for: .milliseconds(20))
    return site + 5
  }
}

extension Signal where Failure == Never {
  /// Asks an asynchronous function about the latest value.
  fileprivate func ask<Answer>(
    _ function: @escaping @Sendable (Value) async -> Answer
  ) -> Signal<Answer, Never> {
    flatMapLatest { value in Signal<Answer, Never>.task { await function(value) } }
  }
}

/// A key that is set on the main queue only.
private let onMain = DispatchSpecificKey<Bool>()

private final class Menu: Sendable {
  private let bag = DisposableBag()
  private let drawn = Mutex<[String: (off: Int, all: Int)]>([:])

  init(_ sites: Sites, _ version: Version) {
    DispatchQueue.main.setSpecific(key: onMain, value: true)
    let chosen = sites.chosen.signal.distinctUntilChanged()

    if version == .fixed {
      show("eligibility", chosen.ask { await sites.isEligible($0) }.deliver(on: .main))
    } else {
      let eligibility = chosen.deliver(on: .main)  // blame
        .ask { await sites.isEligible($0) }  // blame, too
      show("eligibility", eligibility)  // blame, too
    }
    show("stock", chosen.ask { await sites.stock(of: $0) }.deliver(on: .main))
    show("name", chosen.map { "site \($0)" })
    let visitors = sites.visitors.signal.deliver(on: sites.queue).map { $0 + 1 }
    show("visitors", visitors.deliver(on: .main))
    show("time", Signal.interval(.milliseconds(400), on: .main))

    // The log need not be written on the main thread.
    sites.visitors.signal.deliver(on: sites.queue).subscribe().store(in: bag)
  }

  func count(_ part: String) -> (off: Int, all: Int) { drawn.withLock { $0[part] ?? (0, 0) } }

  private func show<Value>(_ part: String, _ values: Signal<Value, Never>) {
    values.subscribe { [weak self] _ in
      let off = DispatchQueue.getSpecific(key: onMain) == true ? 0 : 1
      self?.drawn.withLock { drawn in
        let old = drawn[part] ?? (0, 0)
        drawn[part] = (old.off + off, old.all + 1)
      }
    }
    .store(in: bag)
  }
}
