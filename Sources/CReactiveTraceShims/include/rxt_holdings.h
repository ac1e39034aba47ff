#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the closures of a subscription hold: found by looking at the memory of their contexts, when they are subscribed with.
//
// A word is taken for a reference where it points to what the Swift runtime allocates: an object whose first word leads to a
// description of a class, or of what a closure captures. A weak reference does not look like one; an unowned one does. All of it is read by asking the
// kernel to copy it, so that no word can make the program crash, whatever it is; where the kernel refuses, nothing is found.

// Whether a subscription made at a site by a caller should be looked at: the first few, then ever fewer.
bool rxt_holdings_due(uint32_t site, uint32_t chain);

// The library's classes, given by their metadata: the two whose objects keep a closure and nothing else, and that of bags. Objects of others of its
// module lead to everybody who uses them, and are not looked into.
void rxt_holdings_know(const void *function, const void *joining, const void *bag);

// The thread begins to look at a subscription; what it found before is forgotten. Comes before all others: it says how much may be read.
void rxt_holdings_begin(uint32_t subscription);

// What the closures of a signal, or of what has the handler, hold belongs to a site.
void rxt_holdings_add(uint32_t site, const void *object);

// The site whose closure holds an object that refers to the owner, and by way of how many others it does; 0 if there is none.
typedef struct rxt_holder {
  uint32_t site;
  uint32_t between;
} rxt_holder;

// Who holds `owner`, if `subscription` is the one that this thread has looked at last.
rxt_holder rxt_holdings_of(uint32_t subscription, const void *owner);
