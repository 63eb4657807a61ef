"""The front end's diagnostic codes: a closed list, as data for `lift explain` and the docs.

A test parses each example and checks that it gives just its code; an example that needs more than
a C++ file is a command line.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CodeEntry:
    """What one code means: a sentence, a small example that gives it, the ways out."""

    meaning: str
    example: str
    ways_out: tuple[str, ...]


_MODEL = "give the function's meaning in plain C++ in a file of its own: --model FILE"

CODES: dict[str, CodeEntry] = {
    # What was given can't be read
    "file-empty": CodeEntry(
        "The source file has no text at all.",
        "lift empty.cpp",
        ("give a file with C++ code",),
    ),
    "file-encoding": CodeEntry(
        "The source file isn't UTF-8, outside of its comments too; the message shows the first "
        "byte that isn't.",
        "lift latin1.cpp",
        ("convert the file: `iconv -f latin1 -t utf-8 old.cpp > new.cpp`",),
    ),
    "not-cpp": CodeEntry(
        "The file is binary data, or its very first line is no C++ and no function is found in it.",
        "lift photo.png",
        ("name C++ (or C) source files",),
    ),
    "clang-arguments": CodeEntry(
        "libclang can't start on the file with the flags that were given.",
        "lift blend.cpp -- -no-such-flag",
        ("check --std and the arguments after `--`",),
    ),
    "syntax-error": CodeEntry(
        "clang finds an error in the text. Functions that contain it, or use a declaration that "
        "contains it, aren't lifted; all others are.",
        "void f(int *d) { d[0] = undeclared; }",
        ("correct the text", "define the missing macro with -D NAME=VALUE", "pass --std"),
    ),
    "missing-include": CodeEntry(
        "An included header is neither among the shipped ones nor in a folder that was given. "
        "Functions that use what it declares aren't lifted, nor those of which the preprocessor "
        "chooses lines; the others carry a warning.",
        '#include "no_such_header.h"\nvoid f(pixel *d) { d[0] = 1; }',
        ("pass the folder that holds it: -I DIR", "pass the project's compile_commands.json: -p"),
    ),
    "bad-assumption": CodeEntry(
        "A `// lift: assume(...)` or `--assume` condition can't be read, or names something that "
        "isn't a number parameter of the function.",
        "// lift: assume(widht > 0)\nvoid f(int *d, int width) { d[width - 1] = 1; }",
        ("write it as in C++, over number parameters and `v.size()` of vector parameters",),
    ),
    # What is no kernel
    "not-a-kernel": CodeEntry(
        "The function isn't lifted by itself: a pure scalar function (kept by name in its "
        "callers), a helper (inlined into its callers; a kernel where none of these is proved, "
        "or by `--function`), `main`, or one that touches no array.",
        "int twice(int a) { return 2 * a; }",
        ("nothing needs to be done",),
    ),
    "functions-elsewhere": CodeEntry(
        "A warning: the file itself has no function to lift; it includes one that has some, which "
        "are `static` or `inline` and not called here. Of headers those functions are lifted that "
        "are compiled as a part of the file that is named: it defines them, or calls them.",
        "lift driver.c",
        ("lift the file that is named, with -D for the macros that stand above its #include",),
    ),
    "template": CodeEntry(
        "The function is a template that nothing in the file uses: only its instances have a "
        "meaning, and there are none.",
        "template <class T> void f(T *d) { d[0] = 0; }",
        ("instantiate it for the types that you use: `template void f<float>(float *);`",),
    ),
    # What isn't understood
    "early-exit": CodeEntry(
        "A loop, looked at without the function around it, is left by a jump: for a loop around, "
        "or by a `return` of what it alone knows and what is no number.",
        "struct P { int a; }; int g(int);\n"
        "P f(int *d, int n) { g(n); while (n--) if (d[n]++) { P p = {n}; return p; } return P(); }",
        ("set a variable in the loop, and return behind it",),
    ),
    "goto": CodeEntry(
        "The function jumps with `goto`.",
        "void f(int *d, int n) { again: d[n] = 0; if (n-- > 0) goto again; }",
        ("write the loop or the branch that the jump makes",),
    ),
    "inline-assembly": CodeEntry(
        "The function contains assembly, which has no meaning in C++.",
        'void f(int *d) { asm("nop"); d[0] = 0; }',
        (_MODEL,),
    ),
    "recursion": CodeEntry(
        "The function calls itself, directly or through others.",
        "int f(int n) { return n > 1 ? n * f(n - 1) : 1; }",
        ("write the recursion as a loop",),
    ),
    "exception": CodeEntry(
        "The function throws or catches.",
        "void f(int *d, int n) { if (n < 0) throw n; d[0] = n; }",
        (
            "check in the caller, and lift a function that is called when all is well",
            "return early instead: `if (n < 0) return;`",
            "state what always holds with an assert",
        ),
    ),
    "thread": CodeEntry(
        "The function starts threads, or uses locks or atomic variables.",
        "#include <thread>\nvoid f(int *d) { std::thread t([=] { d[0] = 1; }); t.join(); }",
        ("make what one thread computes a function of its own, without locks, and lift that",),
    ),
    "openmp": CodeEntry(
        "A warning: an OpenMP pragma is taken to change nothing, as it is for a loop without "
        "races. The loop is read as sequential; the lifted code gets its own parallel schedule.",
        "void f(int *d, int n) {\n#pragma omp parallel for\n"
        "    for (int i = 0; i < n; i++) d[i] = i;\n}",
        ("nothing needs to be done unless the loop has races",),
    ),
    "unmodelled-call": CodeEntry(
        "A function is called whose body isn't seen.",
        "int outside(int); void f(int *d) { d[0] = outside(1); }",
        (_MODEL, "include the file that defines it"),
    ),
    "virtual-call": CodeEntry(
        "A virtual method is called; which body runs isn't known before the program does.",
        "struct Shape { virtual int area(); };\nShape &shape();\n"
        "void f(int *d) { d[0] = shape().area(); }",
        (
            "pass what the method gives as a parameter or an array",
            "write a function for the one class that is meant, and call that",
        ),
    ),
    "inexact-function": CodeEntry(
        "`expf`, `logf` and `powf` (and std::exp, std::log, std::pow of a float) are computed by "
        "the C library to bits that the DSL's own formulas for them don't always give, so a lifted "
        "function would not be equal. In double both call the C library.",
        "#include <cmath>\nvoid f(float *d, int n) { for (int i = 0; i < n; i++) d[i] = "
        "std::exp(d[i]); }",
        ("compute it in double, and convert the result", _MODEL),
    ),
    "fast-math": CodeEntry(
        "An option (`-ffast-math`, `-Ofast`, their parts, `-ffp-contract=fast`), a pragma or an "
        "attribute lets compilers compute floats otherwise than the text says: in another order, "
        "with fewer roundings, without special values. What the original computes then depends on "
        "the compiler, so nothing can be proved equal to it. Functions of integers are lifted.",
        '#pragma GCC optimize("fast-math")\n'
        "void f(float *d, int n) { for (int i = 0; i < n; i++) d[i] = d[i] * 0.5f + 1; }",
        (
            "build files with floats without it, and leave the option out here too",
            "put the kernels that need it into a file of their own",
        ),
    ),
    "contraction": CodeEntry(
        "A warning: the source is built for a machine that can multiply and add with one rounding, "
        "and compilers use that by themselves (`-ffp-contract=fast` is g++'s default). The lifted "
        "code rounds the product and the sum, as the text says; the last bits may differ.",
        "lift blend.cpp -- -march=haswell",
        ("build the original with -ffp-contract=off, and say so here too",),
    ),
    "lambda": CodeEntry(
        "It isn't known which lambda is called, or a lambda captures something by value that can't "
        "be copied here.",
        "void f(int *d) { int a[2] = {1, 2}; a[0] = d[1];\n"
        "    auto g = [a](int i) { return a[i]; }; d[0] = g(1); }",
        ("capture by reference", "write a static function"),
    ),
    "unsupported-type": CodeEntry(
        "A value has a type that isn't understood: a union of flags, a bit-field, a class with a "
        "copy or a destructor of its own, an array of structures with bit-fields or unions beside "
        "others, `long double`, `__int128`, a vector that is made of neither a count nor a range.",
        "struct Flags { int r : 3; }; void f(Flags *d) { d->r = 1; }",
        (
            "use plain arrays and structures of numbers: copy the pixels out before, back after",
            "float or double for `long double`, a plain pointer for a volatile one",
        ),
    ),
    "unsupported-statement": CodeEntry(
        "A statement has a form that isn't understood, such as a range `for` over iterators of a "
        "class of their own.",
        "void f(int *d, int n) { while (int k = n--) d[k] = 0; }",
        (
            "write it with `for`, `if` and assignments: declare before the loop, count with an int",
            "loop over an index instead of a class's own iterators",
        ),
    ),
    "unsupported-expression": CodeEntry(
        "An expression has a form that isn't understood.",
        "#include <vector>\nvoid f(std::vector<int> &v) { v.push_back(1); }",
        (
            "write it with arithmetic, comparisons and `a[i]` on numbers and arrays",
            "make a vector with its length (`std::vector<int> v(n)`), and set its elements",
            "keep that part in the caller, and lift the loops as a function of their own",
        ),
    ),
    "unsequenced": CodeEntry(
        "An expression changes a variable and uses it elsewhere in the same expression, where C++ "
        "leaves the order open or has changed it between its editions.",
        "void f(int *d, int i) { d[i] = i++ + i; }",
        ("split it into statements in the order that you mean: `d[i] = s[i]; i++;`",),
    ),
    "pointer-base": CodeEntry(
        "It isn't known which array a pointer leads into: branches leave it in one of two, a loop "
        "changes it to another one, or it is compared with one into another array.",
        "void f(int *a, int *b, int n) { int *p = a; if (n > 0) p = b; p[0] = 1; }",
        ("use one pointer variable for each array", "branch around the loops, not around pointers"),
    ),
    "pointer-cast": CodeEntry(
        "Memory is seen as another type where that is no view of the same bytes as integers: "
        "floats as integers, or local arrays, variables and structures at another width.",
        "void f(float *d) { *(int *)d = 0; }",
        ("access the array at its own element type", "convert by shifts and masks"),
    ),
    "byte-count": CodeEntry(
        "A number of bytes isn't, by its form, a multiple of the element's size; or `memset` sets "
        "wide elements to something that isn't the same byte repeated.",
        "#include <cstring>\nvoid f(int *d, int n) { memset(d, 0, n); }",
        ("write the count as `count * sizeof(T)`", "use std::fill"),
    ),
    "global-state": CodeEntry(
        "The function uses a global variable that isn't a constant.",
        "int gain; void f(int *d) { d[0] = gain; }",
        (
            "pass it as a parameter, and let the caller name the global",
            "make it `const` with a constant value, if it never changes",
        ),
    ),
    "static-state": CodeEntry(
        "A local `static` variable keeps its value from call to call.",
        "void f(int *d) { static int calls = 0; d[0] = ++calls; }",
        ("pass the state as a parameter", "make it `const`"),
    ),
    "constant-write": CodeEntry(
        "The function writes to a constant table, which C++ leaves undefined.",
        "static const int T[2] = {1, 2};\n"
        "void f(int *d) { int *t = const_cast<int *>(T); t[0] = d[0]; }",
        ("write to a copy",),
    ),
    "input-output": CodeEntry(
        "The function reads or writes files or prints.",
        '#include <cstdio>\nvoid f(int *d) { d[0] = 1; printf("done"); }',
        ("print in the caller, or delete the line: lifted code computes arrays and nothing else",),
    ),
}
