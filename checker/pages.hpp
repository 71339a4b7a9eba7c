// Zeroed memory straight from the operating system: in huge pages where there is enough of it and
// the system has them, given back at once when it goes out of use, and never touched before it is
// needed. (Random access to gigabytes in 4 KiB pages spends more time on addresses than on data.)
#pragma once

#include <cstddef>
#include <utility>

namespace ringfence::checker {

class Pages {
  public:
    Pages() = default;
    explicit Pages(std::size_t bytes);  // throws std::bad_alloc
    ~Pages();

    Pages(Pages&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    Pages& operator=(Pages&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    template <class T>
    [[nodiscard]] T* as() const {
        return static_cast<T*>(data_);
    }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    // Room for so many bytes, if they are more. What the bytes hold then is unspecified, until
    // zero(). Throws std::bad_alloc, and is as it was.
    void extend(std::size_t bytes);
    void zero() const;

    // Writes to every page. One that is read first is the system's page of zeros, and the write
    // that comes later makes all cores forget addresses: a fault and an interrupt for each page.
    void touch() const;

    // Does the system give no huge pages, whoever asks? Then large searches are slower.
    [[nodiscard]] static bool are_huge_refused();

    // What an allocation of `bytes` really takes.
    [[nodiscard]] static std::size_t rounded(std::size_t bytes);

  private:
    void advise() const;

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

// Free memory of the heap goes back to the system, which it does not by itself where blocks that
// are in use lie behind it (glibc; elsewhere nothing is done).
void trim_heap();

}  // namespace ringfence::checker
