"""`lift cc`: the compiler of any build, with lifted code in place of a source's kernels.

LIFT_CPU=? makes lifted code say a line when it first runs, so it shows whether it did.
"""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from lifter.switch import read_call
from lifter.switch.elf import NotElf, replaceable, switched, symbols, weak
from tests.build.programs import Done, lift, need, run

KERNELS = """\
#include "kernels.h"
namespace img {
void add(Byte *dst, const Byte *src, int n) { for (int i = 0; i < n; i++) dst[i] = src[i] + K; }
void add(float *dst, const float *src, int n) { for (int i = 0; i < n; i++) dst[i] = src[i] + K; }
}
extern "C" void mix(Byte *dst, const Byte *src, int n)
{ for (int i = 0; i < n; i++) dst[i] = (dst[i] + src[i] + 1) / 2; }
void fill(Image image, int v) noexcept
{ for (int i = 0; i < image.width * image.height; i++) image.data[i] = v; }
int mark(Byte *p, int n) { if (n < 0) return -1; for (int i = 0; i < n; i++) p[i] |= 1; return n; }
void find(const Byte *p, int n, int *at)
{ int i = n; while (p[i] != 7) i++; *at = p[i % 3] ? i : -i; }
template <typename T> void twice(T *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] * 2; }
template void twice<int>(int *, int);
static int depth = 0;
int in_this_file(Byte *p, const Byte *q)
{
    if (depth++ > 2) return depth;
    mix(p, q, 4);
    void (*pointer)(Byte *, const Byte *, int) = mix;
    pointer(p, q, 4);
    return in_this_file(p, q);
}
"""
HEADER = """\
typedef unsigned char Byte;
struct Image { Byte *data; int width, height; };
namespace img { void add(Byte *, const Byte *, int); void add(float *, const float *, int); }
extern "C" void mix(Byte *dst, const Byte *src, int n);
void fill(Image image, int v) noexcept;
int mark(Byte *p, int n);
template <typename T> void twice(T *p, int n);
int in_this_file(Byte *p, const Byte *q);
"""
MAIN = """\
#include "kernels.h"
#include <cstdio>
int main()
{
    Byte a[40], b[40]; float f[2] = {1, 2}; int t[2] = {3, 4};
    for (int i = 0; i < 40; i++) a[i] = b[i] = (Byte)(i * 9);
    img::add(a, b, 40); img::add(f, f + 1, 1); mix(a, b, 20); mix(a, a + 1, 20);
    fill(Image{b + 8, 2, 3}, 77); twice(t, 2);
    int many = mark(a, 5), none = mark(a, -5), last = in_this_file(a + 20, b);
    unsigned sum = 0;
    for (int i = 0; i < 40; i++) sum = sum * 31 + a[i] * 3 + b[i];
    std::printf("%u %g %d %d %d %d\\n", sum, f[0], t[1], many, none, last);
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a 'project' of mine"
    folder.mkdir()
    (folder / "kernels.cpp").write_text(KERNELS)
    (folder / "kernels.h").write_text(HEADER)
    (folder / "main.cpp").write_text(MAIN)
    return folder


def cc(project: Path, *words: str) -> Done:
    return lift("cc", *words, cwd=project)


def program(project: Path, compiler: str, *objects: str) -> Done:
    """What the program says with the kernels' `objects`, or its own when there are none."""
    made = [compiler, "-O1", "main.cpp", *(objects or ["-DK=5", "kernels.cpp"])]
    linked = run([*made, "-o", "program", "-lpthread", "-lm"], project)
    assert linked.status == 0, linked.err
    return run([project / "program"], env={"LIFT_CPU": "?"})


