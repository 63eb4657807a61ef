// A command with an argument parser: cuts a threshold into a raw gray image.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

class Arguments {
public:
    Arguments(int count, char **words)
    {
        for (int i = 1; i < count; ++i) {
            std::string word = words[i];
            if (word.rfind("--", 0) == 0) {
                auto equals = word.find('=');
                if (equals == std::string::npos)
                    options_[word.substr(2)] = "true";
                else
                    options_[word.substr(2, equals - 2)] = word.substr(equals + 1);
            } else {
                files_.push_back(word);
            }
        }
    }
    int number(const std::string &name, int otherwise) const
    {
        auto found = options_.find(name);
        return found == options_.end() ? otherwise : std::stoi(found->second);
    }
    const std::vector<std::string> &files() const { return files_; }

private:
    std::map<std::string, std::string> options_;
    std::vector<std::string> files_;
};

void threshold(uint8_t *to, const uint8_t *from, int count, int level)
{
    for (int i = 0; i < count; ++i)
        to[i] = from[i] < level ? 0 : 255;
}

int main(int argc, char *argv[])
{
    try {
        Arguments arguments(argc, argv);
        if (arguments.files().size() != 2)
            throw std::invalid_argument("two files, please");
        std::ifstream in(arguments.files()[0], std::ios::binary | std::ios::ate);
        if (!in)
            throw std::runtime_error("can't open " + arguments.files().front());
        const std::streamsize size = in.tellg();
        in.seekg(0, std::ios::beg);
        std::vector<uint8_t> from(size), to(size);
        in.read(reinterpret_cast<char *>(from.data()), size);
        threshold(to.data(), from.data(), static_cast<int>(size), arguments.number("level", 128));
        std::ofstream out(arguments.files().back(), std::ofstream::binary);
        out.write(reinterpret_cast<const char *>(to.data()), to.size());
        std::cout << "wrote " << to.size() << " bytes, largest "
                  << int(*std::max_element(to.begin(), to.end())) << std::endl;
    } catch (const std::exception &error) {
        std::cerr << "error: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
