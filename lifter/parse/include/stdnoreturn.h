/* Minimal <stdnoreturn.h>: functions that never return. */
#pragma once
#ifndef __cplusplus
#define noreturn _Noreturn
#endif
