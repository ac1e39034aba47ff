import Synchronization

/// Several disposables that are disposed of together, in the order in which they were added.
public final class CompositeDisposable: Disposable {
  /// The disposables in order; nil where one was removed.
  ///
  /// `keys` finds one again without a search.
  private struct Members: Sendable {
    var list: [(any Disposable)?] = []
    var keys: [ObjectIdentifier: Int] = [:]
    var isOver = false
  }

  private let members = Locked(Members())
  private let isOver = Atomic<Bool>(false)

  /// An empty one.
  public init() {}

  /// One that disposes of `disposables`, first to last.
  public convenience init(_ disposables: [any Disposable]) {
    self.init()
    for one in disposables { add(one) }
  }

  /// Whether disposal has begun.
  public var isDisposed: Bool { isOver.load(ordering: .acquiring) }

  /// Disposables held now.
  public var count: Int { members.withLock { $0.keys.count } }

  /// Adds a disposable; disposes of it at once if this one is disposed already.
  ///
  /// O(1).
  public func add(_ disposable: any Disposable) {
    let isLate = members.withLock { members in
      if members.isOver { return true }
      let key = ObjectIdentifier(disposable)
      if members.keys[key] == nil {
        members.keys[key] = members.list.count
        members.list.append(disposable)
      }
      return false
    }
    if isLate { disposable.dispose() }
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

  /// Lets go of a disposable without disposing of it.
  ///
  /// O(1), amortised.
  public func remove(_ disposable: any Disposable) {
    members.withLock { members in
      guard let index = members.keys.removeValue(forKey: ObjectIdentifier(disposable)) else {
        return
      }
      members.list[index] = nil
      guard members.list.count > 16, members.keys.count * 2 < members.list.count else { return }
      members.list = members.list.filter { $0 != nil }
      for case (let index, let one?) in members.list.enumerated() {
        members.keys[ObjectIdentifier(one)] = index
      }
    }
  }

  /// Disposes of all of them, in the order of insertion.
  public func dispose() {
    if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
    let all = members.withLock { members in
      defer {
        members.list = []
        members.keys = [:]
        members.isOver = true
      }
      return members.list
    }
    for case let one? in all { one.dispose() }
  }
}
