public import TraceModel

/// A finding in the form that tools of continuous integration read: plain text, with places in a
/// repository.
///
/// Its texts contain no characters that would affect a terminal.
public struct ReportedFinding: Sendable, Equatable {
  /// A line of source, and what it has to do with the finding.
  public struct Place: Sendable, Equatable {
    /// The path relative to the root of the sources, such as `Sources/App/Pane.swift`; the
    /// compiler's name where the file is not found there.
    public var path: String
    /// Counted from 1.
    public var line: UInt32
    /// In bytes, counted from 1; nil where it is not known.
    public var column: UInt32?
    /// A description for people.
    public var text: String
  }

  /// The kind of finding.
  public var kind: FindingKind
  /// How certain it is.
  public var level: FindingLevel
  /// `LEAK growth-at-site: subscribe@Pane.swift:94`.
  public var title: String
  /// `growth-at-site: subscribe in Sources/App/Pane.swift`: without a line, so that it is the same
  /// when lines move.
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
  /// The accused line; nil where the whole program is accused.
  public var place: Place?
  /// The call that is to blame, where the accused line subscribes for several callers and only one
  /// of them shows the fault; nil where there is none.
  public var caller: Place?
  /// The callers and the records that are evidence.
  public var related: [Place] = []
  /// The program's own functions that led to the accused line, the outermost first, across queues,
  /// timers and tasks.
  public var flow: [Place] = []
  /// Equal for the same fault in another build, even where lines have moved.
  public var fingerprint: String
  /// What the baseline says about it.
  public var baselineStatus: Finding.BaselineStatus
  /// Whether the check fails because of it.
  public var isFailing: Bool
}
