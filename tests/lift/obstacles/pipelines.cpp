// Virtual calls.
#include <cstdint>

struct Operation {
  virtual ~Operation() {}
  virtual uint8_t apply(uint8_t v) const = 0;
};

struct Invert final : Operation {
  uint8_t apply(uint8_t v) const override { return 255 - v; }
};

// virtual calls whose type is known: proved
void inverted(const Invert &op, const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; ++i) d[i] = op.apply(s[i]);
}

// virtual calls whose type is known: not proved, any class may be meant
void applied_twin(const Operation &op, const uint8_t *s, uint8_t *d, int n) {
  for (int i = 0; i < n; ++i) d[i] = op.apply(s[i]);
}
