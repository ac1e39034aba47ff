/// Numbers in the order of texts, the same for the same text.
package func textRanks(of texts: [String]) -> [Double] {
  var ranks: [String: Double] = [:]
  for (rank, text) in Set(texts).sorted().enumerated() { ranks[text] = Double(rank) }
  return texts.map { ranks[$0] ?? 0 }
}
