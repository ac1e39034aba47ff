import CReactiveTraceShims
import TraceFormat
import Synchronization

/// Several disposables that are disposed of together, in the order in which they were added.
///
/// Disposables that have been disposed of elsewhere, or whose subscription has ended, are released
/// from time to time, so that they do not accumulate.
public final class CompositeDisposable: Disposable {
  /// The disposables in order; nil where one was removed.
  ///
  /// `keys` contains the index of each disposable, so that `remove` needs no search.
  private struct Members: Sendable {
    var list: [(any Disposable)?] = []
    var keys: [ObjectIdentifier: Int] = [:]
    var isOver = false
    /// When this many disposables are held, the ended ones are removed.
    var sweepsAt = 32

    mutating func append(_ disposable: any Disposable) {
      let key = ObjectIdentifier(disposable)
      if keys[key] != nil { return }
      keys[key] = list.count
      list.append(disposable)
    }

    mutating func remove(_ disposable: any Disposable) {
      guard let index = keys.removeValue(forKey: ObjectIdentifier(disposable)) else { return }
      list[index] = nil
      guard list.count > 16, keys.count * 2 < list.count else { return }
      list = list.filter { $0 != nil }
      for case (let index, let one?) in list.enumerated() { keys[ObjectIdentifier(one)] = index }
    }
  }

  private let members = Locked(Members())
  private let isOver = Atomic<Bool>(false)

  /// The composite as an owner in traces; nil if the composite is part of another object.
  private let owner: OwnerTrace?

  /// Creates an empty composite.
  public convenience init(
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    self.init(owner: Site("CompositeDisposable", file, line, column))
  }

  /// Creates a composite that disposes of `disposables`, first to last.
  ///
  /// - Parameters:
  ///   - disposables: The disposables that the composite holds initially; nil elements are left
  ///     out.
  public convenience init(
    _ disposables: [(any Disposable)?],
    file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) {
    self.init(owner: Site("CompositeDisposable", file, line, column))
    for one in disposables { add(one) }
  }

  /// Creates a composite that is recorded in traces as an owner with the given site, or not at all
  /// if `site` is nil.
  @usableFromInline
  init(owner site: Site?) { owner = site.map(OwnerTrace.init) }

  // The disposables in this composite may hold others, and so on: releasing a long chain must not
  // overflow the stack.
  deinit { if rxt_releases_deep() { releaseElsewhere { takeMembers(forGood: false) } } }

  /// Whether disposal has begun.
  public var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// The number of disposables that are held now.
  public var count: Int { members.withLock { $0.keys.count } }

  /// Adds a disposable, if there is one; disposes of it at once if this composite has been disposed
  /// of.
  ///
  /// A disposable that has been disposed of is not added. O(1), amortised.
  public func add(_ disposable: (any Disposable)?) {
    guard let disposable, !disposable.isDisposed else { return }
    owner?.bind(disposable, of: self)
    let (isLate, mustSweep) = members.withLock { members in
      if members.isOver { return (true, false) }
      members.append(disposable)
      return (false, members.keys.count >= members.sweepsAt)
    }
    if isLate { disposable.disposeInside(by: owner?.id ?? .none) }
    if mustSweep { sweep() }
  }

  /// Adds a closure to run on disposal.
  ///
  /// - Returns: The disposable that runs it, for ``remove(_:)``.
  @discardableResult
  public func add(_ action: @escaping @Sendable () -> Void) -> any Disposable {
    let disposable = ActionDisposable(action)
    add(disposable)
    return disposable
  }

  /// Adds a disposable, if there is one; same as `add`.
  ///
  /// ```swift
  /// subscriptions += ticks.subscribe { print($0) }
  /// ```
  public static func += (composite: CompositeDisposable, disposable: (any Disposable)?) {
    composite.add(disposable)
  }

  /// Adds a closure to run on disposal.
  public static func += (composite: CompositeDisposable, action: @escaping @Sendable () -> Void) {
    composite.add(action)
  }

  /// Removes a disposable without disposing of it.
  ///
  /// O(1), amortised.
  public func remove(_ disposable: any Disposable) {
    members.withLock { $0.remove(disposable) }
  }

  /// Disposes of all disposables that it holds, in the order of insertion.
  public func dispose() {
    if dispose(as: owner) { owner?.end() }
  }

  /// Disposes of all disposables on behalf of an owner in a trace; returns false if this composite
  /// was disposed of before.
  @discardableResult
  func dispose(as owner: OwnerTrace?) -> Bool {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return false }
    let id = owner?.id ?? .none
    for one in takeMembers(forGood: true) { one.disposeInside(by: id) }
    return true
  }

  /// Disposes of the disposables that are held now; others can still be added afterwards.
  func disposeOfMembers() {
    let id = owner?.id ?? .none
    for one in takeMembers(forGood: false) { one.disposeInside(by: id) }
  }

  private func takeMembers(forGood: Bool) -> [any Disposable] {
    members.withLock { members in
      defer {
        members.list = []
        members.keys = [:]
        members.isOver = members.isOver || forGood
      }
      return members.list.compactMap { $0 }
    }
  }

  /// Removes the disposables that have ended; reads their `isDisposed` outside the lock.
  private func sweep() {
    let all = members.withLock { members in
      members.sweepsAt = .max  // one thread sweeps at a time
      return members.list
    }
    let ended = all.compactMap { $0 }.filter(\.isDisposed)
    members.withLock { members in
      for one in ended { members.remove(one) }
      members.sweepsAt = max(32, members.keys.count * 2)
    }
  }
}
