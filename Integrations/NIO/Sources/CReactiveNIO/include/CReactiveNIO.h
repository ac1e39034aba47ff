// Lets the recorder know of ReactiveNIO when a program is loaded: that it is linked is enough for hops of event loops to be seen.
#pragma once

// Defined in module ReactiveNIO.
void reactive_nio_is_loaded(void);
