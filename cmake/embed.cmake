# Writes OUTPUT, a C++ source that holds the text of FILES (a list, relative to ROOT): what
# shipped_files() of cli/shipped.hpp returns, in the order of their names.
list(SORT FILES)
set(entries "")
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} text)
  string(APPEND entries "    {\"${file}\", R\"~~~(${text})~~~\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from scenarios/*.toml.
#include \"cli/shipped.hpp\"

namespace ringfence::cli {

namespace {

constexpr ShippedFile files[] = {
${entries}};

}  // namespace

std::span<const ShippedFile> shipped_files() { return files; }

}  // namespace ringfence::cli
")
