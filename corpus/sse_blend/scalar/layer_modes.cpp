// What layer_modes.cpp computes.

#include <cstdint>

namespace {

int round255(int x) { return (x + 127) / 255; }
int clamp(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
int mul(int a, int b) { return round255(a * b); }
int screen(int a, int b) { return 255 - mul(255 - a, 255 - b); }
int multiply(int t, int b) { return mul(t, b); }
int overlay(int t, int b) { return b < 128 ? mul(2 * b, t) : 255 - mul(2 * (255 - b), 255 - t); }
int hardLight(int t, int b) { return overlay(b, t); }
int softLight(int t, int b) { return round255((255 - b) * mul(t, b) + b * screen(t, b)); }
int exclusion(int t, int b) { return t + b - 2 * mul(t, b); }

void row(uint8_t *bot, const uint8_t *top, int n, int opacity, int (*mode)(int, int))
{
    for (int i = 0; i < n; i++)
        bot[i] = (uint8_t)round255(clamp(mode(top[i], bot[i])) * opacity + bot[i] * (255 - opacity));
}

} // namespace

void layerMultiply_c(uint8_t *bot, const uint8_t *top, int n, int opacity) { row(bot, top, n, opacity, multiply); }
void layerScreen_c(uint8_t *bot, const uint8_t *top, int n, int opacity) { row(bot, top, n, opacity, screen); }
void layerOverlay_c(uint8_t *bot, const uint8_t *top, int n, int opacity) { row(bot, top, n, opacity, overlay); }
void layerHardLight_c(uint8_t *bot, const uint8_t *top, int n, int opacity) { row(bot, top, n, opacity, hardLight); }
void layerSoftLight_c(uint8_t *bot, const uint8_t *top, int n, int opacity) { row(bot, top, n, opacity, softLight); }
void layerExclusion_c(uint8_t *bot, const uint8_t *top, int n, int opacity) { row(bot, top, n, opacity, exclusion); }

void layerDifference_c(uint8_t *bot, const uint8_t *top, int n)
{
    for (int i = 0; i < n; i++)
        bot[i] = (uint8_t)(top[i] > bot[i] ? top[i] - bot[i] : bot[i] - top[i]);
}

void layerDarkenMasked_c(uint8_t *bot, const uint8_t *top, const uint8_t *mask, int n)
{
    for (int i = 0; i < n; i++)
        if (mask[i] >= 128 && top[i] < bot[i])
            bot[i] = top[i];
}

void layerLightenMasked_c(uint8_t *bot, const uint8_t *top, const uint8_t *mask, int n)
{
    for (int i = 0; i < n; i++)
        if ((top[i] & mask[i]) > bot[i])
            bot[i] = (uint8_t)(top[i] & mask[i]);
}

void layerDodge_c(uint8_t *bot, const uint8_t *top, int n)
{
    for (int i = 0; i < n; i++)
        bot[i] = (uint8_t)(top[i] == 255 ? 255 : clamp(bot[i] * 255 / (255 - top[i])));
}

void layerBurn_c(uint8_t *bot, const uint8_t *top, int n, const uint16_t *recip)
{
    for (int i = 0; i < n; i++) {
        int q = (int)((255u - bot[i]) * recip[top[i]] / 256);
        bot[i] = (uint8_t)(255 - clamp(q));
    }
}

void layerAddScaled_c(uint8_t *bot, const uint8_t *top, int n, int scale256, int bias)
{
    for (int i = 0; i < n; i++)
        bot[i] = (uint8_t)clamp((((bot[i] + top[i]) * scale256) >> 8) + bias);
}

void layerGrainMerge_c(uint8_t *bot, const uint8_t *top, int n)
{
    for (int i = 0; i < n; i++)
        bot[i] = (uint8_t)clamp(bot[i] + top[i] - 128);
}