@pytest.mark.parametrize(
    "compiler, flags",
    [
        ("g++", "-O2"),
        pytest.param("g++", "-g", marks=pytest.mark.slow),
        pytest.param("g++", "-O3 -fvisibility=hidden -flto -ffunction-sections",
                     marks=pytest.mark.slow),
        pytest.param("g++", "-O2 -fPIC -std=c++20 -Wall -Wextra -Wold-style-cast -Wconversion "
                     "-Wmissing-declarations", marks=pytest.mark.slow),
        pytest.param("clang++", "-O2 -Wall -Wextra", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_every_caller_gets_lifted_code_and_the_same_results(
    project: Path, compiler: str, flags: str
) -> None:
    need(compiler)
    expected = program(project, compiler)
    assert expected.err == ""
    made = cc(project, compiler, *flags.split(), "-DK=5", "-MD", "-c", "kernels.cpp", "-o", "k.o")
    assert made.status == 0, made.err
    for function in ("add", "add_2", "mix", "fill", "mark", "twice_int32"):
        assert function in made.err.split("\n")[-3].split(" for ")[1].split(", ")
    assert "C++ as before for" in made.err
    found = program(project, compiler, "k.o")
    assert found.out == expected.out
    assert "LIFT_CPU=? is ignored" in found.err
    assert {"kernels.cpp", "kernels.h"} <= {
        Path(w).name for w in (project / "k.d").read_text().replace("\\\n", " ").split()
    }
    again = cc(project, compiler, *flags.split(), "-DK=6", "-c", "kernels.cpp", "-o", "k.o")
    assert again.status == 0
    assert program(project, compiler, "k.o").out != expected.out  # K is what it was compiled with


@pytest.mark.slow
def test_a_cross_compilers_char_is_the_one_of_its_machine(tmp_path: Path) -> None:
    need("aarch64-linux-gnu-g++")
    need("qemu-aarch64")
    (tmp_path / "k.cpp").write_text(
        "void half(char *p, int n) { for (int i = 0; i < n; i++) p[i] = (char)(p[i] / 2); }\n"
    )
    (tmp_path / "m.cpp").write_text(
        "void half(char *, int); int main() { char c = (char)203; half(&c, 1); return c & 255; }\n"
    )
    for compiler, status, runner in (
        ("aarch64-linux-gnu-g++", 101, "qemu-aarch64"),
        ("g++", 230, ""),
    ):
        made = cc(tmp_path, compiler, "-O2", "-c", "k.cpp", "-o", "k.o")
        assert "lifted code for half" in made.err
        assert run([compiler, "-static", "m.cpp", "k.o", "-o", "m"], tmp_path).status == 0
        assert run([*runner.split(), tmp_path / "m"]).status == status


def test_calls_in_the_same_file_and_through_pointers_are_led_there_too(project: Path) -> None:
    main = '#include "kernels.h"\nint main() { Byte a[9] = {}, b[9] = {}; in_this_file(a, b); }\n'
    (project / "main.cpp").write_text(main)
    assert cc(project, "g++", "-O3", "-DK=5", "-c", "kernels.cpp", "-o", "k.o").status == 0
    assert "LIFT_CPU=? is ignored" in program(project, "g++", "k.o").err


@pytest.mark.parametrize("compiler", ["g++", pytest.param("clang++", marks=pytest.mark.slow)])
def test_what_other_files_may_replace_stays_replaceable(tmp_path: Path, compiler: str) -> None:
    need(compiler)
    body = "void %s(unsigned char *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] + %d; }\n"
    strong, own = body % ("strong", 1), body % ("k", 2)
    main = "void k(unsigned char *, int); int main() { unsigned char c = 0; k(&c, 1); return c; }\n"
    attributed = "__attribute__((weak)) " + own
    # Clang knows no linker names in pragmas.
    for said in (attributed, "#pragma weak _Z1kPhi\n" + own)[: 2 if compiler == "g++" else 1]:
        (tmp_path / "k.cpp").write_text(strong + said)
        (tmp_path / "other.cpp").write_text(body % ("k", 9))
        (tmp_path / "m.cpp").write_text(main)
        made = cc(tmp_path, compiler, "-O2", "-c", "k.cpp", "-o", "k.o")
        assert "lifted code for strong" in made.err and "k (weak:" in made.err
        for others, status in (([], 2), (["other.cpp"], 9)):
            linked = run([compiler, "m.cpp", "k.o", *others, "-o", "m"], tmp_path)
            assert linked.status == 0, linked.err
            assert run([tmp_path / "m"]).status == status


@pytest.mark.slow
def test_an_object_whose_source_is_another_one_now_has_its_functions(tmp_path: Path) -> None:
    body = "void k(unsigned char *p, int n) {{ for (int i = 0; i < n; i++) p[i] = p[i] + {}; }}\n"
    main = (
        "void k(unsigned char *, int); int main() {{ unsigned char c = 0; k(&c, 1); return c; }}\n"
    )
    (tmp_path / "m.cpp").write_text(main.format())
    for name, added in (("z", 1), ("a", 2), ("z", 1)):
        (tmp_path / f"{name}.cpp").write_text(body.format(added))
        made = cc(tmp_path, "g++", "-O2", "-c", f"{name}.cpp", "-o", "k.o")
        assert "lifted code for k" in made.err
        assert run(["g++", "m.cpp", "k.o", "-o", "m"], tmp_path).status == 0
        assert run([tmp_path / "m"]).status == added


@pytest.mark.slow
def test_attributes_stay_what_they_are(tmp_path: Path) -> None:
    """What can't be switched with them stays C++, and no other function with it."""
    body = "{ for (int i = 0; i < n; i++) p[i] = p[i] + 1; }\n"
    attributes = {
        "target_clones": '__attribute__((target_clones("avx2", "default")))',
        "other_call": "__attribute__((ms_abi))",
        "constant": "constexpr",
        "hidden": '__attribute__((visibility("hidden"), hot, nonnull))',
        "old": "[[deprecated]]",
        "plain": "",
    }
    functions = [f"{a} void {n}(unsigned char *p, int n) {body}" for n, a in attributes.items()]
    (tmp_path / "k.cpp").write_text("".join(functions) + "auto keep = constant;\n")
    (tmp_path / "m.cpp").write_text(
        "".join(f"{a if 'abi' in a else ''} void {n}(unsigned char *, int);\n"
                for n, a in attributes.items() if n != "constant")
        + "extern void (*keep)(unsigned char *, int);\n"
        "int main() { unsigned char c = 0; target_clones(&c, 1); other_call(&c, 1); keep(&c, 1);\n"
        "hidden(&c, 1); old(&c, 1); plain(&c, 1); return c; }\n"
    )  # fmt: skip
    made = cc(tmp_path, "g++", "-O2", "-c", "k.cpp", "-o", "k.o")
    assert "lifted code for constant, hidden, old, plain\n" in made.err
    for kept in ("target_clones", "other_call"):
        assert f"{kept} (its entry can't be compiled)" in made.err
    linked = run(["g++", "m.cpp", "k.o", "-o", "m", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    assert run([tmp_path / "m"], env={"LIFT_SHADOW": "1"}).status == 6


@pytest.mark.slow
def test_libraries_with_functions_of_one_name_each_have_their_own(tmp_path: Path) -> None:
    """Two plug-ins whose kernels are nobody else's: neither's lifted code is the other's."""
    for name, added in (("a", 1), ("b", 2)):
        (tmp_path / f"{name}.cpp").write_text(
            "void k(unsigned char *p, int n) "
            f"{{ for (int i = 0; i < n; i++) p[i] = p[i] + {added}; }}\n"
            '__attribute__((visibility("default"))) '
            f"int {name}() {{ unsigned char c = 0; k(&c, 1); return c; }}\n"
        )
        words = ["g++", "-O2", "-fPIC", "-fvisibility=hidden", "-c", f"{name}.cpp"]
        made = cc(tmp_path, *words, "-o", f"{name}.o")
        assert "lifted code for k" in made.err
        library = ["-shared", f"{name}.o", "-o", f"lib{name}.so", "-lpthread", "-lm"]
        assert run(["g++", *library], tmp_path).status == 0
    names = run(["nm", "-D", "--defined-only", "liba.so"], tmp_path).out
    assert "lift_switched" not in names and "_Z1av" in names
    (tmp_path / "m.cpp").write_text("int a(), b(); int main() { return 10 * a() + b(); }\n")
    words = ["g++", "m.cpp", "-o", "m", "-L.", "-la", "-lb", "-Wl,-rpath,$ORIGIN"]
    assert run(words, tmp_path).status == 0
    for environment in ({}, {"LIFT_SHADOW": "1"}):
        done = run([tmp_path / "m"], env=environment)
        assert (done.status, done.err) == (12, "")


@pytest.mark.parametrize("compiler", ["g++", pytest.param("clang++", marks=pytest.mark.slow)])
def test_a_source_is_read_as_its_own_compiler_reads_it(tmp_path: Path, compiler: str) -> None:
    need(compiler)
    (tmp_path / "k.cpp").write_text(
        "#ifdef __clang__\n#define K 50\n#else\n#define K __GNUC__\n#endif\n"
        "void k(unsigned char *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] + K; }\n"
    )
    (tmp_path / "m.cpp").write_text(
        "void k(unsigned char *, int); int main() { unsigned char c = 0; k(&c, 1); return c; }\n"
    )
    assert run([compiler, "m.cpp", "k.cpp", "-o", "m"], tmp_path).status == 0
    expected = run([tmp_path / "m"]).status
    made = cc(tmp_path, compiler, "-O2", "-c", "k.cpp", "-o", "k.o")
    assert "lifted code for k" in made.err
    assert run([compiler, "m.cpp", "k.o", "-o", "m"], tmp_path).status == 0
    assert run([tmp_path / "m"]).status == expected


@pytest.mark.slow
def test_only_named_functions_of_named_sources(project: Path) -> None:
    made = cc(project, "--source", "kernels.cpp", "--function", "mix", "g++", "-DK=5", "-c",
              "kernels.cpp", "-o", "k.o")  # fmt: skip
    assert made.err == "lift: kernels.cpp: lifted code for mix\n"
    other = cc(project, "--source", "kernels.cpp", "g++", "-c", "main.cpp", "-o", "m.o")
    assert (other.status, other.err) == (0, "")
    assert not (project / "m.o.lifted").exists()
    linked = cc(project, "g++", "m.o", "k.o", "-o", "program", "-lpthread", "-lm")
    assert linked.status == 0, linked.err
    assert run([project / "program"], env={"LIFT_CPU": "?"}).err != ""


def test_required_functions_that_are_not_lifted_stop_the_build(project: Path) -> None:
    made = cc(project, "--function", "find", "--require", "g++", "-DK=5", "-c", "kernels.cpp",
              "-o", "k.o")  # fmt: skip
    assert made.status == 1
    assert "kernels.cpp: C++ as before for find (" in made.err
    assert "not every function is lifted, and --require asks for that" in made.err
    assert not (project / "k.o").exists()
    unknown = cc(project, "--source", "kernels.cpp", "--function", "nothing", "g++", "-DK=5", "-c",
                 "kernels.cpp", "-o", "k.o")  # fmt: skip
    assert unknown.status == 0 and "nothing (no such function)" in unknown.err


def test_names_of_functions_in_other_sources_are_no_error(project: Path) -> None:
    made = cc(project, "--source", "kernels.cpp", "--source", "main.cpp", "--function", "mix",
              "--require", "g++", "-c", "main.cpp", "-o", "m.o")  # fmt: skip
    assert (made.status, made.err) == (0, "")


@pytest.mark.parametrize(
    "name, reached",
    [("café $(touch x) 'y'; #z.cpp", True), ('qu"ote.cpp', False), ("back\\slash.cpp", False)],
)
def test_hostile_names_reach_no_shell_and_no_include(
    tmp_path: Path, name: str, reached: bool
) -> None:
    (tmp_path / name).write_text(
        "void set(char *p, int n) { for (int i = 0; i < n; i++) p[i] = 1; }\n"
    )
    done = cc(tmp_path, "g++", "-c", name, "-o", "o.o")
    assert done.status == 0, done.err
    assert ("lifted code for set" in done.err) == reached
    assert ("no #include can name" in done.err) != reached
    assert {p.name for p in tmp_path.iterdir()} == {name, "o.o", "o.o.lifted"}


@pytest.mark.slow
def test_an_error_in_the_source_is_the_compilers_to_tell(project: Path) -> None:
    (project / "kernels.cpp").write_text(KERNELS + "int broken() { return nowhere; }\n")
    plain = run(["g++", "-DK=5", "-c", "kernels.cpp", "-o", "k.o"], project)
    made = cc(project, "g++", "-DK=5", "-c", "kernels.cpp", "-o", "k.o")
    assert made.status == plain.status != 0
    assert made.err == plain.err


def test_what_compiles_no_object_is_the_compilers_own_affair(project: Path) -> None:
    done = cc(project, "g++", "-DK=5", "-E", "kernels.cpp")
    assert done.status == 0 and 'extern "C" void mix' in done.out
    assert cc(project, "g++", "--version").out == run(["g++", "--version"]).out
    missing = cc(project, "no-such-compiler", "-c", "kernels.cpp")
    assert missing.status == 2 and "no-such-compiler" in missing.err


def test_a_command_line_is_read_as_a_compiler_reads_it(tmp_path: Path) -> None:
    response = tmp_path / "more.rsp"
    response.write_text("-D 'A=\"x y\"' -I inc")
    call = read_call(["ccache", "g++", "-O2", f"@{response}", "-c", "s.cpp", "-o", "d/o.o"])
    assert call is not None
    assert call.compiler == ("ccache", "g++")
    assert (str(call.source), str(call.output)) == ("s.cpp", "d/o.o")
    assert call.options == (("-O2",), ("-D", 'A="x y"'), ("-I", "inc"))
    assert str(read_call(["g++", "-c", "a/b.cc"]).output) == "b.o"  # type: ignore[union-attr]
    for line in (
        "a.cpp -o a",
        "-c a.c",
        "-c a.cpp b.cpp",
        "-c -x c a.cpp",
        "-c -",
        "-S -c a.cpp",
        "",
    ):
        assert read_call(["g++", *line.split()]) is None


def test_dependencies_are_noted_under_the_objects_own_name() -> None:
    call = read_call(["g++", "-MMD", "-c", "s.cpp", "-o", "d/o.o"])
    assert call is not None
    words = call.compiling(Path("s.cpp"), Path("x/y.o"))
    assert words[-8:] == ["-MF", "d/o.d", "-MQ", "d/o.o", "-c", "s.cpp", "-o", "x/y.o"]
    call = read_call(["g++", "-MD", "-MT", "t", "-MF", "f", "-c", "s.cpp", "-o", "o.o"])
    assert call is not None
    assert call.compiling(Path("s.cpp"), Path("o.o")).count("-MF") == 1


OBJECT = """
void own(int *p) { *p = 1; }
void original(int *p) __asm__("the_original");
void entry(int *p) __asm__("the_entry");
void entry(int *p) { original(p); *p += 10; }
inline void shared(int *p) { *p = 3; }
static void local(int *p) { *p = 4; }
int data = 5;
void use(int *p) { own(p); shared(p); local(p); }
"""


@pytest.fixture(scope="module")
def object(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("object")
    (folder / "o.cpp").write_text(OBJECT)
    assert run(["g++", "-fPIC", "-O0", "-c", "o.cpp"], folder).status == 0
    return (folder / "o.o").read_bytes()


def test_a_symbol_is_made_to_stand_for_another(object: bytes, tmp_path: Path) -> None:
    made = switched(object, {"_Z3ownPi": ("the_entry", "the_original")})
    (tmp_path / "o.o").write_bytes(made)
    (tmp_path / "m.cpp").write_text(
        "void own(int *); int main() { int x = 0; own(&x); return x; }\n"
    )
    assert run(["g++", "m.cpp", "o.o", "-o", "m"], tmp_path).status == 0
    assert run([tmp_path / "m"]).status == 11
    with pytest.raises(KeyError):
        switched(object, {"_Z3ownPi": ("nothing", "the_original")})


def test_only_functions_that_are_one_in_a_program_can_be_replaced(object: bytes) -> None:
    assert replaceable(object, "_Z3ownPi")
    for name in ("_Z6sharedPi", "_ZL5localPi", "data", "the_original", "nothing"):
        assert not replaceable(object, name)
    assert not weak(object)


def test_what_is_no_object_or_cut_off_is_refused(object: bytes) -> None:
    for content in (b"", b"\x7fELF", b"hello" * 100, b"\x7fELF\x01\x01" + object[6:]):
        with pytest.raises(NotElf):
            symbols(content)
    for length in range(64, len(object), 97):
        try:
            symbols(object[:length])
        except (NotElf, ValueError):
            continue
        assert length > struct.unpack_from("<Q", object, 0x28)[0]
