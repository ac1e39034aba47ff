import TraceFormat
import Synchronization

/// What a subscription owns, in one word: nothing, one member, or the first of several that are
/// linked.
///
/// Most subscriptions own one thing, their source: one compare-and-swap stores it, and one removes
/// it. Two or more members form a list with links in the members (``Teardown``), so that owning a
/// `Teardown` costs no allocation, and releasing a member in the middle (an inner signal of a merge
/// that has completed) is O(1).
///
/// Why that is safe. A member belongs to the thread that swaps it out of the word: that thread gets
/// the one retain that the word stood for. `isLinked` is set and cleared by the thread that holds
/// the lock `links`; while it is set, links are read and written, and single members are removed,
/// only under that lock. The thread that ends the subscription swaps the word without the lock. If
/// there were links, it then takes the lock, so that no other thread is still changing the list.
/// Threads that take the lock later find that the subscription has ended, or that their member is
/// in no list.
@usableFromInline
struct Owned {
  @usableFromInline static var nothing: UInt { 0 }
  @usableFromInline static var over: UInt { 1 }
  private static var link: UInt { 2 }
  /// A flag in the same word: the subscription keeps traced stages (``StageList``).
  @usableFromInline static var traced: UInt { 4 }

  let word: UInt

  @usableFromInline
  init(_ word: UInt) { self.word = word }

  /// The word for the first of several linked members, with ``traced`` or with 0.
  init(_ first: Unmanaged<Teardown>?, traced: UInt) {
    // Objects are aligned to 16 bytes: the lowest bits are free.
    word = traced | (first.map { UInt(bitPattern: $0.toOpaque()) | Self.link } ?? Self.nothing)
  }

  init(only member: Unmanaged<Member>) { word = UInt(bitPattern: member.toOpaque()) }

  var isLinked: Bool { word & Self.link != 0 }

  /// The flag `Owned.traced` if it is set in the word, otherwise 0.
  var traced: UInt { word & Self.traced }

  /// The owned member, or the first of several; nil if nothing is owned, or if the subscription has
  /// ended.
  var first: Unmanaged<Member>? {
    UnsafeRawPointer(bitPattern: word & ~(Self.over | Self.link | Self.traced)).map(
      Unmanaged.fromOpaque
    )
  }

  var firstLinked: Unmanaged<Teardown>? {
    isLinked ? first.map { .fromOpaque($0.toOpaque()) } : nil
  }
}

extension Subscription {
  /// Ends `one` together with this subscription.
  ///
  /// Members are torn down in reverse order, so that the source ends before the stages downstream
  /// of it. If this subscription has ended, `one` is torn down at once.
  @usableFromInline
  final func own(_ one: Member) { own(.passRetained(one)) }

  /// Owns a member like ``own(_:)``, and takes over a retain of it from the caller.
  @usableFromInline
  final func own(_ member: Unmanaged<Member>) {
    let (isDone, found) = owned.compareExchange(
      expected: Owned.nothing,
      desired: Owned(only: member).word,
      ordering: .acquiringAndReleasing
    )
    if isDone || (found == Owned.traced && ownTraced(member)) { return }
    if found == Owned.over || !withLinks({ link(member) }) {
      member._withUnsafeGuaranteedRef { $0.teardown(Ending(.cancelled, by: .late)) }
      member.release()
    }
  }

