/// Disposes of what was put into it when it is released: for the subscriptions of an object that must
/// not outlive it.
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
/// What has ended by itself does not pile up in it.
public final class DisposableBag: Sendable {
  private let members: CompositeDisposable

  /// An empty bag.
  ///
  /// - Parameters:
  ///   - file: The file of the call; recorded in traces, with line and column, as the owner of what is
  ///     put into it.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public init(file: StaticString = #fileID, line: UInt = #line, column: UInt = #column) {
    members = CompositeDisposable(owner: Site("DisposableBag", file, line, column))
  }

  deinit { members.dispose() }

  /// Puts a disposable into the bag, if there is one.
  ///
  /// O(1), amortised.
  public func add(_ disposable: (any Disposable)?) { members.add(disposable) }

  /// Puts a disposable into the bag, if there is one; `store(in:)` does so behind a chain.
  public static func += (bag: DisposableBag, disposable: (any Disposable)?) { bag.add(disposable) }

  /// Disposes of everything in the bag now; what is added afterwards waits for the end of the bag again.
  public func empty() { members.disposeOfMembers() }

  /// Disposables in the bag, those included that have ended and have not yet been thrown out.
  public var count: Int { members.count }
}

extension Disposable {
  /// Disposes of this when the bag is released; `disposed(by:)` of RxSwift.
  ///
  /// - Parameter bag: Holds this from now on.
  public func store(in bag: DisposableBag) { bag.add(self) }

  /// Disposes of this with others.
  ///
  /// - Parameter composite: Holds this from now on; disposes of it at once if it is disposed already.
  public func store(in composite: CompositeDisposable) { composite.add(self) }
}
