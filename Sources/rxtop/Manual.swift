internal import ArgumentParser
internal import InspectorUI

/// The hidden subcommand `keys`: the manual page takes its keys from it.
struct Keys: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Print the keys, as a part of the manual page.",
    shouldDisplay: false
  )

  func run() { Output.write(KeyManual.text) }
}
