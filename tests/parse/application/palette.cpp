// A class with a string and a map, and the kernel that its tables feed.
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct Color {
    uint8_t r, g, b;
};

class Palette {
public:
    explicit Palette(std::string name) : name_(std::move(name)) {}
    void add(const std::string &key, Color color) { colors_.insert(std::make_pair(key, color)); }
    bool has(const std::string &key) const { return colors_.count(key) != 0; }
    std::string describe() const
    {
        std::ostringstream text;
        text << "palette '" << name_ << "'\n";
        for (const auto &entry : colors_)
            text << std::setw(12) << std::left << entry.first << " #" << std::hex
                 << std::setfill('0') << std::setw(2) << int(entry.second.r) << '\n';
        for (auto &[key, color] : colors_)
            text << key << '=' << +color.g << "; ";
        return text.str();
    }

private:
    std::string name_;
    std::unordered_map<std::string, Color> colors_;
};

void apply_table(uint8_t *pixels, const uint8_t *table, int width, int height, int stride)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            pixels[y * stride + x] = table[pixels[y * stride + x]];
}

void distances(float *to, const float *x, const float *y, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = std::sqrt(x[i] * x[i] + y[i] * y[i]) + std::abs(x[i]);
}

std::unique_ptr<Palette> make_palette()
{
    auto palette = std::make_unique<Palette>("web");
    palette->add("red", Color{255, 0, 0});
    return palette;
}
