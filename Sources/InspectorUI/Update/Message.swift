public import TraceModel

/// Everything that can happen to a ``Model``.
public enum Message: Sendable {
  case key(Key)
  case resized(Size)
  /// The refresh interval has passed.
  case tick
  /// Nothing was typed while ``Model/isSearching``.
  case idle
  /// A part of the refresh interval has passed while ``Model/isAnimated``.
  case pulse
  /// An amount of time has passed while ``Model/isPlaying``.
  case elapsed(Duration)
  /// An answer to ``Effect/show(_:)`` or ``Effect/step(_:forward:from:)``, and the first picture.
  case inspection(Inspection, at: Position)
  /// An answer to ``Effect/step(_:forward:from:)``: there is no further step in that direction.
  case noStep(forward: Bool)
  /// An answer to ``Effect/watch``: the status of the program while the screen is paused.
  case program(ProgramInfo)
  /// An answer to ``Effect/backtrace(of:)``.
  case backtrace(chain: UInt32, [String])
  /// An answer to ``Effect/query(_:)``.
  case answered(TraceQuery, TraceAnswer)
  /// A mouse was used on a cell of the screen.
  case mouse(MouseAction)
  /// An answer to ``Effect/edit(file:line:)``.
  case edited(String)
  /// An answer to ``Effect/saveSettings(_:)``: the path of the file.
  case settingsSaved(String)
  /// An answer to ``Effect/save(_:)``: the path of the file.
  case saved(String)
  /// An answer to ``Effect/compare(_:)``: what was alive in the other recording.
  case compared(SiteBase)
  /// An effect failed, with a sentence about it.
  case failed(String)
}

/// A side effect that the program around a ``Model`` has to perform, as a value.
public enum Effect: Hashable, Sendable {
  /// Read the state at a position.
  case show(Position)
  /// Go one step from a position.
  case step(Step, forward: Bool, from: Position)
  /// Read the status of the program, without reading its trace again.
  case watch
  /// Resolve an asynchronous backtrace.
  case backtrace(of: UInt32)
  /// Answer a question about the records.
  case query(TraceQuery)
  /// Open another recording, or that of a process, to compare with.
  case compare(String)
  /// Open a line of source in the user's editor; the file as the program's compiler named it.
  case edit(file: String, line: UInt32)
  /// Keep the settings for the next time.
  case saveSettings(Settings)
  /// Write a screen into a text file of the working directory.
  case save(String)
  /// Draw every cell again.
  case redraw
  case quit
}
