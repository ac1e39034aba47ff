import Reactive
import ReactiveTrace

/// A registry of policies: documents arrive, and dialogs show their parameters or one in full.
///
/// Rebuilt from hashgraph/guardian#6771. Each dialog has a subject that ends its subscriptions, but
/// that of the full-screen dialog never sent: after each closing, its subscriptions remained.
extension Real {
  static let policies = Report("policies", "slower with each dialog") { version in
    let registry = Registry()
    let desk = Desk(registry, version)
    for round in 1...6 {
      Trace.mark("policy \(round)")
      desk.openDocument("policy \(round)")
      registry.documents.send(Document(name: "policy \(round)", revision: 1))
      await pause(120)
      registry.select("section \(round)")
      await pause(60)
      desk.closeDocument()
      desk.editParameters(of: "policy \(round)")
      registry.documents.send(Document(name: "policy \(round)", revision: 2))
      await pause(120)
      desk.closeParameters()
    }
    let before = desk.renderings.value
    for revision in 3...6 {
      registry.documents.send(Document(name: "policy 6", revision: revision))
      await pause(80)
    }
    print("policies: rendered \(desk.renderings.value - before) times with no dialog open")
    return [registry, desk] as [Any]
  }
}

private struct Document: Equatable, Sendable {
  var name = ""
  var revision = 0
}

/// A registry that exists as long as the program.
private final class Registry: Sendable {
  let documents = Subject<Document, Never>("documents")
  let section = MutableProperty("", "section")
  let roles = MutableProperty(["owner", "auditor"], "roles")

  func select(_ name: String) { section.value = name }
}

@MainActor
private final class Desk {
  let renderings = Counter()
  private let registry: Registry
  private let version: Version
  private let title = MutableProperty("", "title")
  private var document: FullscreenDialog?
  private var parameters: ParametersDialog?
  private let bag = DisposableBag()

  init(_ registry: Registry, _ version: Version) {
    self.registry = registry
    self.version = version
    registry.documents.signal.map(\.name).distinctUntilChanged().bind(to: title).store(in: bag)
    Signal.interval(.milliseconds(250), on: .main).subscribe { _ in }.store(in: bag)
  }

  func openDocument(_ name: String) {
    document = FullscreenDialog(name, registry, renderings, version)
  }

  func closeDocument() {
    document?.close()
    document = nil
  }

  func editParameters(of name: String) {
    parameters = ParametersDialog(name, registry, renderings)
  }

  func closeParameters() {
    parameters?.close()
    parameters = nil
  }
}

/// A dialog with one document and its sections.
@MainActor
private final class FullscreenDialog {
  private let version: Version
  private let destroyed = Subject<Void, Never>("destroyed")
  private let text = MutableProperty("", "text")

  init(_ name: String, _ registry: Registry, _ renderings: Counter, _ version: Version) {
    self.version = version
    registry.documents.signal
      .take(until: destroyed.signal).subscribe { [text] document in  // blame, too
        renderings.add()
        text.value = "\(document.name), revision \(document.revision)"
      }
    combineLatest(registry.section.signal, registry.documents.signal)
      .take(until: destroyed.signal).subscribe { _ in renderings.add() }  // blame, too
  }

  func close() {
    text.value = ""
    if version == .fixed { destroyed.send() }  // blame
  }
}

/// A dialog with the parameters of a policy and the roles that may change them.
@MainActor
private final class ParametersDialog {
  private let destroyed = Subject<Void, Never>("destroyed")
  private let roles = MutableProperty(0, "role count")

  init(_ name: String, _ registry: Registry, _ renderings: Counter) {
    registry.documents.signal
      .filter { $0.name == name }
      .take(until: destroyed.signal).subscribe { _ in renderings.add() }
    registry.roles.signal
      .take(until: destroyed.signal).subscribe { [roles] in roles.value = $0.count }
  }

  func close() { destroyed.send() }
}
