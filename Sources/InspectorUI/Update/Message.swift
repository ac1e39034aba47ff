public import TraceModel

/// Everything that can happen to a ``Model``.
public enum Message: Sendable {
  case key(Key)
  case resized(Size)
  /// The refresh interval has passed.
  case tick
  /// No input is waiting while ``Model/isSearching`` is true.
  case idle
  /// ``Model/pulseInterval`` has passed while ``Model/isAnimated`` is true.
  case pulse
  /// Some time has passed while ``Model/isPlaying`` is true.
  case elapsed(Duration)
  /// The answer to ``Effect/show(_:)`` or ``Effect/step(_:forward:from:)``.
  case inspection(Inspection, at: Position)
  /// The answer to ``Effect/step(_:forward:from:)`` if there is no further step in that direction.
  case noStep(forward: Bool)
  /// The answer to ``Effect/watch``: the status of the program.
  case program(ProgramInfo)
  /// The answer to ``Effect/backtrace(of:)``.
  case backtrace(chain: UInt32, [String])
  /// The answer to ``Effect/query(_:)``.
  case answered(TraceQuery, TraceAnswer)
  /// The mouse was used on a cell of the screen.
  case mouse(MouseAction)
  /// The answer to ``Effect/edit(file:line:)``: what was opened.
  case edited(String)
  /// The answer to ``Effect/saveSettings(_:)``: the path of the file.
  case settingsSaved(String)
  /// The answer to ``Effect/save(_:)``: the path of the file.
  case saved(String)
  /// The answer to ``Effect/compare(_:)``: the state of the other recording.
  case compared(SiteBase)
  /// An effect failed; the text is a sentence about the error.
  case failed(String)
}

/// A side effect that a ``Model`` requests and ``ScreenLoop`` performs.
public enum Effect: Hashable, Sendable {
  /// Read the state at a position.
  case show(Position)
  /// Go one step from a position.
  case step(Step, forward: Bool, from: Position)
  /// Read the status of the program, without reading its trace again.
  case watch
  /// Look up the functions of an asynchronous backtrace.
  case backtrace(of: UInt32)
  /// Answer a question about the records.
  case query(TraceQuery)
  /// Open another recording, named by its file or process, to compare with.
  case compare(String)
  /// Open a line of source in the user's editor; `file` is the compiler's name for the file.
  case edit(file: String, line: UInt32)
  /// Save the settings for the next run.
  case saveSettings(Settings)
  /// Save a screen as a text file in the working directory.
  case save(String)
  /// Draw all cells of the screen again.
  case redraw
  case quit
}
