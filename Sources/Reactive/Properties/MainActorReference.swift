/// A weak reference to an object of the main actor.
@MainActor
final class MainActorReference<Object: AnyObject> {
  private(set) weak var object: Object?
  init(_ object: Object) { self.object = object }
}
