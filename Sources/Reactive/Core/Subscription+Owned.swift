import ReactiveTrace
import Synchronization

/// What a subscription owns, in one word: nothing, one member, or the first of several that are linked.
///
/// Most own one thing, their source: it is put in and taken out by one compare-and-swap. From the second
/// on they form a list with links in the members (``Teardown``), so that owning costs no allocation and
/// letting go of one in the middle (an inner signal of a merge that has completed) is O(1).
///
/// Why that is safe. The word says who has a member: whoever swaps it out of the word, in whatever way, has
/// the one retain that the word stood for. `isLinked` is set and cleared by whoever holds the lock `links`;
/// while it is set, links are read and written under that lock only, and members leave through it only. The
/// end swaps the word without the lock; it then takes the lock if there were links, so that whoever was
/// inside has left, and finds the list as they left it. Those who come later find the word over, or
/// themselves in no list.
@usableFromInline
struct Owned {
  @usableFromInline static var nothing: UInt { 0 }
  @usableFromInline static var over: UInt { 1 }
  private static var link: UInt { 2 }
  /// Beside what is owned, or nothing: the subscription keeps traced stages (``StageList``).
  @usableFromInline static var traced: UInt { 4 }

  let word: UInt

  @usableFromInline
  init(_ word: UInt) { self.word = word }

  /// With ``traced``, or without.
  init(_ first: Unmanaged<Teardown>?, traced: UInt) {
    // Objects are aligned to 16 bytes: the lowest bits are free.
    word = traced | (first.map { UInt(bitPattern: $0.toOpaque()) | Self.link } ?? Self.nothing)
  }

  init(only member: Unmanaged<Member>) { word = UInt(bitPattern: member.toOpaque()) }

  var isLinked: Bool { word & Self.link != 0 }

  /// ``traced`` where that is set, or nothing.
  var traced: UInt { word & Self.traced }

  /// The one that is owned, or the first of them; nil if nothing is, and when it is over.
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
  /// Ties the end of `one` to the end of this.
  ///
  /// The latest is torn down first, so that the source goes before what lies below it. Torn down at
  /// once if this has ended.
  @usableFromInline
  final func own(_ one: Member) { own(.passRetained(one)) }

  /// The same for one that comes with the retain that is held for as long as it is owned.
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

  /// Owns the first member where traced stages are kept; false if it is not the first, or this has ended.
  private func ownTraced(_ member: Unmanaged<Member>) -> Bool {
    owned.compareExchange(
      expected: Owned.traced,
      desired: Owned(only: member).word | Owned.traced,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Unties it again: it has ended by itself.
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

  /// Puts a second or later member first; false if this has ended.
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
      // Nobody else has it now, and the end waits for the lock.
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

  /// Takes one out of the list; false if it is not in, or the end has it.
  private func unlink(_ member: Unmanaged<Teardown>) -> Bool {
    member._withUnsafeGuaranteedRef { one in
      // What is in no list any more belongs to the end, which goes through it without the lock.
      if case .none = one.before { return false }
      let after = one.after
      switch one.before {
      case .none: return false
      case .member(let before): before._withUnsafeGuaranteedRef { $0.after = after }
      case .owner:
        // Set before there are links, and not cleared before the end.
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

  /// Tears down what the end has taken out of the word.
  @usableFromInline
  final func tearDown(_ all: Owned, _ ending: Ending) {
    if all.traced != 0 { return tearDownTraced(all, ending) }
    tearDownOwned(all, ending)
  }

  @inline(never)
  private func tearDownTraced(_ all: Owned, _ ending: Ending) {
    Tracer.beginTeardown()
    tearDownOwned(all, ending)
    // They were there before everything else.
    endStages(ending)
    Tracer.endTeardown()
  }

  @inline(__always)
  private func tearDownOwned(_ all: Owned, _ ending: Ending) {
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

  /// Notes that none of them is in a list any more.
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
      _ = handOver.load(ordering: .acquiring)  // pairs with the release below
      defer { handOver.store(true, ordering: .releasing) }
      return body()
    }
  }
}
