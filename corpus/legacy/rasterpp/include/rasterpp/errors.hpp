// errors.hpp - what the library throws.
#ifndef RASTERPP_ERRORS_HPP
#define RASTERPP_ERRORS_HPP

#include <stdexcept>
#include <string>

namespace raster {

class Error : public std::runtime_error {
public:
    explicit Error(const std::string& what) : std::runtime_error("rasterpp: " + what) {}
};

class SizeMismatch : public Error {
public:
    explicit SizeMismatch(const char* where) : Error(std::string("size mismatch in ") + where) {}
};

class BadArgument : public Error {
public:
    explicit BadArgument(const char* what) : Error(std::string("bad argument: ") + what) {}
};

} // namespace raster

#define RASTER_REQUIRE(cond, what) \
    do { if (!(cond)) throw ::raster::BadArgument(what); } while (0)

#endif
