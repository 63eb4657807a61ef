// Reads a table of numbers from a text file, line by line, and smooths it.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

using Cell = std::variant<double, std::string>;

static std::optional<double> parse_number(const std::string &text)
{
    try {
        size_t used = 0;
        double value = std::stod(text, &used);
        if (used != text.size())
            return std::nullopt;
        return value;
    } catch (const std::invalid_argument &) {
        return {};
    }
}

std::vector<float> read_table(const std::string &path)
{
    std::ifstream file(path);
    std::vector<float> numbers;
    std::set<std::string> unknown;
    std::vector<Cell> cells;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        std::istringstream words(line);
        std::string word;
        while (words >> word) {
            if (auto number = parse_number(word); number.has_value()) {
                numbers.push_back(static_cast<float>(*number));
                cells.emplace_back(*number);
            } else {
                unknown.insert(word);
            }
        }
    }
    std::sort(numbers.begin(), numbers.end(), [](float a, float b) { return a < b; });
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

void smooth(float *to, const float *from, int count)
{
    for (int i = 1; i < count - 1; ++i)
        to[i] = from[i - 1] * 0.25f + from[i] * 0.5f + from[i + 1] * 0.25f;
}

void limit(float *values, int count, float most)
{
    for (int i = 0; i < count; ++i)
        values[i] = std::min(std::max(values[i], 0.0f), most);
}

std::tuple<double, size_t> mean(const std::vector<float> &numbers)
{
    double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    auto result = std::make_tuple(sum / numbers.size(), numbers.size());
    auto [average, count] = result;
    double first;
    std::tie(first, std::ignore) = result;
    return std::make_tuple(average + first + std::get<0>(result), count);
}
