import TraceModel

extension ScreenFrame {
  /// The beginning of a sentence about what was lost.
  static let lossLabel = "LOST: "

  /// The sentences of an empty screen: those of the screen, or, if the recording is incomplete,
  /// that nothing follows from this, and what was lost.
  static func reasons(_ sentences: [String], _ model: Model) -> [String] {
    let program = model.inspection.program
    guard model.hasInspection, program.isIncomplete else { return sentences }
    return [
      "There is nothing to show, but the recording is incomplete, so this proves nothing.",
      lossLabel + displayName(program.losses.joined(separator: "; "), columns: 400),
    ] + (model.isFollowing ? [] : ["Press $ to see the newest state."])
  }
}
