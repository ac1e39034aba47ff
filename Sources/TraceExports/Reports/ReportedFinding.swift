public import TraceModel

/// A finding for tools of continuous integration: plain text, with the paths of files in a
/// repository.
///
/// Control characters in its texts are escaped.
public struct ReportedFinding: Sendable, Equatable {
  /// A line of source code, and how it is related to the finding.
  public struct Place: Sendable, Equatable {
    /// The path relative to the root of the sources, such as `Sources/App/Pane.swift`; if the file
    /// is not found there, the compiler's name for it or its path from debug information.
    public var path: String
    /// The line, counted from 1.
    public var line: UInt32
    /// The column in bytes, counted from 1; nil if it is not known.
    public var column: UInt32?
    /// How the line is related to the finding, for people.
    public var text: String
  }

  /// The kind of finding.
  public var kind: FindingKind
  /// How severe and how certain the finding is.
  public var level: FindingLevel
  /// The title, such as `LEAK growth-at-site: subscribe@Pane.swift:94`.
  public var title: String
  /// The name, such as `growth-at-site: subscribe in Sources/App/Pane.swift`; it stays the same if
  /// lines move, because it contains no line number.
  public var name: String
  /// What is wrong, and why it is not certain, in a few sentences.
  public var reasoning: [String]
  /// What to change.
  public var edit: String
  /// The reasoning and the edit, on separate lines.
  public var message: String {
    (reasoning + ["What to do: \(edit)"]).joined(separator: "\n")
  }
  /// The evidence, in figures.
  public var evidence: String
  /// The accused line; nil if the whole program is accused or the line is not known.
  public var place: Place?
  /// The call that is to blame, if the accused line subscribes for several callers and only one of
  /// them shows the fault; otherwise nil.
  public var caller: Place?
  /// The callers, the other lines of code and the records that are evidence.
  public var related: [Place] = []
  /// The program's own functions that led to the accused line, the outermost first, across queues,
  /// timers and tasks.
  public var flow: [Place] = []
  /// A hash that is equal for the same fault in another build, even if lines have moved.
  public var fingerprint: String
  /// The fingerprint that also depends on the line; empty if there is none.
  package var lineFingerprint = ""
  /// The status of the finding in the baseline, which lists findings of earlier runs.
  public var baselineStatus: Finding.BaselineStatus
  /// Whether the finding makes the check fail.
  public var isFailing: Bool
}
