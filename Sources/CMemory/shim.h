#pragma once

#if defined(__linux__)
#include <malloc.h>
#endif

/// Asks for the cache line that holds an address, and waits for nothing: any address may be asked for.
static inline void authscan_prefetch(const void *address) { __builtin_prefetch(address); }

/// Has the allocator of the GNU C library ask the system for so many bytes more than it needs; does nothing elsewhere.
static inline void authscan_set_top_pad(int bytes) {
#if defined(__GLIBC__)
    mallopt(M_TOP_PAD, bytes);
#endif
}
