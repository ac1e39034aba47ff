extension Duration {
  /// The time that `count` characters of a marble diagram take on a scheduler with the default
  /// frame of a millisecond.
  ///
  /// For schedulers with another frame, use ``TestScheduler/frames(_:)``.
  public static func frames(_ count: Int) -> Duration { .milliseconds(count) }
}

extension TestScheduler {
  /// The time that `count` characters of a marble diagram take on this scheduler.
  public func frames(_ count: Int) -> Duration { frame * count }
}
