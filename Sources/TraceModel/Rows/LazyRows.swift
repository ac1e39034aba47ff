import TraceReading

/// A row that represents an entity.
package protocol EntityRow: Identifiable where ID == EntityKey {
  var key: EntityKey { get }
  var site: UInt32 { get }
}

extension SubscriptionRow: EntityRow {}
extension SignalRow: EntityRow {}
extension TimerRow: EntityRow {}

/// Rows of entities in the order of creation, each made on access.
///
/// What a list needs to know about all rows, such as their keys and lines of code, is available
/// without making them.
package struct LazyRows<Row: EntityRow>: RandomAccessCollection {
  /// The entities; nil if the rows already exist.
  package let order: EntityOrder?
  package let count: Int
  private let make: (Int) -> Row
  /// Whether a subscription is shared or feeds a shared one.
  fileprivate var isShared: (Int) -> Bool = { _ in false }

  package init(_ list: [Row]) {
    order = nil
    count = list.count
    make = { list[$0] }
  }

  package init(_ order: EntityOrder, _ make: @escaping (Int) -> Row) {
    self.order = order
    count = order.count
    self.make = make
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }
  package subscript(index: Int) -> Row { make(index) }

  package func key(at index: Int) -> EntityKey { order?.key(index) ?? make(index).key }
  package func site(at index: Int) -> UInt32 { order?[index].site ?? make(index).site }

  /// The index of an entity.
  ///
  /// - Complexity: O(log n).
  package func index(of key: EntityKey) -> Int? { EntityKey.index(of: key, in: count, key(at:)) }

  package func row(of key: EntityKey) -> Row? { index(of: key).map { self[$0] } }

  /// Entities of a line of code, the oldest first.
  package func keys(ofSite site: UInt32, limit: Int) -> [EntityKey] {
    var keys: [EntityKey] = []
    for index in 0..<count where self.site(at: index) == site {
      if keys.count >= limit { break }
      keys.append(key(at: index))
    }
    return keys
  }
}

/// The parts of a subscription's row that words of a filter can match, except numbers.
///
/// Rows that agree in these parts pass or fail together, so only one of them has to be made.
package struct RowMatchKey: Hashable {
  private let site: UInt32
  private let scheduler: UInt32
  private let state: LifeState?
  private let reason: EndReason?
  private let isDisposableReleased: Bool
  private let isShared: Bool

  init(_ entity: TracedEntity, isShared: Bool) {
    site = entity.site
    scheduler = entity.scheduler
    state = entity.state
    reason = entity.reason
    isDisposableReleased = entity.isDisposableReleased
    self.isShared = isShared
  }
}

extension LazyRows<SubscriptionRow> {
  /// The rows of all subscriptions of an instant.
  init(_ links: SubscriptionLinks) {
    self.init(links.order) { links.row(at: $0) }
    isShared = links.isShared
  }

  /// The parts of a row that words of a filter can match; nil if the rows already exist.
  package func matchKey(at index: Int) -> RowMatchKey? {
    order.map { RowMatchKey($0[index], isShared: isShared(index)) }
  }
}
