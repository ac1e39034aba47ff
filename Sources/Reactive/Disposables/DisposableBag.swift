/// Disposes of its contents when it is released: for subscriptions that must not outlive the object
/// that holds the bag.
///
/// ```swift
/// final class Pane: Sendable {
///   private let bag = DisposableBag()
///   init(_ ticks: Signal<Int, Never>) {
///     ticks.subscribe { [weak self] in self?.show($0) }.store(in: bag)
///   }
/// }
/// ```
///
/// Disposables that have ended by themselves do not accumulate in the bag.
public final class DisposableBag: Sendable {
  private let members: CompositeDisposable

  /// Creates an empty bag.
  public init(file: StaticString = #fileID, line: UInt = #line, column: UInt = #column) {
    members = CompositeDisposable(owner: Site("DisposableBag", file, line, column))
  }

  deinit { members.dispose() }

  /// Puts a disposable into the bag, if there is one.
  ///
  /// O(1), amortised.
  public func add(_ disposable: (any Disposable)?) { members.add(disposable) }

  /// Puts a disposable into the bag, if there is one; `store(in:)` does so at the end of a chain.
  public static func += (bag: DisposableBag, disposable: (any Disposable)?) { bag.add(disposable) }

  /// Disposes of everything in the bag now; disposables that are added later are disposed of when
  /// the bag is released.
  public func empty() { members.disposeOfMembers() }

  /// The number of disposables in the bag, including those that have ended and have not been
  /// removed yet.
  public var count: Int { members.count }
}

extension Disposable {
  /// Disposes of this disposable when the bag is released; RxSwift calls this method
  /// `disposed(by:)`.
  ///
  /// - Parameter bag: Holds this disposable from now on.
  public func store(in bag: DisposableBag) { bag.add(self) }

  /// Disposes of this disposable when the composite is disposed of.
  ///
  /// - Parameter composite: Holds this disposable from now on, or disposes of it at once if the
  ///   composite has been disposed of.
  public func store(in composite: CompositeDisposable) { composite.add(self) }
}
