#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the closures of a subscription hold: found by reading the memory of their contexts at the time of the subscription.
//
// A word is taken for a reference if it points to something that the Swift runtime allocates: an object whose first word leads
// to a description of a class, or of a closure's captures. A weak reference is not recognised; an unowned one is. Everything is
// read by asking the kernel to copy it, so that no word can make the program crash, whatever it is; if the kernel refuses,
// nothing is found.

// Whether a subscription made at a site by a caller should be inspected: the first few, then ever fewer.
bool rxt_holdings_due(uint32_t site, uint32_t chain);

// The library's classes, given by their metadata: the two whose objects only keep a closure, and the class of bags. Objects of
// other classes of its module lead to all their users, and are not followed.
void rxt_holdings_know(const void *function, const void *joining, const void *bag);

// Begins the inspection of a subscription on this thread and forgets earlier results. Must be called first: it limits how much
// is read.
void rxt_holdings_begin(uint32_t subscription);

// Adds what the closures of a signal, or of the object with the handler, hold, for a site.
void rxt_holdings_add(uint32_t site, const void *object);

// The site whose closure holds an object that refers to the owner, and the number of objects in between; 0 if there is none.
typedef struct rxt_holder {
  uint32_t site;
  uint32_t between;
} rxt_holder;

// The holder of `owner`, if `subscription` is the one that this thread has inspected last.
rxt_holder rxt_holdings_of(uint32_t subscription, const void *owner);
