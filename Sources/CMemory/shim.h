#pragma once

#include <stdint.h>

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

/// Sixteen bytes that are looked at together.
typedef uint8_t authscan_bytes __attribute__((ext_vector_type(16)));

/// Which of sixteen bytes are a wanted one: a bit for each, the first byte's the lowest.
static inline uint32_t authscan_equal_bytes(authscan_bytes bytes, uint8_t wanted) {
    // Processors have an instruction that makes bits of bytes, and no language has a word for it; compilers find it in this.
    typedef _Bool flags __attribute__((ext_vector_type(16)));
    flags equal = __builtin_convertvector(bytes == (authscan_bytes)wanted, flags);
    uint16_t bits;
    __builtin_memcpy(&bits, &equal, sizeof bits);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bitreverse16(bits);
#else
    return bits;
#endif
}
