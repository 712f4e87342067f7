#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#endif

/// Asks for the cache line that holds an address, and waits for nothing: any address may be asked for.
static inline void authscan_prefetch(const void *address) { __builtin_prefetch(address); }

/// Has the allocator of the GNU C library ask the system for so many bytes more than it needs; does nothing elsewhere.
static inline void authscan_set_top_pad(int bytes) {
#if defined(__GLIBC__)
    mallopt(M_TOP_PAD, bytes);
#endif
}

/// Has the system back memory by large pages as far as it is not backed yet; does nothing where there are none.
static inline void authscan_use_large_pages(const void *start, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const uintptr_t largePage = (uintptr_t)2 << 20;
    const uintptr_t first = (uintptr_t)start & ~(largePage - 1);
    // It is an advice: what of the range is no memory of the process stays as it is.
    madvise((void *)first, (uintptr_t)start + bytes - first, MADV_HUGEPAGE);
#else
    (void)start;
    (void)bytes;
#endif
}

/// The same for what the allocator of the GNU C library hands out to the calling thread next; does nothing elsewhere, and nothing when a
/// thread calls again.
static inline void authscan_allocate_large_pages(size_t bytes) {
#if defined(__GLIBC__)
    static _Thread_local int isDone;
    if (isDone) return;
    isDone = 1;
    // Together more than is at hand at the start of a program, so that the allocator gets the room for all that follows.
    const size_t piece = 120 << 10;
    void *first = malloc(piece), *second = malloc(piece);
    if (second) authscan_use_large_pages(second, bytes);
    free(second);
    free(first);
#else
    (void)bytes;
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
