// Reads frames through the calls of Linux.
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

static volatile std::sig_atomic_t stopped = 0;

static void on_signal(int) { stopped = 1; }

static void report(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    std::vfprintf(stderr, format, list);
    va_end(list);
}

void unpack_luma(uint8_t *luma, const uint8_t *yuyv, int width, int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            luma[y * width + x] = yuyv[(y * width + x) * 2];
}

static void *run(void *argument) { return argument; }

int main(int argc, char **argv)
{
    std::signal(SIGINT, on_signal);
    const char *path = "/dev/video0";
    int choice;
    while ((choice = getopt(argc, argv, "d:")) != -1)
        if (choice == 'd')
            path = optarg;
    int file = open(path, O_RDONLY | O_NONBLOCK);
    if (file < 0) {
        report("%s: %s\n", path, std::strerror(errno));
        return EXIT_FAILURE;
    }
    struct stat about;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode))
        std::printf("%ld bytes\n", (long)about.st_size);
    pthread_t thread;
    pthread_create(&thread, nullptr, run, nullptr);
    pthread_join(thread, nullptr);
    std::time_t now = std::time(nullptr);
    char text[64];
    std::strftime(text, sizeof text, "%F", std::localtime(&now));
    char line[256];
    while (!stopped && std::fgets(line, sizeof line, stdin))
        if (char *end = std::strchr(line, '\n'))
            *end = '\0';
    ssize_t got = read(file, line, sizeof line);
    close(file);
    return got < 0 && errno == EAGAIN ? EXIT_FAILURE : EXIT_SUCCESS;
}
