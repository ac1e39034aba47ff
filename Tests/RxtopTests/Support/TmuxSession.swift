import Foundation
import Testing

/// A real terminal whose content can be read, with a shell in it.
final class TmuxSession {
  private let socket: String
  private let scratch: Scratch

  /// Opens a terminal of a size and waits for the shell.
  init(columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]) async throws {
    scratch = try Scratch()
    socket = scratch.path("tmux")
    // Ignores the configuration of the user who runs the tests; a plain shell with job control.
    var arguments = ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"]
    for (name, value) in environment { arguments += ["-e", "\(name)=\(value)"] }
    arguments += [
      "-c", scratch.folder.path, "exec env PS1='$ ' LC_ALL=C.UTF-8 bash --norc --noprofile -i",
    ]
    try tmux(arguments)
    try await eventually("the shell is ready") { self.screen.contains("$") }
  }

  deinit { _ = try? tmux(["kill-server"]) }

  /// What the terminal shows.
  var screen: String { (try? tmux(["capture-pane", "-p"])) ?? "" }

  /// Whether a program uses the alternate screen.
  var isAlternate: Bool { format("#{alternate_on}") == "1" }

  /// Whether the cursor is visible.
  var hasCursor: Bool { format("#{cursor_flag}") == "1" }

  /// What the terminal calls itself.
  var title: String { format("#{pane_title}") }

  /// Keeps every byte that programs send to the terminal in a file.
  func keepBytes(_ name: String) throws {
    try tmux(["pipe-pane", "-o", "cat >'\(path(name))'"])
  }

  /// The bytes kept.
  func bytes(_ name: String) -> String {
    (try? Data(contentsOf: URL(filePath: path(name)))).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// Numbers of the processes with a name that use this terminal.
  func processes(of name: String) -> [String] {
    let tty = format("#{pane_tty}").replacingOccurrences(of: "/dev/", with: "")
    let outcome = try? Programs.run("/bin/ps", ["-t", tty, "-o", "pid=,comm="])
    return (outcome?.output ?? "").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 && words[1] == name ? String(words[0]) : nil
    }
  }

  /// Types text as it is.
  func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

  /// Presses a key by tmux's name for it.
  func press(_ key: String) throws { try tmux(["send-keys", key]) }

  /// Runs a line in the shell.
  func enter(_ line: String) throws {
    try type(line)
    try press("Enter")
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// A file in the folder where the shell is.
  func path(_ name: String) -> String { scratch.path(name) }

  func contents(_ name: String) -> String? {
    try? String(contentsOfFile: path(name), encoding: .utf8)
  }

  private func format(_ format: String) -> String {
    ((try? tmux(["display-message", "-p", format])) ?? "").trimmingCharacters(
      in: .whitespacesAndNewlines
    )
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let outcome = try Programs.run(Programs.tmux ?? "tmux", ["-S", socket] + arguments)
    guard outcome.status == 0 else { throw Failure(description: outcome.errors) }
    return outcome.output
  }

  struct Failure: Error, CustomStringConvertible { let description: String }
}
