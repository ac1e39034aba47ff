/// The calculations that both services share.
enum Pricing {
  static func answer(
    _ query: QuoteQuery,
    _ quote: Quote,
    _ discount: Int,
    _ fee: Int,
    isFirm: Bool
  ) -> QuoteAnswer {
    let gross = quote.price * query.quantity
    return QuoteAnswer(
      symbol: "S\(quote.symbol)",
      price: quote.price,
      discount: discount,
      total: gross - gross * discount / 10_000 + fee,
      isFirm: isFirm
    )
  }

  /// A server-sent event.
  static func event(_ number: Int, _ quote: Quote) -> String {
    "id: \(number)\ndata: {\"symbol\":\"S\(quote.symbol)\",\"price\":\(quote.price)}\n\n"
  }
}