  /// Owns the first member of a subscription that keeps traced stages; returns false if the member
  /// is not the first, or if the subscription has ended.
  private func ownTraced(_ member: Unmanaged<Member>) -> Bool {
    owned.compareExchange(
      expected: Owned.traced,
      desired: Owned(only: member).word | Owned.traced,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Stops owning a member that has ended by itself.
  @usableFromInline
  final func release(_ one: Teardown) {
    let member = Unmanaged<Member>.passUnretained(one)
    let (isDone, found) = owned.compareExchange(
      expected: Owned(only: member).word,
      desired: Owned.nothing,
      ordering: .acquiringAndReleasing
    )
    let isTraced = found == Owned(only: member).word | Owned.traced
    if isDone || (isTraced && disownTraced(member))
      || ((isTraced || Owned(found).isLinked) && withLinks { unlink(.passUnretained(one)) })
    {
      member.release()
    }
  }

  private func disownTraced(_ member: Unmanaged<Member>) -> Bool {
    owned.compareExchange(
      expected: Owned(only: member).word | Owned.traced,
      desired: Owned.traced,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Inserts a second or later member at the front; returns false if the subscription has ended.
  private func link(_ member: Unmanaged<Member>) -> Bool {
    let new = member._withUnsafeGuaranteedRef { $0.linked() }
    while true {
      let word = owned.load(ordering: .acquiring)
      if word == Owned.over {
        if new.toOpaque() != member.toOpaque() {
          // The caller keeps the member, and its retain.
          _ = member.retain()
          new.release()
        }
        return false
      }
      let (isDone, _) = owned.compareExchange(
        expected: word,
        desired: Owned(new, traced: Owned(word).traced).word,
        ordering: .acquiringAndReleasing
      )
      if !isDone { continue }
      // No other thread can reach the former members now, and a thread that ends the subscription
      // waits for the lock.
      let former =
        Owned(word).firstLinked ?? Owned(word).first?._withUnsafeGuaranteedRef { $0.linked() }
      new._withUnsafeGuaranteedRef { one in
        one.after = former
        one.before = .owner
      }
      former?._withUnsafeGuaranteedRef { $0.before = .member(new) }
      return true
    }
  }

  /// Takes a member out of the list; returns false if the member is not in the list, or if the
  /// subscription has ended.
  private func unlink(_ member: Unmanaged<Teardown>) -> Bool {
    member._withUnsafeGuaranteedRef { one in
      // A member that is no longer in a list may belong to the thread that ends the subscription,
      // which walks the list without the lock.
      if case .none = one.before { return false }
      let after = one.after
      switch one.before {
      case .none: return false
      case .member(let before): before._withUnsafeGuaranteedRef { $0.after = after }
      case .owner:
        // The flag `traced` is set before there are links, and not cleared before the end.
        let traced = Owned(owned.load(ordering: .relaxed)).traced
        let (isDone, _) = owned.compareExchange(
          expected: Owned(member, traced: traced).word,
          desired: Owned(after, traced: traced).word,
          ordering: .acquiringAndReleasing
        )
        if !isDone { return false }
      }
      let before = one.before
      after?._withUnsafeGuaranteedRef { $0.before = before }
      one.after = nil
      one.before = .none
      return true
    }
  }

  /// Tears down the members that the ended subscription owned.
  @usableFromInline
  final func tearDown(_ all: Owned, _ ending: Ending) {
    if all.traced != 0 { return tearDownTraced(all, ending) }
    tearDownOwned(all, ending)
  }

  @inline(__always)
  final func tearDownOwned(_ all: Owned, _ ending: Ending) {
    if all.isLinked { return tearDown(linked: all, ending) }
    all.first?._withUnsafeGuaranteedRef { $0.teardown(ending) }
    all.first?.release()
  }

  private func tearDown(linked all: Owned, _ ending: Ending) {
    var next = all.firstLinked
    withLinks { leave(next) }
    while let one = next {
      next = one._withUnsafeGuaranteedRef { member in
        let after = member.after
        member.after = nil
        member.teardown(ending)
        return after
      }
      one.release()
    }
  }

  /// Marks `first` and all members after it as no longer in a list.
  private func leave(_ first: Unmanaged<Teardown>?) {
    var next = first
    while let one = next {
      next = one._withUnsafeGuaranteedRef { member in
        member.before = .none
        return member.after
      }
    }
  }

  private func withLinks<Result: Sendable>(_ body: () -> Result) -> Result {
    links.withLock { _ in
      _ = handOver.load(ordering: .acquiring)  // pairs with the releasing store below
      defer { handOver.store(true, ordering: .releasing) }
      return body()
    }
  }
}
