internal import ArgumentParser
internal import InspectorUI

/// The hidden subcommand `keys`, whose output becomes a part of the manual page.
struct Keys: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Print the keys, as a part of the manual page.",
    shouldDisplay: false
  )

  func run() { Output.write(KeyManual.text) }
}
