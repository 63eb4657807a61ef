/* Minimal <dirent.h>: folders of Linux. */
#pragma once
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct lift_folder DIR;
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);
#ifdef __cplusplus
}
#endif
