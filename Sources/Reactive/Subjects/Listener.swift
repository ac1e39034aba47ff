public import ReactiveTrace
public import Synchronization

/// A subscriber of a subject.
///
/// The untyped part, so that adding and removing one looks up no generic metadata.
///
/// Unchecked for `index`, which belongs to whoever is inside the gate of the hub.
@usableFromInline
class Listener: Teardown, @unchecked Sendable {
  @usableFromInline let isLive = Atomic<Bool>(true)
  final let hub: HubBase
  /// The position in `hub.listeners`, or nil.
  @exclusivity(unchecked) final var index: Int?

  @usableFromInline
  init(_ hub: HubBase) {
    self.hub = hub
    super.init()
  }

  @usableFromInline
  final override func teardown(_ ending: Ending) {
    isLive.store(false, ordering: .relaxed)
    hub.remove(self)
  }
}

@usableFromInline
final class TypedListener<Value: Sendable, Failure: Error>: Listener, @unchecked Sendable {
  @usableFromInline let sink: Sink<Value, Failure>

  @inlinable
  init(_ hub: HubBase, _ sink: Sink<Value, Failure>) {
    self.sink = sink
    super.init(hub)
  }
}

/// The subscribers of a subject in the order they came.
///
/// The list holds each with one retain of its own, so that a delivery need not retain it again. Why
/// that is safe, and why `@unchecked` holds: only whoever is inside the gate touches the list, and a
/// delivery is inside it; adding and removing wait until it has returned.
@usableFromInline
class HubBase: @unchecked Sendable {
  @usableFromInline let gate = Gate()
  let isDirty = Atomic<Bool>(false)
  @exclusivity(unchecked) @usableFromInline
  final var listeners: ContiguousArray<Unmanaged<Listener>?> = []
  @exclusivity(unchecked) final var holes = 0
  @exclusivity(unchecked) @usableFromInline final var isOver = false
  /// The subject's signal in the trace.
  ///
  /// Set once, before the subject is shared.
  @exclusivity(unchecked) @usableFromInline final var id = TraceID.none

  @inlinable
  init() {}

  deinit { for case let one? in listeners { one.release() } }

  @usableFromInline
  final func insert(_ one: Listener) {
    guard one.isLive.load(ordering: .relaxed) else { return }
    one.index = listeners.count
    listeners.append(.passRetained(one))
  }

  @usableFromInline
  final func remove(_ one: Listener) {
    if gate.enter() {
      if let index = one.index, let held = listeners[index] {
        one.index = nil
        if index == listeners.count - 1 {
          listeners.removeLast()
        } else {
          listeners[index] = nil
          holes += 1
        }
        held.release()
        if holes > 8, holes * 2 > listeners.count { sweep() }
      }
      gate.leave()
    } else if !isDirty.exchange(true, ordering: .acquiringAndReleasing) {
      gate.wait { [self] in
        isDirty.store(false, ordering: .releasing)
        sweep()
      }
    }
  }

  /// Throws out those that are no longer live.
  @usableFromInline
  final func sweep() {
    var kept: ContiguousArray<Unmanaged<Listener>?> = []
    var gone: [Unmanaged<Listener>] = []
    for case let one? in listeners {
      let isLive = one._withUnsafeGuaranteedRef { listener in
        let isLive = listener.isLive.load(ordering: .relaxed)
        listener.index = isLive ? kept.count : nil
        return isLive
      }
      if isLive { kept.append(one) } else { gone.append(one) }
    }
    listeners = kept
    holes = 0
    for one in gone { one.release() }
  }

  /// Everyone, live or not, out of the list.
  @usableFromInline
  final func takeAll() -> [Listener] {
    let all = listeners.compactMap { $0?.takeRetainedValue() }
    for one in all { one.index = nil }
    listeners = []
    holes = 0
    return all
  }

  /// Nothing can send any more (contract rule 11).
  @usableFromInline
  final func sourceGone() {
    if gate.enter() {
      disband()
      gate.leave()
    } else {
      gate.wait { self.disband() }
    }
  }

  private func disband() {
    if isOver { return }
    isOver = true
    for one in takeAll() { endScope(of: one) }
  }

  @usableFromInline
  func endScope(of one: Listener) {}

  /// Puts a delivery into the queue and records how long that has become.
  @usableFromInline @inline(never)
  final func later(_ event: @escaping @Sendable () -> Void) {
    let held = gate.wait(event)
    if id != .none, held > 0 { Tracer.depth(id, held) }
  }
}
