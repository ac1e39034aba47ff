import CBenchmarkShims

/// A side of a workload that measures the memory that one unit of work keeps.
///
/// `body` passes a part of its work to `counting`; the blocks that this part allocates and does not
/// free are counted.
func counted(
  _ figure: KeyPath<rxb_heap, Int>,
  _ body: @escaping (_ count: Int, _ counting: (() -> Void) -> Void) -> Int
) -> Workload.Side {
  { count in
    var heap = rxb_heap()
    let checksum = body(count) { part in
      rxb_heap_begin()
      part()
      heap = rxb_heap_now()
      rxb_heap_end()
    }
    precondition(
      heap.blocks >= count,
      "counted: fewer allocations than subscriptions; the allocator is not the one of heap.c"
    )
    return Sample(cost: Double(heap[keyPath: figure]) / Double(count), checksum: checksum)
  }
}
