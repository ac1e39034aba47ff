import TraceModel
import TraceReading

/// Gathers what the records say about the subject of a screen (``/TraceModel/Scope``), such as a
/// subscription: what ended it, what owns it, and what it owns.
struct AccountScan {
  private let end: Duration
  private let snapshot: TraceSnapshot

  /// - Parameters:
  ///   - end: The instant up to which the account reaches.
  ///   - snapshot: The trace.
  init(upTo end: Duration, _ snapshot: TraceSnapshot) {
    self.end = end
    self.snapshot = snapshot
  }

  /// The account of a subject.
  ///
  /// - Complexity: O(records + slots); for a queue or a record, O(records of a few seconds).
  func account(of scope: Scope) -> Account {
    var account = Account(scope)
    switch scope {
    case .queue(let queue): account.queue = HopScan.queue(queue, upTo: end, snapshot)
    case .record(let number): addRecord(number, &account)
    case .site, .signal, .subscription, .timer, .owner, .owners: addEntity(&account)
    case .all, .chain: break
    }
    return account
  }

  private func addRecord(_ number: UInt64, _ account: inout Account) {
    guard let row = snapshot.records.row(ofNumber: number) else { return }
    account.record =
      EventLog(snapshot, first: snapshot.firstExactGeneration).rows([row]).first
    account.hop = HopScan.hop(ofRecordIn: row, upTo: end, snapshot)
  }

  private func addEntity(_ account: inout Account) {
    let store = EntityStore(snapshot)
    let owners = OwnerScan(upTo: end, store, snapshot)
    let row = snapshot.records.count(upTo: snapshot.ticks(at: end))
    account.histograms = HistogramScan.histograms(account.scope, upTo: end, snapshot)
    switch account.scope {
    case .site(let site):
      account.owners = owners.owners(holding: site) { $0.life.site == site }
      if account.owners.isEmpty {
        account.owners = owners.owners(holding: site) { $0.ofLine > 0 }
      }
      if account.owners.isEmpty { account.owners = ownersOfRoots(ofSite: site, owners, store) }
      account.endings = endings(ofSite: site, before: row, store)
      account.runPlaces = RunPlaces.find(account.scope, before: row, store, snapshot)
      account.flow = FlowScan.report(from: .zero, to: end, limit: Self.flowLimit, snapshot)
    case .owners(let name):
      account.owners = owners.owners { owner in
        name.isEmpty || owner.life.label.lowercased().contains(name.lowercased())
      }
      if account.owners.count == 1 {
        account.holdings = owners.holdings(of: account.owners[0].life.key)
      }
    case .signal(let key), .subscription(let key), .timer(let key), .owner(let key):
      guard let life = store.life(key) else { return }
      account.life = AccountedLife(life, upTo: end, store, snapshot)
      if life.kind == .owner { account.holdings = owners.holdings(of: life.key) }
      guard life.kind == .subscription else { return }
      account.runPlaces = RunPlaces.find(account.scope, before: row, store, snapshot)
      account.owner = owners.owner(of: life.key)
      if account.owner == nil, let root = store.root(of: life) {
        account.owner = owners.owner(of: root.key)
        account.isOwnerOfRoot = true
      }
      account.ending = EndExplanation.account(of: life, upTo: end, store, snapshot)
    case .all, .chain, .queue, .record: return
    }
    account.lastValue = LastValue.find(account.scope, before: row, snapshot)
  }

  /// The owners of the root subscriptions to which the subscriptions of an operator belong.
  private func ownersOfRoots(
    ofSite site: UInt32,
    _ owners: OwnerScan,
    _ store: EntityStore
  ) -> [OwnerAccount] {
    var counts: [EntityKey: Int] = [:]
    let lives = store.all(of: .subscription).filter { $0.site == site }
    for life in lives.prefix(Self.lineLimit) {
      guard AccountedLife(life, upTo: end, store, snapshot).ended == nil,
        let root = store.root(of: life), let owner = owners.owner(of: root.key)
      else { continue }
      counts[owner.key, default: 0] += 1
    }
    guard !counts.isEmpty else { return [] }
    return owners.owners { counts[$0.life.key] != nil }.map { owner in
      var owner = owner
      owner.ofLine = counts[owner.life.key] ?? 0
      return owner
    }
  }

  /// The maximum number of subscriptions of a line that are followed to their owners.
  private static let lineLimit = 4096

  /// The latest ends of subscriptions of a line of code, in chronological order.
  private func endings(ofSite site: UInt32, before row: Int, _ store: EntityStore) -> [EventRow] {
    var rows: [Int] = []
    var row = row
    while rows.count < Self.endingLimit,
      let place = snapshot.records.lastRow(of: RecordKinds(.ended), before: row)
    {
      row = place
      if store.life(snapshot.records[place].entity, at: place)?.site == site { rows.append(place) }
    }
    return EventLog(snapshot, first: snapshot.firstExactGeneration).rows(rows.reversed())
  }

  private static let endingLimit = 24
  /// The maximum number of records in which causes are searched for; it is limited because the
  /// account is requested again each second.
  private static let flowLimit = 1 << 16
}
