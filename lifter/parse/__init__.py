"""The front end: C++ source to typed kernels (docs/design.md, "Kernel IR").

`parse_file` reads a file, `make_kernel` (in `functions`) translates one function: its parameters
(`parameters`), then its statements (`dispatch.run`). What is known and emitted so far is a
`Translation`; everything else are functions over it. Each module is about one construct of C++ and
registers its functions in the tables of `dispatch`, by the kind of cursor and by what is wanted of
it: a value, a place, where it points, an object, its effects alone. So `a[i].b += f(x)`, a
statement, is found in `assignments` (`do_compound`), which asks for the value of the right side,
found in `calls` (`called_value`), and for the place of the left one: that of a member is found in
`names` (`member_place`), which asks for the object `a[i]`, found in `elements`
(`subscripted_object`). `forms` lists all such modules; nothing else imports them for their forms.
"""

from . import forms
from .assumption import parse_assumption
from .chosen_lines import ReadFile, Segment, chosen_lines
from .function_names import LinkerNames, function_names, linker_names
from .kernel_text import body_to_text, kernel_to_text
from .parse_file import parse_file
from .target import knows_flag

__all__ = [ "LinkerNames", "ReadFile", "Segment", "body_to_text", "chosen_lines", "function_names",
    "kernel_to_text", "knows_flag", "linker_names", "parse_assumption", "parse_file",
]  # fmt: skip
