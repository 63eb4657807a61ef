"""Pictures, as SVG text that needs nothing else: what a schedule looks like, how predictions hold.

results = pipeline.apply_autoscheduler(target, params)
decision = results.decision
text = visualize.schedule_picture(decision.grouping, decision.machine)
"""

from .layers import BoxLayout, Size, laid_out
from .plot import candidates_plot
from .schedule import schedule_picture

__all__ = ["BoxLayout", "Size", "candidates_plot", "laid_out", "schedule_picture"]
