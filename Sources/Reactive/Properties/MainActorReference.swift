/// An object of the main actor that is not kept alive.
@MainActor
final class MainActorReference<Object: AnyObject> {
  private(set) weak var object: Object?
  init(_ object: Object) { self.object = object }
}
