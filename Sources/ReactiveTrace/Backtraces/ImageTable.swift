import CReactiveTraceShims

/// The loaded executables and libraries, so that functions can be found by their addresses later,
/// also on another machine.
struct ImageTable: Sendable {
  let region: MappedRegion
  let strings: StringTable
  /// The string number of the path of the program itself.
  let executable: UInt32

  /// Adds the images that are not in the table yet.
  ///
  /// Requires the table lock.
  func refresh() {
    withUnsafePointer(to: self) { table in
      rxt_each_image(
        { image, table in
          table.assumingMemoryBound(to: ImageTable.self).pointee.add(image.pointee)
        },
        UnsafeMutableRawPointer(mutating: table)
      )
    }
  }

  private func add(_ image: rxt_image) {
    let path =
      image.path.pointee == 0
      ? executable
      : strings.intern(UnsafeRawBufferPointer(start: image.path, count: Self.length(image.path)))
    let used = region.used
    for index in 0..<used {
      let row = region.entry(index)
      if Layout.Image.base.load(from: row) == image.base,
        Layout.Image.path.load(from: row) == path
      {
        return
      }
    }
    guard used < region.capacity, region.reserve(used + 1) else { return region.countLost() }
    let row = region.entry(used)
    Layout.Image.base.store(image.base, to: row)
    Layout.Image.endOfText.store(image.end_of_text, to: row)
    Layout.Image.path.store(path, to: row)
    if let buildID = image.build_id {
      let count = min(Int(image.build_id_size), Layout.Image.buildIDLimit)
      Layout.Image.buildIDByteCount.store(UInt32(count), to: row)
      (row + Layout.Image.buildID).copyMemory(from: buildID, byteCount: count)
    }
    region.used = used + 1
  }

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var count = 0
    while text[count] != 0 { count += 1 }
    return count
  }
}
