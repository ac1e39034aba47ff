extension Duration {
  /// The time that so many characters of a marble diagram take on a scheduler that was not given
  /// otherwise: a millisecond each.
  ///
  /// See ``TestScheduler/frames(_:)`` for others.
  public static func frames(_ count: Int) -> Duration { .milliseconds(count) }
}

extension TestScheduler {
  /// The time that so many characters of a marble diagram take on this scheduler.
  public func frames(_ count: Int) -> Duration { frame * count }
}
