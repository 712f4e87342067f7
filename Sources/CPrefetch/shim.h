#pragma once

/// Asks for the cache line that holds an address, and waits for nothing: any address may be asked for.
static inline void authscan_prefetch(const void *address) { __builtin_prefetch(address); }
