/* Minimal <memory.h>: the old name of <string.h>. */
#pragma once
#include <string.h>
