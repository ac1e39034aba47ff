import Glibc

/// The inotify watches of a directory tree: one per directory.
struct Watches: ~Copyable, Sendable {
  /// The inotify events that are watched for in each directory.
  private static let events = UInt32(
    IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
      | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW
  )

  let root: String
  let descriptor: Int32
  private var directories: [Int32: String] = [:]
  /// Changes found in directories that were added since the last ``takeFound()``.
  private var found: [Change] = []

  /// Nothing is watched before ``addAll()``.
  init(root: String) throws(TreeFailure) {
    self.root = root
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    if descriptor < 0 { throw TreeFailure(root, Watches.reason()) }
  }

  /// Watches the whole tree and returns its contents.
  mutating func addAll() throws(TreeFailure) -> [Change] {
    for number in directories.keys { inotify_rm_watch(descriptor, number) }
    directories = [:]
    found = []
    if let reason = add(root) { throw TreeFailure(root, reason) }
    var files: [String] = []
    var others: [Change] = []
    for change in takeFound() {
      if case .touched(let file) = change { files.append(file) } else { others.append(change) }
    }
    return [.snapshot(files)] + others
  }

  /// Converts one inotify event to changes.
  mutating func changes(for event: inotify_event, named name: String) throws(TreeFailure)
    -> [Change]
  {
    let mask = event.mask
    if mask & UInt32(IN_Q_OVERFLOW) != 0 { return try addAll() }
    guard let directory = directories[event.wd] else { return [] }
    if mask & UInt32(IN_IGNORED) != 0 { directories[event.wd] = nil }
    if mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0 {
      if directory == root { throw TreeFailure(root, "it was deleted or moved away") }
      return []
    }
    let path = directory + "/" + name
    let isDirectory = mask & UInt32(IN_ISDIR) != 0
    if mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0 {
      if isDirectory { return forget(path) }
      return [.gone(path)]
    }
    guard isDirectory else { return isThere(path) ? [.touched(path)] : [] }
    if mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { addBelow(path) }
    return takeFound()
  }

  /// Whether something of this name exists now.
  ///
  /// A process can write to an open file and close it even after the file was deleted. The system
  /// reports both after the deletion, although neither changes the tree.
  private func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Removes the watches of a directory that was moved away or deleted, and of those below it.
  private mutating func forget(_ path: String) -> [Change] {
    for (number, directory) in directories
    where directory == path || directory.hasPrefix(path + "/") {
      inotify_rm_watch(descriptor, number)
      directories[number] = nil
    }
    return [.gone(path)]
  }

  private mutating func takeFound() -> [Change] {
    defer { found = [] }
    return found
  }

  private mutating func addBelow(_ path: String) {
    guard let reason = add(path), errno != ENOENT else { return }
    found.append(.blind(directory: path, reason: reason))
  }

  /// Watches a directory, then reads it: a file created in between is found twice, never missed.
  ///
  /// - Returns: The reason for a failure, or nil.
  private mutating func add(_ path: String) -> String? {
    let number = inotify_add_watch(descriptor, path, Self.events)
    guard number >= 0 else { return Self.reason() }
    directories[number] = path
    guard let listing = opendir(path) else { return Self.reason() }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      let child = path + "/" + name
      var status = stat()
      guard lstat(child, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: addBelow(child)
      case S_IFREG: found.append(.touched(child))
      default: break
      }
    }
    return nil
  }

  private static func reason() -> String {
    let code = errno
    defer { errno = code }
    if code == ENOSPC { return "no watches left; raise /proc/sys/fs/inotify/max_user_watches" }
    return String(cString: strerror(code))
  }
}
