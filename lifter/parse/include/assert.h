/* <assert.h>: the condition stays visible to the parser, with NDEBUG too; it is a precondition. */
#ifdef __cplusplus
extern "C" void lift_assert(bool condition, const char *text) noexcept;
#undef assert
#define assert(...) lift_assert(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__)
#else
void lift_assert(_Bool condition, const char *text);
#undef assert
#define assert(...) lift_assert((_Bool)(__VA_ARGS__), #__VA_ARGS__)
#define static_assert _Static_assert
#endif
