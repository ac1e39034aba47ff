/// One character of a marble diagram, as time: a millisecond of virtual time.
let frame = Duration.milliseconds(1)

extension Duration {
  /// The time that so many characters of a marble diagram take.
  public static func frames(_ count: Int) -> Duration { frame * count }

  /// The frame this time lies in.
  var frameIndex: Int { Int(self / frame) }
}
