"""The story of a function: how far it came, what stands in the way, what to do; why it is believed.

`investigate` looks at a failed function anew in child processes, each with a limit of its own; what
it finds only explains: nothing here changes what is proved.
"""

from .investigate import Findings, investigate
from .question import Question
from .tell import tell
from .words import OBLIGATIONS, steps

__all__ = ["OBLIGATIONS", "Findings", "Question", "investigate", "steps", "tell"]
