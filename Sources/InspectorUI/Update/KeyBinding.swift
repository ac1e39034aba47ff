/// One row of the key table.
public struct KeyBinding: Sendable {
  /// Any of these.
  public let keys: [Key]
  /// One or two words for the footer; empty if it is never shown there.
  public let label: String
  /// One line for the help and the manual.
  public let help: String
  /// The command that it triggers.
  public let command: Command
  /// The heading below which it is listed.
  public let group: Group
  /// In a narrow footer, bindings with low numbers are kept longest.
  let footerRank: Int
  /// Screens whose footer shows it; nil for all.
  let footerScreens: [Screen]?

  /// The headings of the help.
  public enum Group: String, CaseIterable, Sendable {
    case screens = "Screens"
    case moving = "Moving"
    case finding = "Searching, sorting and tagging"
    case time = "Time"
    case drawing = "Marbles and lanes"
    case program = "Program"
  }

  init(
    _ group: Group,
    _ keys: [Key],
    _ command: Command,
    _ help: String,
    label: String = "",
    footer: Int = 99,
    on screens: [Screen]? = nil
  ) {
    self.group = group
    self.keys = keys
    self.command = command
    self.help = help
    self.label = label
    footerRank = footer
    footerScreens = screens
  }

  /// The keys as a help screen shows them.
  public var keyNames: String { keys.map(\.name).joined(separator: " ") }
}
