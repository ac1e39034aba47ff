// Registers ReactiveNIO with the recorder when a program is loaded, so that the program only has to link ReactiveNIO for hops of
// event loops to be recorded.
#pragma once

// Defined in module ReactiveNIO.
void reactive_nio_is_loaded(void);
