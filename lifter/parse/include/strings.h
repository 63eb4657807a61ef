/* Minimal <strings.h>. */
#include <string.h>
