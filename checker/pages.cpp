#include "checker/pages.hpp"

#include <sys/mman.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cstdint>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <utility>

namespace ringfence::checker {

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20U;

// The system aligns to small pages only: map more, and give the ends back.
void* map(std::size_t bytes) {
    if (bytes == 0) { return nullptr; }
    const std::size_t alignment = bytes < huge_page_bytes ? page_bytes : huge_page_bytes;
    const std::size_t slack = alignment - page_bytes;
    void* const start = mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) { throw std::bad_alloc(); }
    auto* const first = static_cast<std::byte*>(start);
    const auto address = reinterpret_cast<std::uintptr_t>(first);
    const std::size_t before = (alignment - address % alignment) % alignment;
    if (before > 0) { munmap(first, before); }
    if (slack > before) { munmap(first + before + bytes, slack - before); }
    return first + before;
}

// One call for all pages that are not there yet, instead of a fault for each. False if the system
// does not know it.
bool populate([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
    return madvise(data, bytes, MADV_POPULATE_WRITE) == 0;
#else
    return false;
#endif
}

}  // namespace

// Not to huge pages: an index in each of 64 shards would waste one of them each, on average half.
std::size_t Pages::rounded(std::size_t bytes) {
    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

// Advice is taken without a word where it is not followed, so the setting is asked (Linux: no file,
// no huge pages).
bool Pages::are_huge_refused() {
#ifdef MADV_HUGEPAGE
    static const bool is_refused = [] {
        std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
        std::string setting;
        std::getline(file, setting);
        return setting.empty() || setting.find("[never]") != std::string::npos;
    }();
    return is_refused;
#else
    return true;
#endif
}

Pages::Pages(std::size_t bytes) : data_(map(rounded(bytes))), bytes_(rounded(bytes)) { advise(); }

void Pages::extend(std::size_t bytes) {
    const std::size_t extended = rounded(bytes);
    if (extended <= bytes_) { return; }
#ifdef MREMAP_FIXED
    if (data_ != nullptr) {  // pages move as they are, and need not be cleared by the system again
        constexpr int flags = MREMAP_MAYMOVE | MREMAP_FIXED;
        void* const place = map(extended);
        if (mremap(data_, bytes_, extended, flags, place) == MAP_FAILED) {
            munmap(place, extended);
            throw std::bad_alloc();
        }
        data_ = place;
        bytes_ = extended;
        advise();
        return;
    }
#endif
    *this = Pages(extended);
}

void Pages::zero() const {
    if (data_ == nullptr) { return; }
    populate(data_, bytes_);
    std::memset(data_, 0, bytes_);
}

void Pages::advise() const {
#ifdef MADV_HUGEPAGE
    // Advice: a refusal costs speed only.
    if (bytes_ >= huge_page_bytes) { madvise(data_, bytes_, MADV_HUGEPAGE); }
#endif
}

void Pages::touch() const {
    if (populate(data_, bytes_)) { return; }
    volatile std::byte* const first = as<volatile std::byte>();
    for (std::size_t byte = 0; byte < bytes_; byte += page_bytes) { first[byte] = std::byte{0}; }
}

Pages::~Pages() {
    if (data_ != nullptr) { munmap(data_, bytes_); }
}

void trim_heap() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace ringfence::checker
