"""`lift report`: a run as one page of HTML. The door of the room."""

from .collect import Collection, PageEntry, collect
from .page import page

__all__ = ["Collection", "PageEntry", "collect", "page"]
