import Foundation
import Testing

/// A real terminal with a shell in it, whose screen can be read.
final class TmuxSession {
  private let socket: String
  private let scratch: Scratch

  /// Opens a terminal of the given size and waits for the shell.
  init(columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]) async throws {
    scratch = try Scratch()
    socket = scratch.path("tmux")
    // The shell is plain, with job control, and ignores the configuration of the user who runs the
    // tests.
    var arguments = ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"]
    for (name, value) in environment { arguments += ["-e", "\(name)=\(value)"] }
    arguments += [
      "-c", scratch.folder.path, "exec env PS1='$ ' LC_ALL=C.UTF-8 bash --norc --noprofile -i",
    ]
    try tmux(arguments)
    try await eventually("the shell is ready") { self.screen.contains("$") }
  }

  deinit { _ = try? tmux(["kill-server"]) }

  /// The text on the screen.
  var screen: String { (try? tmux(["capture-pane", "-p"])) ?? "" }

  /// Whether a program is using the alternate screen.
  var isAlternate: Bool { format("#{alternate_on}") == "1" }

  /// Whether the cursor is visible.
  var hasCursor: Bool { format("#{cursor_flag}") == "1" }

  /// The title of the terminal.
  var title: String { format("#{pane_title}") }

  /// Records every byte that is sent to the terminal from now on in a file.
  func recordBytes(_ name: String) throws {
    try tmux(["pipe-pane", "-o", "cat >'\(path(name))'"])
  }

  /// The bytes that were recorded in a file.
  func bytes(_ name: String) -> String {
    (try? Data(contentsOf: URL(filePath: path(name)))).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// The identifiers of the processes of this name that use the terminal.
  func processes(of name: String) -> [String] {
    let tty = format("#{pane_tty}").replacingOccurrences(of: "/dev/", with: "")
    let outcome = try? Programs.run("/bin/ps", ["-t", tty, "-o", "pid=,comm="])
    return (outcome?.output ?? "").split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 && words[1] == name ? String(words[0]) : nil
    }
  }

  /// Types a text literally.
  func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

  /// Presses the key that has this name in tmux.
  func press(_ key: String) throws { try tmux(["send-keys", key]) }

  /// Types a line into the shell and presses Enter.
  func enter(_ line: String) throws {
    try type(line)
    try press("Enter")
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// The path of a file in the shell's folder.
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
