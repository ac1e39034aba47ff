internal import Glibc
import InspectorUI
internal import TraceModel

/// Opens a line of source in the user's editor.
enum SourceEditor {
  /// Opens the line, waits until the editor has ended, and returns a message about what was opened.
  ///
  /// `file` is the compiler's name for the file, and `paths` are its possible paths according to
  /// debug information. If `root` is given, the file is searched for below that folder. Otherwise
  /// the first path that exists is opened, or else the file is searched for below the working
  /// directory.
  static func open(
    _ file: String,
    _ line: UInt32,
    _ paths: [String],
    below root: String?
  ) throws -> String {
    let editors = ["VISUAL", "EDITOR"].compactMap(Output.variable)
    guard let editor = editors.first(where: { !$0.isEmpty }) else {
      throw Failure(.unreadable, "no editor is known; set VISUAL or EDITOR, as in EDITOR=vi")
    }
    let (path, doubt) = try find(SourceSearch(file: file, paths: paths), below: root)
    // The shell splits an editor of several words. The path is an argument, so that the shell does
    // not interpret it, and never begins with a dash, so that the editor does not take it for an
    // option.
    let script = "exec \(editor) \"$@\""
    let argument = path.hasPrefix("/") ? path : "./" + path
    let status = try TerminalGuard.leavingKeysToChild {
      try ChildProcess.run(["/bin/sh", "-c", script, "rxtop", "+\(line)", argument]).status
    }
    guard status == 0 else {
      throw Failure(.unreadable, "the editor '\(editor)' ended with status \(status)")
    }
    return "Opened \(path):\(line)\(doubt)."
  }

  /// The path of the file, and a remark if it may be another file of the same name.
  private static func find(
    _ search: SourceSearch,
    below root: String?
  ) throws -> (path: String, doubt: String) {
    // If a folder was given, only the sources there count, even if the compiled path exists.
    if root == nil, let path = search.original(exists: { access($0, R_OK) == 0 }) {
      return (path, "")
    }
    let name = search.file.split(separator: "/").last.map(String.init) ?? ""
    let place = root.map { "'\($0)'" } ?? "the working directory"
    let advice =
      root == nil
      ? "start rxtop where its sources are, or name their folder with --source-root"
      : "name the folder of its sources with --source-root"
    let found = SourceTree.files(below: root ?? ".") { $0 == name }[name] ?? []
    switch search.choice(among: root.map { root in found.map { root + "/" + $0 } } ?? found) {
    case .found(let path): return (path, "")
    case .only(let path):
      return (path, ", the only file of that name below \(place); the recording lacks its path")
    case .none:
      throw Failure(.unreadable, "'\(search.file)' is not below \(place); \(advice)")
    case .unsure(let candidates):
      let shown = candidates.prefix(4).joined(separator: ", ")
      let rest = candidates.count > 4 ? " and \(candidates.count - 4) more" : ""
      let wanted = search.paths.first ?? search.file
      throw Failure(
        .unreadable,
        "it is not known which file below \(place) is '\(wanted)': \(shown)\(rest); \(advice)"
      )
    }
  }
}
