// Fills images with noise and times a filter on them.
#include <array>
#include <bitset>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <deque>
#include <iomanip>
#include <iostream>
#include <list>
#include <random>
#include <string_view>
#include <vector>

using namespace std;

void box3(uint16_t *to, const uint16_t *from, int width, int height)
{
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            unsigned sum = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    sum += from[(y + j) * width + x + i];
            to[y * width + x] = sum / 9;
        }
}

static double seconds_of(string_view name, const vector<double> &runs)
{
    cout << left << setw(20) << name << fixed << setprecision(3) << runs.size() << endl;
    return runs.empty() ? 0 : runs.front();
}

int main()
{
    mt19937 engine(random_device{}());
    uniform_int_distribution<int> level(0, 65535);
    normal_distribution<double> noise(0.0, 1.0);
    vector<uint16_t> from(640 * 480), to(640 * 480);
    for (auto &pixel : from)
        pixel = static_cast<uint16_t>(level(engine) + noise(engine));
    vector<double> runs;
    for (int i = 0; i < 10; i++) {
        auto start = chrono::high_resolution_clock::now();
        box3(to.data(), from.data(), 640, 480);
        chrono::duration<double> taken = chrono::high_resolution_clock::now() - start;
        runs.push_back(taken.count());
    }
    deque<int> recent{1, 2, 3};
    recent.push_front(0);
    list<string> names = {"a", "b"};
    names.sort();
    bitset<8> bits(5);
    complex<double> z(1.0, 2.0), w = z * 2.0 + conj(z);
    cout << seconds_of("box3", runs) << ' ' << bits << ' ' << abs(w) << ' ' << names.size()
         << recent[0] << "\n";
    return bits.test(0) ? 0 : 1;
}
