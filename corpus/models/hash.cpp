// What ExternalHash (corpus/blend/basic.cpp) computes; the original is assembly.
#include <cstdint>

int ExternalHash(int row, int col)
{
    uint32_t h = ((uint32_t)row << 5) ^ ((uint32_t)col * 2654435761u);
    return (int)((h >> 11) & 1023u);
}
