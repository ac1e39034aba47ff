/// One row of the key table.
public struct KeyBinding: Sendable {
  /// The keys, each of which triggers the command.
  public let keys: [Key]
  /// One or two words for the footer; empty if the footer never shows the binding.
  public let label: String
  /// One line for the help and the manual page.
  public let help: String
  /// The command that the keys trigger.
  public let command: Command
  /// The heading under which the help lists the binding.
  public let group: Group
  /// The rank in the footer: bindings with lower numbers come first, and are kept if there is
  /// little room.
  let footerRank: Int
  /// The screens whose footer shows the binding; nil for all screens.
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

  /// The names of the keys, as help screens show them.
  public var keyNames: String { keys.map(\.name).joined(separator: " ") }
}
