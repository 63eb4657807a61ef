"""What a program holds, and what it asks of the compiler.

`Func`, `Stage`, `Pipeline`, `Generator`, `Target`, and how they are scheduled, lowered, compiled
and run: the room on top. The rooms that do this are imported inside of the functions that ask them
first, so that `import compiler` stays light; none of them knows of this one.
"""

from . import boundary_conditions as BoundaryConditions
from . import devices as devices
from .autoscheduling import AutoschedulerParams, AutoSchedulerResults, load_plugin
from .callable import Callable
from .evaluate import evaluate, evaluate_may_gpu
from .files import compile_standalone_runtime
from .func import Func, Stage, funcs, lambda_func
from .generator import (
    ArgInfo,
    Generator,
    GeneratorContext,
    active_generator_context,
    alias,
    create_callable_from_generator,
    generator,
)
from .generator_io import GeneratorParam, InputBuffer, InputScalar, OutputBuffer, OutputScalar
from .generator_main import main
from .image_param import ImageParam
from .module import Module, link_modules
from .pipeline import Pipeline
from .target import (
    Target,
    get_host_target,
    get_jit_target_from_environment,
    get_target_from_environment,
)
from .target_features import TargetArch, TargetFeature, TargetOS, TargetProcessorTune

__all__ = [
    "ArgInfo",
    "AutoschedulerParams",
    "AutoSchedulerResults",
    "BoundaryConditions",
    "Callable",
    "Func",
    "Generator",
    "GeneratorContext",
    "GeneratorParam",
    "ImageParam",
    "InputBuffer",
    "InputScalar",
    "Module",
    "OutputBuffer",
    "OutputScalar",
    "Pipeline",
    "Stage",
    "Target",
    "TargetArch",
    "TargetFeature",
    "TargetOS",
    "TargetProcessorTune",
    "active_generator_context",
    "alias",
    "compile_standalone_runtime",
    "create_callable_from_generator",
    "evaluate",
    "evaluate_may_gpu",
    "funcs",
    "generator",
    "get_host_target",
    "get_jit_target_from_environment",
    "get_target_from_environment",
    "lambda_func",
    "link_modules",
    "load_plugin",
    "main",
]
