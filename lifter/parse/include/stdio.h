/* Minimal <stdio.h>: enough for a file with a main() beside its kernels to parse. */
#pragma once
#include <lift/host.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct _IO_FILE FILE;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int puts(const char *text);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
size_t fread(void *to, size_t size, size_t count, FILE *file);
size_t fwrite(const void *from, size_t size, size_t count, FILE *file);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int vprintf(const char *format, __builtin_va_list list);
int vfprintf(FILE *file, const char *format, __builtin_va_list list);
int vsprintf(char *to, const char *format, __builtin_va_list list);
int vsnprintf(char *to, size_t size, const char *format, __builtin_va_list list);
char *fgets(char *to, int size, FILE *file);
int fputs(const char *text, FILE *file);
int fgetc(FILE *file);
int getc(FILE *file);
int getchar(void);
int ungetc(int character, FILE *file);
int fputc(int character, FILE *file);
int putc(int character, FILE *file);
int putchar(int character);
int fseek(FILE *file, long by, int from);
long ftell(FILE *file);
void rewind(FILE *file);
int fflush(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
void perror(const char *text);
int remove(const char *path);
int rename(const char *from, const char *to);
FILE *freopen(const char *path, const char *mode, FILE *file);
FILE *tmpfile(void);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
#ifdef __cplusplus
}
#endif
#define EOF (-1)
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
