import Glibc
import TraceFormat
package import TraceReading

/// The names of the signals of an instant, composed on access: each operator with the signal it was
/// applied to, as `Signal.description` spells it in the process.
///
/// Unknown parts are shown as `?`: an argument that was not recorded, and further inputs of a
/// signal that has been released.
///
/// `@unchecked Sendable`: cached results are only accessed with the mutex held.
package final class SignalNames: @unchecked Sendable {
  private let entities: IDTable<TracedEntity>
  private let gone: [TracedEntity]
  private let snapshot: TraceSnapshot
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var tree: RecordedSignals?
  /// The group of each signal, by its place among the entities; 0 if it has not been computed.
  ///
  /// Signals of one group certainly have the same name.
  private var groups: [Int32] = []
  /// The groups of signals with the same composition.
  private var shapes: [Shape: Int32] = [:]
  /// The name of each group.
  private var names: [Int32: String] = [:]

  /// Everything that determines the name of a signal with at most one input.
  private struct Shape: Hashable {
    var site: UInt32
    var argument: UInt32
    var name: UInt32
    /// The group of the input; 0 for none.
    var input: Int32
  }

  init(_ moment: Moment, gone: [TracedEntity]) {
    entities = moment.state.entities
    self.gone = gone
    snapshot = moment.snapshot
    pthread_mutex_init(mutex, nil)
  }

  /// The names of signals that are live at the end of a trace.
  package init(endOf snapshot: TraceSnapshot) {
    entities = GraphState(end: snapshot).entities
    gone = []
    self.snapshot = snapshot
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// The name of a signal; nil if the trace does not have it.
  package func name(of signal: TraceID) -> String? {
    locked { tree in
      guard let entity = tree.entity(signal) else { return nil }
      let group = group(of: signal, tree)
      if group != 0, let name = names[group] { return name }
      var writer = NameWriter(tree)
      let name = writer.name(of: entity)
      if group != 0 { names[group] = name }
      return name
    }
  }

  /// The name for use in a sentence; nil if any part of it is unknown.
  package func wholeName(of signal: TraceID) -> String? {
    name(of: signal).flatMap { $0.contains("?") ? nil : $0 }
  }

  /// A number that is the same for signals whose names are certainly equal; nil if there is none.
  package func group(of signal: TraceID) -> Int? {
    locked { tree in
      let group = group(of: signal, tree)
      return group == 0 ? nil : Int(group)
    }
  }

  private func locked<Value>(_ body: (RecordedSignals) -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let tree { return body(tree) }
    let new = RecordedSignals(entities, gone, snapshot)
    tree = new
    groups = [Int32](repeating: 0, count: entities.count)
    return body(new)
  }

  /// The group of a signal; 0 if the signal is not live at the instant.
  ///
  /// Signals with several inputs each form a group of their own, because two inputs may lead to one
  /// signal or to two equal ones; the same applies to signals with more operators than a name
  /// shows.
  private func group(of signal: TraceID, _ tree: RecordedSignals) -> Int32 {
    guard let place = entities.place(of: signal) else { return 0 }
    if groups[place] != 0 { return groups[place] }
    var path: [Int] = []
    var here = place
    var group: Int32 = 0
    while groups[here] == 0 {
      let entity = entities.values[here]
      guard entity.kind == .signal else { return 0 }
      let inputs = entity.name == 0 ? tree.inputs(of: entity) : []
      let input = inputs.first ?? nil
      let next = input.flatMap { entities.place(of: $0.key.id) }
      if inputs.count > 1 || path.count > 64 || (input != nil && next == nil) {
        groups[here] = -2 - Int32(here)
        break
      }
      path.append(here)
      guard let next else {
        // It has no input, or one of which nothing is known.
        group = inputs.isEmpty ? 0 : -1
        break
      }
      here = next
    }
    if groups[here] != 0 { group = groups[here] }
    for place in path.reversed() {
      let entity = entities.values[place]
      let shape = Shape(
        site: entity.site,
        argument: entity.argument,
        name: entity.name,
        input: group
      )
      group = shapes[shape] ?? Int32(shapes.count + 1)
      shapes[shape] = group
      groups[place] = group
    }
    return group
  }
}

/// The signals of an instant, according to the trace.
///
/// A class, because its contents are too large to be copied for each name.
private final class RecordedSignals: SignalTree {
  private let entities: IDTable<TracedEntity>
  private var gone: [TraceID: TracedEntity] = [:]
  private let words: SignalWords

  init(_ entities: IDTable<TracedEntity>, _ gone: [TracedEntity], _ snapshot: TraceSnapshot) {
    self.entities = entities
    for entity in gone where entity.kind == .signal { self.gone[entity.key.id] = entity }
    words = SignalWords(snapshot)
  }

  func entity(_ id: TraceID) -> TracedEntity? {
    if id == .none { return nil }
    if let entity = entities[id] { return entity.kind == .signal ? entity : nil }
    return gone[id]
  }

  func identity(of entity: TracedEntity) -> TraceID { entity.key.id }
  func name(of entity: TracedEntity) -> String? { words.name(entity.name) }
  func operation(of entity: TracedEntity) -> String { words.operation(entity.site) }

  func argument(of entity: TracedEntity) -> SignalSpelling.Argument {
    words.argument(entity.argument)
  }

  func inputs(of entity: TracedEntity) -> [TracedEntity?] {
    words.inputs(of: entity.key, entity.site, entity.link).map { $0.flatMap(self.entity) }
  }
}

/// What a trace says about the parts of a signal's name: given names, operators, arguments, inputs.
struct SignalWords {
  private let snapshot: TraceSnapshot
  /// The upstreams after the first, by serial, of signals that have a slot and whose site says that
  /// there may be several.
  private var more: [UInt64: [TraceID]] = [:]

  init(_ snapshot: TraceSnapshot) {
    self.snapshot = snapshot
    let isWanted = snapshot.sites.map { $0.traits.inputs != .source }
    // The slots are read in place, because a copy of a slot retains its list of upstreams.
    snapshot.slots.withUnsafeBufferPointer { slots in
      for index in slots.indices where slots[index].kind == .signal {
        let site = Int(slots[index].site)
        if !slots[index].moreUpstreams.isEmpty || (site < isWanted.count && isWanted[site]) {
          more[slots[index].serial] = slots[index].moreUpstreams
        }
      }
    }
  }

  private func mayHaveMore(_ site: UInt32) -> Bool {
    Int(site) < snapshot.sites.count && snapshot.sites[Int(site)].traits.inputs != .source
  }

  func name(_ number: UInt32) -> String? {
    let name = snapshot.string(number)
    return name.isEmpty ? nil : name
  }

  func operation(_ site: UInt32) -> String {
    let name = Int(site) < snapshot.sites.count ? snapshot.sites[Int(site)].name : ""
    return name.isEmpty ? "?" : name
  }

  func argument(_ number: UInt32) -> SignalSpelling.Argument {
    SignalSpelling.Argument(snapshot.argument(number), scheduler: snapshot.schedulerName)
  }

  /// The inputs of a signal, with nil for each input of which nothing is known.
  func inputs(of signal: EntityKey, _ site: UInt32, _ first: TraceID) -> [TraceID?] {
    if let more = more[signal.serial] {
      return first == .none && more.isEmpty ? [] : ([first] + more).map { $0 == .none ? nil : $0 }
    }
    if first == .none { return [] }
    // Of a released signal, only the first input is recorded.
    return mayHaveMore(site) ? [first, nil] : [first]
  }
}

/// The name of the signal of a row, composed on access.
struct SignalNaming: Sendable {
  private enum Source {
    case given(String?)
    case names(SignalNames, TraceID)
  }
  private let source: Source

  init(_ name: String?) { source = .given(name) }
  init(_ names: SignalNames, _ signal: TraceID) { source = .names(names, signal) }

  var name: String? {
    switch source {
    case .given(let name): name
    case .names(let names, let signal): names.name(of: signal)
    }
  }

  /// A number that rows with the same name share; nil if the name was passed as text.
  var group: Int? {
    switch source {
    case .given: nil
    case .names(let names, let signal): names.group(of: signal)
    }
  }
}
