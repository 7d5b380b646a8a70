"""A search as it is looked on: on a terminal a line that moves, elsewhere a line for each trial."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from polyopt.tools.tune.story import Story, Tried, reason_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

REASONS = 8
"""So many are told when the search is over."""


class Display:
    """Of the story on the console."""

    def __init__(self, console: Console, story: Story):
        self.console, self.story = console, story

    @contextmanager
    def moving(self) -> Generator[None]:
        """While the search runs; what is not a terminal shows nothing that moves."""
        if not self.console.is_terminal:
            yield
            return
        from rich.live import Live

        get = self.__rich__
        with Live(get_renderable=get, console=self.console, refresh_per_second=2, transient=True):
            yield

    def __rich__(self) -> Text:
        from rich.text import Text

        story = self.story
        trying = f"\n  {story.trying}" if story.trying else ""
        return Text(f"{story.state}{trying}", overflow="ellipsis", no_wrap=True)

    def tell(self, tried: Tried) -> None:
        """A trial is over."""
        self.console.print(self.story.line(tried))

    def tell_ruled_out(self) -> None:
        reasons = self.story.reasons()
        for why, steps in reasons[:REASONS]:
            self.console.print(reason_text(why, steps))
        if len(reasons) > REASONS:
            self.console.print(f"and for {len(reasons) - REASONS} other reasons")
