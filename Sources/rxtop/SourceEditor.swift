internal import Glibc
internal import InspectorKit

/// Opens a line of source in the user's editor.
enum SourceEditor {
  /// Waits until the editor has ended; says what was opened.
  static func open(_ file: String, _ line: UInt32) throws -> String {
    let editors = ["VISUAL", "EDITOR"].compactMap(Output.variable)
    guard let editor = editors.first(where: { !$0.isEmpty }) else {
      throw Failure(.unreadable, "no editor is known; set VISUAL or EDITOR, as in EDITOR=vi")
    }
    guard let path = find(file) else {
      throw Failure(
        .unreadable,
        "'\(file)' is not below the working directory; start rxtop where its sources are"
      )
    }
    // The editor may be several words; the path is handed over as it is, not as shell text, nor as an option.
    let script = "exec \(editor) \"$@\""
    let status = try ChildProcess.run(["/bin/sh", "-c", script, "rxtop", "+\(line)", "./" + path])
    guard status == 0 else {
      throw Failure(.unreadable, "the editor '\(editor)' ended with status \(status)")
    }
    return "Opened \(path):\(line)."
  }

  /// The file that the compiler called `Module/File.swift`: one of that name below the working directory, best
  /// one in a folder called like the module.
  static func find(_ file: String) -> String? {
    let parts = file.split(separator: "/")
    guard let name = parts.last.map(String.init), !name.isEmpty, name != "..", name != "." else {
      return nil
    }
    let module = parts.first.map(String.init) ?? ""
    var folders = [(path: ".", depth: 0)]
    var best: (path: String, rank: Int)?
    var seen = 0
    while !folders.isEmpty {
      let (folder, depth) = folders.removeFirst()
      seen += 1
      guard seen < 20_000, let directory = opendir(folder) else { continue }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let found = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard !found.hasPrefix(".") else { continue }
        let path = folder == "." ? found : folder + "/" + found
        if entry.pointee.d_type == UInt8(DT_DIR), depth < 8 { folders.append((path, depth + 1)) }
        guard found == name, entry.pointee.d_type == UInt8(DT_REG) else { continue }
        let rank = path.split(separator: "/").contains(Substring(module)) ? 0 : 1
        if rank < best?.rank ?? 2 { best = (path, rank) }
      }
    }
    return best?.path
  }
}
