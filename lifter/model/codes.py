"""The codes of everything but the parser: what each means, an example, and the ways out.

Together with `parse_codes` this is the closed list of codes. `lift explain CODE` prints an entry;
docs/failures.md is written from all of them (`python -m lifter.report.failures_page`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """One entry of the closed list of diagnostics."""

    name: str
    meaning: str
    """A few sentences for a person who has never seen the code."""
    example: str
    """C++ (or a command line) that gives it."""
    ways_out: tuple[str, ...]
    room: str = "lifter"
    """The room that reports it."""


CODES: tuple[Code, ...] = (
    Code(
        "few-calls",
        "The function is proved only under preconditions that some ordinary calls don't meet, and "
        "that the source doesn't state: an image of another width, a stride, rows that lie apart, "
        "a mode, no object where the source tests for one. Or its guard would refuse them: an "
        "index that is looked up and that nothing bounds may lead anywhere, also to what is "
        "written. The message names calls left out; "
        "`lifter/verify/ordinary_calls.py` has the list of all that are asked for. The function is "
        "unproved, since its lifted code would run for few calls or for none.",
        "void f(int **d, int w, int h) {\n"
        "    for (int y = 0; y < h; y++)\n"
        "        for (int x = 0; x < w; x++) d[y][x] = ~d[y][x];\n}",
        ("state what the function's callers keep: `assert(n > 0);`, `// lift: assume(w % 2 == 0)`, "
         "`--assume 'the rows of p are evenly spaced'`",
         "treat the other case in a function of its own",
         "bound an index that is looked up: `0 <= j && j < size ? t[j] : 0`, a clamp, "
         "`uint16_t` elements"),
        "verify",
    ),
    Code(
        "file-missing",
        "A path on the command line names nothing that can be read. Everything else in the run is "
        "still lifted; the exit status is 2.",
        "lift src/blned.cpp",
        ("check the spelling; paths count from the current folder",),
        "driver",
    ),
    Code(
        "no-sources",
        "A folder was given, but neither it nor a folder below it has a file whose name ends like "
        "a C or C++ source.",
        "lift docs/",
        ("name the folder of the sources", "name a file itself, whatever its ending"),
        "driver",
    ),
    Code(
        "compile-database",
        "Something in the `compile_commands.json` that `-p` names can't be used: it isn't JSON at "
        "this place, an entry lacks a field or has another type there, or its source or a response "
        "file isn't on the disk. The other entries are lifted; the exit status is 2.",
        'lift -p build/    # where an entry is {"file": 7}',
        ("write the file again with the build tool (CMake: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)",
         "build the project once, where the missing file is one that the build makes"),
        "driver",
    ),
    Code(
        "unknown-flag",
        "A flag of the user's compiler is one that libclang doesn't know, so it was left out when "
        "the sources were read. Most such flags tune the compiler's output; one that changes what "
        "a source means has to be given in libclang's terms.",
        "lift -p build/    # of a project that is built with gcc -fconserve-stack",
        ("nothing has to be done for flags that don't change what the source means",
         "pass what libclang knows instead: lift -p build/ -- FLAG"),
        "driver",
    ),
    Code(
        "file-name",
        "A source file's name isn't UTF-8, or has control characters such as a line's end: it "
        "could not be shown or written down without harm. The other files are lifted.",
        "lift src/    # with a file whose name has a line end in it",
        ("rename the file",),
        "driver",
    ),
    Code(
        "output-folder",
        "The results can't be written where `-o` says (default `lifted/`). Nothing was lifted.",
        "lift blend.cpp -o /proc/lifted",
        ("name a folder that you may write with -o DIR",),
        "driver",
    ),
    Code(
        "disk-full",
        "A result couldn't be written because the disk is full. What was finished before is kept. "
        "The run ends with exit status 2, and the next one goes on from there.",
        "lift src/ -o /mnt/full",
        ("make room on the disk and run the same command again",
         "name a folder on another disk with -o DIR"),
        "driver",
    ),
    Code(
        "cache-set-aside",
        "The file of earlier results below the output folder was written by another version of "
        "lift, or sqlite finds it malformed. It was renamed and a new one made; what could still "
        "be read of a malformed one was taken over. The run goes on.",
        "lift src/    # after a power cut on a disk that lies, or with a newer lift",
        ("nothing has to be done: what isn't found again is lifted again",
         "remove the file that was set aside once nobody wants it"),
        "store",
    ),
    Code(
        "cache-unusable",
        "Results can't be remembered from one run to the next, or those of earlier runs can't be "
        "read: the message says why. A run lifts and writes its files all the same.",
        "lift src/ -o /nfs/without/locks",
        ("name a folder on a file system where programs can lock files, with -o DIR",
         "run `lift` again where another command couldn't read the results"),
        "store",
    ),
    Code(
        "source-changed",
        "A source file was written to after it had been read and before its functions were done. "
        "The results are right for the text that was read, and not for the file as it is now.",
        "lift src/    # while an editor saves src/blend.cpp",
        ("run lift again: functions that mean the same come from the cache",),
        "driver",
    ),
    Code(
        "configuration",
        "The project's `lift.toml`, or `[tool.lift]` of its `pyproject.toml`, can't be read, has a "
        "key that no option has, or a value that its option doesn't take. Nothing was done, since "
        "it would have been done with other settings than the project's.",
        "timeout = \"long\"    # in lift.toml",
        ("correct the key that is shown; `lift --show-config` lists what is in force",
         "LIFT_CONFIG=FILE names another file, LIFT_CONFIG= none"),
        "driver",
    ),
    Code(
        "baseline",
        "The file of `--baseline` can't be read, or has a line that isn't a status, a code, a file "
        "and a function. Nothing was lifted, since what is accepted wasn't known.",
        "lift src/ --baseline lift.baseline    # with a merge conflict in it",
        ("correct the line that is shown",
         "write the file anew with `lift src/ --write baseline=lift.baseline`"),
        "driver",
    ),
    Code(
        "unknown-function",
        "`--function` or `lift explain FILE:FUNC` names a function that isn't in the files. The "
        "message suggests names that are close.",
        "lift blend.cpp --function MultplyBlend8",
        ("take one of the suggested names; `lift FILE` lists all of them",),
        "driver",
    ),
    Code(
        "unknown-code",
        "`lift explain` was asked about a code that no diagnostic has.",
        "lift explain time-out",
        ("take one of the suggested codes, or look at docs/failures.md",),
        "driver",
    ),
    Code(
        "grammar-syntax",
        "A rule in a `--grammar` file can't be read, or uses a word that nothing defines. Nothing "
        "was lifted, since every search would miss what the grammar was meant to add.",
        "lift blend.cpp --grammar typo.grammar",
        ("correct the rule at the place that is shown; the shipped grammars in "
         "lifter/synth/grammars are the pattern",),
        "synth",
    ),
    Code(
        "outside-grammar",
        "The search only builds formulas from the forms that its grammar lists. What the "
        "analysis of this function found has a form that no rule gives, so it is no candidate; "
        "the message shows the part.",
        "dst[x] = noise[HashFunction(y, x)];   // calls in indices aren't in the default grammar",
        ("add the form that the message shows to the rule that it names, with --grammar FILE; "
         "examples/dissolve.grammar is such a file",),
        "synth",
    ),
    Code(
        "not-available",
        "The command line was understood, but this part of lift isn't there yet.",
        "lift src/ --format sarif",
        ("`lift --help` lists what there is",),
        "driver",
    ),
    Code(
        "nothing-to-build",
        "`lift build` or `lift bench` was pointed at a folder without lifted functions.",
        "lift build src/",
        ("run `lift PATH -o DIR` first, then name that DIR",),
        "driver",
    ),
    Code(
        "nothing-to-report",
        "`lift report` was pointed at a folder that no run has written its results to: it has "
        "neither the store of a run nor a `summary.json`.",
        "lift report src/",
        ("run `lift PATH -o DIR` first, then name that DIR",),
        "driver",
    ),
    Code(
        "missing-tool",
        "A program, a package or a GPU that this step needs isn't on the machine. Lifting itself "
        "needs no compiler; linking a shared library and timing the original do.",
        "lift bench lifted    # on a machine without g++ or clang++",
        ("install what the message names", "`lift doctor` says what each tool is needed for"),
        "driver",
    ),
    Code(
        "cluster-unreachable",
        "No Dask scheduler answers at the address of `--cluster`, it has no workers, or it went "
        "away while functions were being lifted. What was finished is kept; the exit status is 2.",
        "lift src/ --cluster tcp://10.0.0.1:8786   # with no scheduler there",
        ("start one with `dask scheduler`, and workers with `dask worker ADDRESS`",
         "run the same command again when it is back: it goes on from there",
         "leave --cluster out, and lift on this machine"),
        "cluster",
    ),
    Code(
        "cluster-version",
        "A worker of the cluster has no lift, another one, or another Python, libclang or Z3 than "
        "here. It gets no work, since its results would not be this program's. A warning while "
        "other workers fit; an error when none does, and then nothing was lifted.",
        "lift src/ --cluster tcp://10.0.0.1:8786   # whose workers were not upgraded",
        ("install the version that runs here on the workers, and start them again",),
        "cluster",
    ),
    Code(
        "worker-lost",
        "Three workers of the cluster were lost while they had this function, the last one while "
        "it had no other. The function counts as failed; nothing about it is kept, so the next run "
        "tries again.",
        "lift src/ --cluster tcp://10.0.0.1:8786   # with workers that run out of memory",
        ("lift it without --cluster, to see what it does",
         "limit what a function may take with --memory and --timeout",
         "look into the worker's log: a machine may have gone for another reason"),
        "cluster",
    ),
    Code(
        "timeout",
        "The function took longer than `--timeout` seconds (default 300). Its process was "
        "ended; the others went on. This says nothing about whether it can be lifted.",
        "lift slow.cpp --timeout 1",
        ("give it more time with --timeout SECONDS",
         "state what you know of the parameters with --assume, as in --assume 'cols <= "
         "rowBytes': facts shorten proofs",
         "split a long function in two"),
        "driver",
    ),
    Code(
        "memory",
        "The function took more than `--memory` megabytes (default 4096). Its process was ended; "
        "the others went on. This says nothing about whether it can be lifted.",
        "lift huge.cpp --memory 200",
        ("give it more with --memory MB, and run fewer functions at a time with -j",
         "split a long function in two"),
        "driver",
    ),
    Code(
        "internal",
        "Something in lift itself went wrong on this function: a bug, not your mistake. The "
        "function counts as failed, the others aren't touched.",
        "any source may, none should",
        ("report it with the function's source and the text of the message",),
        "driver",
    ),
    Code(
        "loop-carried",
        "A variable keeps a value from one iteration of a loop for the next one, and the value "
        "isn't one that can be said without running the iterations before. What can: counters and "
        "pointers that move by a constant, whatever a loop makes of numbers that are complete "
        "before they are used (sums, extremes and their places, checksums), and a variable that is "
        "made of itself and of what it was in iterations before, as in running sums and recursive "
        "filters. Variables that are made of each other can't be lifted yet, nor can those that "
        "say where something is read or stored.",
        "int a = 0, b = 1;\n"
        "for (int i = 0; i < n; i++) { int t = a + s[i]; a = b ^ t; b = t * 3; out[i] = a; }",
        ("compute the value from the loop's counter, where it is one: `pos = i * 3` for `pos += "
         "3`",
         "store the values in an array in a loop of their own, and keep only the other loops in "
         "the function that is lifted",
         "declare the variable inside of the loop, if it needn't live longer than an iteration"),
        "dag",
    ),
    Code(
        "loop-bound",
        "How often a loop runs must be known when the function is called: a formula over its "
        "number parameters. Here it depends on the data that the loop reads, or the counter "
        "doesn't move by a constant, or the loop may never end.",
        "while (*p != 0) p++;",
        ("give the length as a parameter, and loop as `for (int i = 0; i < n; i++)`",
         "find the end in a function of its own (which stays C++), and pass it to the one that "
         "is lifted",
         "where a counter moves by a parameter (`i += step`), write the constant that is meant"),
        "dag",
    ),
    Code(
        "no-roi",
        "The elements that a loop nest writes must form a box: a run of elements, a rectangle "
        "of an image, or some of its columns or channels. Here they form another shape, or "
        "depend on the data (`dst[index[i]]`), or two iterations may write the same element. "
        "(dexter-2019 calls the box the region of interest; finding it is step 1 of the search.)",
        "for (int y = 0; y < n; y++) for (int x = 0; x < y; x++) dst[y * n + x] = 0;",
        ("write a whole rectangle, and choose the value by a condition: `dst[y*n + x] = x < y ? "
         "a : dst[y*n + x];`",
         "turn a scatter `dst[at(i)] = src[i]` into a gather `dst[i] = src[back(i)]`, where "
         "there is one",
         "say how strides relate to sizes, as in --assume 'cols <= rowBytes', when rows may "
         "overlap",
         "write the index in terms of the loops' counters, with one constant or parameter as "
         "the step of each"),
        "synth",
    ),
    Code(
        "no-terminal",
        "An array is read at a place that can't be said in terms of the coordinates of the "
        "result: as `src(x + 1, y)` or `src(y, x)` can be. (Naming what is read is step 2 of "
        "the search.)",
        "dst[y * s + x] = src[permute(x) * s + y];   // permute is not known",
        ("write the index in terms of the loops' counters, with one constant or parameter as "
         "the step of each",
         "give an unknown function in it a meaning with --model FILE",
         "let the search use the form that the message shows: put the rule into a file and name "
         "it with --grammar FILE; examples/dissolve.grammar is such a file"),
        "synth",
    ),
    Code(
        "no-expression",
        "No formula was found that equals what the loop stores: it uses an operation that the "
        "search's grammar doesn't have, or several stores of different formulas have no place "
        "in common. (This is step 3 of the search.)",
        "a right-hand side that calls a library function without a model",
        ("split the computation into two loops with an array between them",
         "add the operator or function to the rule Expr with --grammar FILE"),
        "synth",
    ),
    Code(
        "refuted",
        "A formula was found, but original and formula differ on the small input that is shown, "
        "so it isn't what the function computes. `lift explain FILE:FUNC` shows both results as "
        "tables. Most often a loop reads elements that it has changed in an earlier iteration, or "
        "sizes are possible that nobody means.",
        "void f(uint8_t* d, const uint8_t* s, int n) { for (int i = 1; i < n; i++) d[i] = s[i] "
        "+ d[i - 1]; }",
        ("look at the counterexample: when that input can't occur, say so with --assume or an "
         "assert in the source",
         "when a loop reads what it wrote an iteration before (`d[i - 1]`), write to another array "
         "than it reads from"),
        "verify",
    ),
    Code(
        "undecided",
        "A formula was found and no input is known on which it is wrong, but at least one claim "
        "of its proof could neither be proved nor refuted in its time. The function is "
        "`unproved`, nothing is emitted for it, and the exit status is 3.",
        "a wide product compared with its rearrangement",
        ("give it more time with --timeout SECONDS",
         "state the ranges of the parameters that you know, as in --assume 'level <= 255' or "
         "--assume 'n >= 1'",
         "look for an element that is read but never set, or lies outside of its array: a "
         "warning names it"),
        "verify",
    ),
    Code(
        "out-of-bounds",
        "The original reads or writes outside of an array for some sizes that its preconditions "
        "allow. C++ gives that no meaning, so often it is a bug of the original's. Nothing is said "
        "of containers inside of objects, whose sizes are their class's affair.",
        "uint8_t t[256]; ... t[256]",
        ("correct the index or the array's size",
         "rule the sizes out that can't occur: assert(...) in the source, or --assume"),
        "verify",
    ),
    Code(
        "uninitialised",
        "The original uses a value that nothing was assigned to. C++ gives that no meaning, so "
        "often it is a bug of the original's: an `= 0` is missing.",
        "int sum; for (int i = 0; i < n; i++) sum += a[i];",
        ("give the variable or the array a value first",),
        "verify",
    ),
    Code(
        "unsupported-stage",
        "A loop nest does something that can't be said as one formula for each element, nor as "
        "a sum or histogram: it writes two arrays of which one is computed from the other, say, "
        "or returns a number that the pixels decide.",
        "a nest that writes two arrays of different shapes under different conditions",
        ("split the nest into one loop for each thing that it computes",
         "write a result through a pointer instead of returning it"),
        "synth",
    ),
    Code(
        "emit-unsupported",
        "Everything is proved, but the formulas don't make one program yet, for example because "
        "two loops fill different parts of the same array.",
        "a nest that fills the left half of an image, and another one the right half",
        ("lift one part at a time: put each loop nest into a function of its own",
         "fill the whole array in one nest, and choose the value by a condition"),
        "emit",
    ),
    Code(
        "emit-differs",
        "Everything is proved, and the program that was made of the proved formulas, run on a few "
        "small inputs before it is written, stores something else than the function does: a bug in "
        "lift. The input, the elements and both values are shown. The function counts as failed, "
        "nothing is written, and the original stays.",
        "any source may, none should",
        ("report it with the function's source and the text of the message",),
        "lift",
    ),
    Code(
        "assumed",
        "A note: the function is proved equal only under a precondition that its source doesn't "
        "state and that the proof can't do without. The emitted guarded entry tests it at run time "
        "and calls the original where it doesn't hold.",
        "void f(uint8_t *d, int rows, int cols, int pitch)   // needs cols <= pitch",
        ("state it in the source, with assert(...) or `// lift: assume(...)`",
         "call the guarded entry, not the lifted one, where it may not hold"),
        "verify",
    ),
    Code(
        "build-unsupported",
        "The function is lifted and proved, but `lift build` can't make a C entry for it yet.",
        "a summary.json of another version, of a function that returns a status",
        ("use pipeline.py itself, from Python", "lift it again, then build"),
        "build",
    ),
    Code(
        "edited",
        "`lift build`: the files of a lifted function aren't those that were proved, and they "
        "couldn't be proved of the source as it is now, or `pipeline.py` has something that `lift` "
        "never writes. The function isn't built. Nothing in the files was run.",
        "lift build lifted    # after a constant in pipeline.py was changed",
        ("take the edit back, or lift the source again",
         "put a schedule into F.schedule.py beside pipeline.py",
         "`lift verify` says whether an edited program is still equal, and shows an image where it "
         "isn't"),
        "build",
    ),
    Code(
        "schedule-file",
        "`F.schedule.py` beside a lifted program has something that is no directive, stage or "
        "loop, a directive that doesn't fit the function, or a schedule under which some calls "
        "would fail or sums of floats would be rounded otherwise. The file is read and never run. "
        "This one is fine: `dst.split(y, yo, yi, 16, hl.TailStrategy.GuardWithIf).parallel(yo)`, "
        "after `yo, yi = hl.vars('yo yi')`.",
        "dst.vectorize(x, 16)    # in F.schedule.py: images narrower than 16 would fail",
        ("correct the place that is shown",
         "give the loops that are split the tail hl.TailStrategy.GuardWithIf",
         "remove the file, or build with --schedule default, which leaves it aside"),
        "build",
    ),
    Code(
        "original-not-compiled",
        "`lift bench` could not compile the original with the machine's C++ compiler.",
        "a file whose headers only the product's own build finds",
        ("name another compiler with CXX", "the message has the compiler's own words"),
        "bench",
    ),
    Code(
        "vacuous",
        "The assumptions contradict each other, or nothing is ever stored where they hold: any "
        "claim would be true of no call at all, so a proof would say nothing.",
        "lift f.cpp --assume 'n > 4' --assume 'n < 2'",
        ("take back one of the assumptions; the message names those that clash",),
        "verify",
    ),
    Code(
        "assumption-false",
        "An assumption (an assert in the source, a comment, or --assume) is false for every "
        "call of the function, so nothing is left to prove; or it is about more than "
        "comparisons of parameters, which the guarded entry can't test.",
        "void f(uint8_t *d, uint8_t level) { assert(level > 255); d[0] = level; }",
        ("correct the assertion or the assumption that the message names",),
        "verify",
    ),
    Code(
        "not-equal",
        "`lift verify`: what is committed of a function isn't what its source computes now. A "
        "small input and both results are shown where one was found; else the message says what a "
        "proof needs beyond the committed preconditions, or which file says something else than is "
        "proved. `lift twin`: two functions leave something else on the input that is shown.",
        "lift verify lifted/    # after `(a + b + 1) / 2` became `(a + b) / 2`",
        ("if the source is right, lift it again and commit the result",
         "if the summary is right, the source has a bug: the input shows it",
         "of twins that differ where nobody calls them: say what callers keep to with --assume, or "
         "how far results may be apart with --within"),
        "checking",
    ),
    Code(
        "no-twins",
        "`lift twin`: a function that was named isn't in its file, the file can't be read, no "
        "functions are named as a rule of --twins says, or the two take other parameters, so that "
        "no call of the one could be one of the other.",
        "lift twin blend.c:blend_c blend_sse2.c:blend_row_sse2    # which takes another parameter",
        ("check the names, and the headers' folders with -I",
         "pair functions whose parameters have the same types in the same order"),
        "twins",
    ),
    Code(
        "gone",
        "`lift verify`: the function of a committed summary, or its file, isn't there any more.",
        "lift verify lifted/    # after a function was renamed",
        ("delete the function's folder, or lift the file again",
         "name the folder that the sources' paths count from with --root DIR"),
        "checking",
    ),
    Code(
        "unreadable-summary",
        "`lift verify`: a committed folder can't be read as what lift writes, or the source can't "
        "be parsed with the recorded flags, so nothing can be said. The exit status is 2.",
        "a summary.json with a merge conflict in it",
        ("lift the function again", "pass the flags with -p, -I, -D or --std"),
        "checking",
    ),
    Code(
        "no-summary",
        "`lift verify`: a kernel of a verified source has no summary. That is told, and fails the "
        "run with --new-is-error alone.",
        "a function that was added after the last `lift`",
        ("lift its file again, and commit what is new",),
        "checking",
    ),
    Code(
        "certificate",
        "`lift verify --recheck`: a stored certificate was edited, is missing, belongs to "
        "something else, or the solver doesn't find it proved.",
        "lift verify lifted/ --recheck --solver cvc5    # after a file in proof/ was edited",
        ("lift the function again: its certificates are written anew",
         "report it, if a solver refutes an obligation of an unedited folder"),
        "checking",
    ),
)  # fmt: skip


def all_codes() -> dict[str, Code]:
    """Every code that a diagnostic can have, the parser's included, by name."""
    from .parse_codes import CODES as PARSE_CODES

    parse = (
        Code(name, entry.meaning, entry.example, tuple(entry.ways_out), "parse")
        for name, entry in PARSE_CODES.items()
    )
    return {code.name: code for code in (*parse, *CODES)}
