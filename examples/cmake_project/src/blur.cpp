#include "filters.h"

namespace darkroom {

void blur(uint8_t *to, const uint8_t *from, int width, int height, int stride)
{
    for (int y = 1; y < height - 1; y++) {
        for (int x = 1; x < width - 1; x++) {
            int sum = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    sum += from[(y + j) * stride + x + i];
            to[y * stride + x] = (uint8_t)((sum + 4) / 9);
        }
    }
}

}  // namespace darkroom
