/* Minimal <sys/ioctl.h>: control of devices. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
int ioctl(int file, unsigned long request, ...);
#ifdef __cplusplus
}
#endif
