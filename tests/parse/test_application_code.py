"""Files as applications have them: strings, streams, threads and files around a few kernels."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lifter.parse import parse_file

from .parsing import codes, failure, parse

FILES = Path(__file__).parent / "application"
KERNELS = {
    "benchmark": ["box3"],
    "cut_out": ["threshold"],
    "folder": ["swap_bytes"],
    "palette": ["apply_table", "distances"],
    "raw_device": ["unpack_luma"],
    "table_file": ["smooth", "limit"],
    "thread_pool": ["invert_row"],
}
SIZES = [
    "std::string", "std::string_view", "std::vector<int>", "std::vector<bool>",
    "std::map<int, int>", "std::set<int>", "std::unordered_map<int, int>",
    "std::unordered_set<int>", "std::list<int>",
    "std::deque<int>", "std::queue<int>", "std::stack<int>", "std::unique_ptr<int>",
    "std::unique_ptr<int[]>", "std::shared_ptr<int>", "std::weak_ptr<int>", "std::function<void()>",
    "std::optional<int>", "std::optional<double>", "std::variant<int, double>",
    "std::tuple<char, int, double>", "std::complex<float>", "std::bitset<65>", "std::thread",
    "std::mutex", "std::condition_variable", "std::atomic<int>", "std::future<int>",
    "std::chrono::nanoseconds", "std::mt19937", "std::ifstream", "std::ofstream", "std::ostream",
    "std::stringstream", "std::fstream", "std::runtime_error", "std::exception",
    "std::filesystem::path",
]  # fmt: skip
NUMBERS = [
    "std::numeric_limits<char>::digits", "std::numeric_limits<bool>::digits",
    "std::numeric_limits<unsigned short>::digits10", "std::numeric_limits<long>::digits",
    "std::numeric_limits<float>::digits10", "std::numeric_limits<double>::digits10",
    "(int)std::numeric_limits<char>::is_signed", "EAGAIN", "ENOTEMPTY", "ETIMEDOUT", "SIGSEGV",
    "SIGCHLD", "O_CREAT", "O_TRUNC", "O_NONBLOCK", "O_CLOEXEC", "S_IFMT", "CLOCKS_PER_SEC",
    "sizeof(struct stat)", "sizeof(struct tm)", "sizeof(pthread_mutex_t)", "SEEK_END", "EOF",
    "sizeof(pthread_attr_t)", "sizeof(pthread_cond_t)", "_SC_NPROCESSORS_ONLN", "BUFSIZ",
    "(int)std::is_base_of<std::exception, std::out_of_range>::value",
    "(int)std::is_convertible<const char *, std::string>::value",
    "(int)std::is_convertible<std::string, const char *>::value",
    "(int)std::is_convertible<int, std::string>::value",
    "(int)std::is_convertible<int *, std::unique_ptr<int>>::value",
    "(int)std::is_convertible<int, std::vector<int>>::value",
    "(int)std::is_convertible<int, std::chrono::seconds>::value",
    "(int)std::is_convertible<std::ifstream, bool>::value",
    "(int)std::is_convertible<std::complex<float>, float>::value",
    "(int)std::is_convertible<std::optional<int>, int>::value",
]  # fmt: skip
HEADERS = """
#include <atomic>
#include <bitset>
#include <cerrno>
#include <chrono>
#include <complex>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>
"""
needs_gxx = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++ as the oracle")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", KERNELS)
def test_the_kernels_of_an_application_are_found_and_nothing_is_an_error(name: str) -> None:
    found = parse_file(FILES / f"{name}.cpp")
    assert not found.diagnostics, list(map(str, found.diagnostics))
    assert [k.name for k in found.kernels] == KERNELS[name]


@pytest.mark.sampled(every=8)
@needs_gxx
@pytest.mark.parametrize("name", KERNELS)
def test_the_application_is_cpp_for_a_compiler_too(name: str) -> None:
    command = ["g++", "-std=c++17", "-fsyntax-only", f"{name}.cpp"]
    ran = subprocess.run(command, cwd=FILES, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.slow
@needs_gxx
def test_sizes_numbers_and_conversions_are_those_of_the_real_headers(tmp_path: Path) -> None:
    asked = [f"sizeof({size})" for size in SIZES] + NUMBERS
    printed = "".join(f'std::printf("%ld\\n", (long)({one}));\n' for one in asked)
    source = tmp_path / "asked.cpp"
    source.write_text(f"{HEADERS}int main() {{\n{printed}}}\n")
    made = ["g++", "-std=c++17", "-O0", str(source), "-o", str(tmp_path / "asked")]
    subprocess.run(made, check=True, timeout=120)
    ran = subprocess.run([tmp_path / "asked"], capture_output=True, text=True, check=True)
    answers = [int(line) for line in ran.stdout.split()]
    checks = "".join(
        f'static_assert((long)({one}) == {real}, "{one}: {real}");\n'
        for one, real in zip(asked, answers, strict=True)
    )
    assert len(answers) == len(asked)
    found = parse(HEADERS + checks)
    assert not found.diagnostics, "\n".join(str(d) for d in found.diagnostics)
    wrong = parse(HEADERS + "int g;\nstatic_assert(sizeof(std::string) == 31);\n")
    assert codes(wrong) == ["syntax-error"]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("headers", "statement"),
    [
        ("string", "std::string s(3, 'a'); d[0] = s.size();"),
        ("string", 'd[0] = std::stoi("12");'),
        ("map", "std::map<int, int> m; d[0] = m[1];"),
        ("numeric", "std::partial_sum(d, d + 4, d);"),
        ("algorithm", "std::sort(d, d + 4);"),
        ("algorithm", "std::reverse(d, d + 4);"),
        ("algorithm", "d[0] = *std::max_element(d, d + 4);"),
        ("algorithm", "std::nth_element(d, d + 1, d + 4);"),
        ("complex", "std::complex<float> z(1, 2); d[0] = (int)z.real();"),
        ("bitset", "std::bitset<8> b(5); d[0] = b.count();"),
        ("functional", "std::function<int(int)> f = [](int a) { return a; }; d[0] = f(1);"),
        ("functional", "d[0] = std::plus<int>()(1, 2);"),
        ("tuple", "auto t = std::make_tuple(1, 2); d[0] = std::get<0>(t);"),
        ("optional", "std::optional<int> o = 3; d[0] = *o;"),
        ("vector", "std::vector<short> v((short *)d, (short *)d + 4); d[0] = v[0];"),
        ("vector", "std::vector<int> v; v.emplace_back(1); d[0] = v[0];"),
        ("iterator", "d[0] = std::distance(d, d + 4);"),
        ("iterator", "int *p = std::next(d); p[0] = 1;"),
        ("memory", "auto p = std::make_unique<int[]>(4); d[0] = p[0];"),
        ("chrono", "std::chrono::seconds s(2); d[0] = (int)s.count();"),
        ("cctype", "d[0] = std::toupper(d[0]);"),
        ("cstring", 'd[0] = std::strncmp((char *)d, "a", 1);'),
        ("atomic", "std::atomic<int> a(1); d[0] = a.load();"),
        ("utility", "d[0] = std::exchange(d[1], 2);"),
        ("limits", "d[0] = (int)std::numeric_limits<float>::quiet_NaN();"),
    ],
)
def test_what_the_headers_only_declare_is_no_part_of_a_kernel(headers: str, statement: str) -> None:
    error = failure(f"#include <{headers}>\nvoid f(int *d) {{ {statement} }}\n")
    assert error.family == "unsupported", str(error)


def test_of_a_file_without_a_header_only_the_header_is_said() -> None:
    found = parse("#include <lost.h>\nint g;\nlost a(lost b);\nvoid f(lost *d) { d[0] = 1; }\n")
    (error,) = found.diagnostics
    assert (error.code, error.notes) == (
        "missing-include",
        ("3 errors that follow aren't shown until the header is found",),
    )
    assert not found.kernels and [s.diagnostic.code for s in found.failed] == ["missing-include"]


def test_errors_of_a_file_with_all_its_headers_are_all_shown() -> None:
    found = parse("int g;\nlost a(int b);\nlost c(int d);\n")
    assert codes(found) == ["syntax-error", "syntax-error"]


@pytest.mark.parametrize("parameter", ["const std::string &name", "std::ostream *log", "FILE *f"])
def test_a_function_that_takes_a_library_object_belongs_to_the_application(parameter: str) -> None:
    parsed = parse(
        "#include <cstdio>\n#include <ostream>\n#include <string>\n"
        f"void load({parameter}, char *d, int n) {{ for (int i = 0; i < n; i++) d[i] = 0; }}"
    )
    assert [s.diagnostic.code for s in parsed.failed] == ["not-a-kernel"]
    assert [k.name for k in parsed.kernels] == ["load#1"]  # its loops are of no application


@pytest.mark.parametrize(
    ("size", "is_known"),
    [
        ("sizeof(std::string)", False),
        ("sizeof(std::map<int, int>)", False),
        ("sizeof(std::uint16_t)", True),
        ("sizeof(std::array<int, 3>)", True),
    ],
)
def test_only_sizes_that_are_the_languages_reach_a_kernel(size: str, is_known: bool) -> None:
    parsed = parse(
        "#include <array>\n#include <cstdint>\n#include <map>\n#include <string>\n"
        f"void fill(int *d, int n) {{ for (int i = 0; i < n; i++) d[i] = {size}; }}"
    )
    assert bool(parsed.kernels) == is_known
