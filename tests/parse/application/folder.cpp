// Goes through a folder of images; each format has its own reader.
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace fs = std::filesystem;

class Reader {
public:
    virtual ~Reader() = default;
    virtual std::string name() const = 0;
};

class RawReader : public Reader {
public:
    std::string name() const override { return "raw"; }
};

class FormatError : public std::runtime_error {
public:
    FormatError(const std::string &file, int line)
        : std::runtime_error(file + ":" + std::to_string(line)), line_(line) {}
    int line() const noexcept { return line_; }

private:
    int line_;
};

static std::map<std::string, std::function<std::unique_ptr<Reader>()>> readers = {
    {".raw", [] { return std::make_unique<RawReader>(); }},
};

namespace pixels {

void swap_bytes(uint16_t *samples, int count)
{
    for (int i = 0; i < count; ++i)
        samples[i] = (uint16_t)(samples[i] >> 8 | samples[i] << 8);
}

}  // namespace pixels

std::vector<fs::path> images_in(const fs::path &folder)
{
    static const std::regex wanted("img_([0-9]+)\\..*", std::regex::icase);
    std::vector<fs::path> found;
    for (const auto &entry : fs::directory_iterator(folder)) {
        std::string suffix = entry.path().extension().string();
        for (char &letter : suffix)
            letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        std::smatch match;
        const std::string name = entry.path().filename().string();
        if (!entry.is_regular_file() || !std::regex_match(name, match, wanted))
            continue;
        if (readers.find(suffix) == readers.end())
            throw FormatError(name, 1);
        std::shared_ptr<Reader> reader = readers.at(suffix)();
        std::cout << (folder / name) << ": " << reader->name() << ' ' << match[1] << '\n';
        found.emplace_back(entry.path());
    }
    return found;
}
