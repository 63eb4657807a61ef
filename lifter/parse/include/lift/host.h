/* What the machine's C library tells all of its own headers, where those stand behind ours. */
#pragma once
#if __has_include(<features.h>)
#include <features.h>
#endif
#if __has_include(<bits/types.h>)
#include <bits/types.h>
#endif
