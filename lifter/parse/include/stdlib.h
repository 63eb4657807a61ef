/* <stdlib.h>: C's functions; in C++ the overloads of <cstdlib> too, by their names alone. */
#pragma once
#ifdef __cplusplus
#include <cstdlib>
using std::abs;
using std::div;
#else
#include <lift/c_stdlib.h>
#endif
