import TraceReading

/// A row that stands for an entity.
package protocol EntityRow: Identifiable where ID == EntityKey {
  var key: EntityKey { get }
  var site: UInt32 { get }
}

extension SubscriptionRow: EntityRow {}
extension SignalRow: EntityRow {}
extension TimerRow: EntityRow {}

/// Rows of entities in the order of creation, each made when it is looked at.
///
/// What lists need of all of them, as their names and lines of code, is told without making rows.
package struct LazyRows<Row: EntityRow>: RandomAccessCollection {
  /// The entities; nil where the rows were put in by hand.
  package let order: EntityOrder?
  package let count: Int
  private let make: (Int) -> Row

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

  /// Where an entity stands.
  ///
  /// O(log n).
  package func index(of key: EntityKey) -> Int? { EntityKey.index(of: key, in: count, key(at:)) }

  package func row(of key: EntityKey) -> Row? { index(of: key).map { self[$0] } }

  /// Entities that come from a line of code, the oldest first.
  package func keys(ofSite site: UInt32, limit: Int) -> [EntityKey] {
    var keys: [EntityKey] = []
    for index in 0..<count where self.site(at: index) == site {
      if keys.count >= limit { break }
      keys.append(key(at: index))
    }
    return keys
  }
}

/// What words of a filter can find in the row of a subscription, but for numbers: rows that agree in it pass together, and need not be made.
package struct RowLikeness: Hashable {
  private let site: UInt32
  private let scheduler: UInt32
  private let state: LifeState?
  private let reason: EndReason?
  private let isDisposableReleased: Bool

  init(_ entity: TracedEntity) {
    site = entity.site
    scheduler = entity.scheduler
    state = entity.state
    reason = entity.reason
    isDisposableReleased = entity.isDisposableReleased
  }
}

extension LazyRows<SubscriptionRow> {
  /// What a row has in common with others; nil where the rows were put in by hand.
  package func likeness(at index: Int) -> RowLikeness? {
    order.map { RowLikeness($0[index]) }
  }
}
