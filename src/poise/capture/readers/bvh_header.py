"""The header of a BVH file, line by line: HIERARCHY with its joints, then MOTION with its rate."""

from __future__ import annotations

from poise.capture.readers.bvh_text import CHANNELS, QUOTED, Header, lines, number, wrong
from poise.gate import MOST_DEPTH, MOST_JOINTS

LEAST_TIME, MOST_TIME = 1e-5, 1e3  # s between frames
END = -2  # on the stack: inside an end site
KNOWN = {name.lower() for name in CHANNELS}


def header(data: bytes, encoding: str) -> Header:
    """Everything up to the first frame."""
    parser = Parser()
    at = 1
    for at, after, raw in lines(data):
        if parser.line(at, raw.decode(encoding, errors="replace")):
            parser.head.body, parser.head.body_line = after, at + 1
            return parser.head
    raise wrong(at, parser.missing())


class Parser:
    """Fed with lines until the line before the first frame; keywords in any case, braces on any line."""

    def __init__(self) -> None:
        self.head = Header()
        self.known: set[str] = set()
        self.stack: list[int] = []
        self.offset_seen: list[bool] = []  # one per open brace
        self.named: tuple[int, int] | None = None  # a joint (or END), its line; its brace has not come yet
        self.motion = False
        self.timed = False

    def line(self, at: int, text: str) -> bool:
        """Take one line; true when the frames begin after it."""
        if self.motion:
            return self._motion(at, text)
        words = text.replace("{", " { ").replace("}", " } ").split()
        while words:
            words = self._word(at, words.pop(0), words)
        return False

    def missing(self) -> str:
        """What the file still lacks when it ends."""
        if self.motion:
            return "the file ends before 'Frame Time:'"
        if not self.head.labels:
            return "the file ends before 'ROOT': not a BVH file"
        return "the file ends before 'MOTION'" + (" and before all braces are closed" if self.stack else "")

    def _word(self, at: int, word: str, rest: list[str]) -> list[str]:
        key = word.lower()
        if self.named is not None and key != "{":
            raise wrong(self.named[1], f"expected '{{' after the name, found {word[:QUOTED]!r}")
        match key:
            case "hierarchy" if not self.head.labels:
                return rest
            case "root" | "joint":
                return self._joint(at, key, rest)
            case "end" if self.stack and self.stack[-1] != END:
                self.named = (END, at)
                return rest[rest.index("{") :] if "{" in rest else []
            case "{" if self.named is not None:
                self.stack.append(self.named[0])
                self.offset_seen.append(False)
                self.named = None
                return rest
            case "}" if self.stack:
                return self._close(at, rest)
            case "offset" if self.stack:
                return self._offset(at, rest)
            case "channels" if self.stack and self.stack[-1] != END:
                return self._channels(at, rest)
            case "motion" if not self.stack and self.head.labels and not rest:
                if not any(self.head.channels):
                    raise wrong(at, "no joint has a channel")
                self.motion = True
                return rest
        raise wrong(at, self._unexpected(word))

    def _unexpected(self, word: str) -> str:
        if word.lower() == "motion" and self.stack:
            return f"'MOTION' while {len(self.stack)} braces are open"
        if not self.head.labels:
            return f"expected 'HIERARCHY' or 'ROOT', found {word[:QUOTED]!r}: not a BVH file"
        return f"{word[:QUOTED]!r} is not expected here"

    def _joint(self, at: int, key: str, rest: list[str]) -> list[str]:
        head = self.head
        if key == "root" and head.labels:
            both = f"'{head.labels[0][:QUOTED]}' and '{' '.join(rest)[:QUOTED]}'"
            raise wrong(at, f"a second ROOT, {both}; a file with several skeletons must be split")
        if (key == "joint") != bool(self.stack) or (self.stack and self.stack[-1] == END):
            raise wrong(at, f"{key.upper()} is not expected here")
        size = rest.index("{") if "{" in rest else len(rest)
        label = " ".join(rest[:size])
        if not label or "}" in label:
            raise wrong(at, f"{key.upper()} without a name")
        if label in self.known:
            head.notes.append(f"line {at}: a second joint named '{label[:QUOTED]}'")
        self.known.add(label)
        if len(head.labels) >= MOST_JOINTS or len(self.stack) >= MOST_DEPTH:
            raise wrong(at, f"more than {MOST_JOINTS} joints, or more than {MOST_DEPTH} in one chain")
        self.named = (len(head.labels), at)
        head.labels.append(label)
        head.parents.append(self.stack[-1] if self.stack else -1)
        head.offsets.append([0.0, 0.0, 0.0])
        head.channels.append(())
        return rest[size:]

    def _offset(self, at: int, rest: list[str]) -> list[str]:
        if len(rest) < 3:
            raise wrong(at, f"OFFSET with {len(rest)} numbers; it needs 3")
        if self.offset_seen[-1]:
            raise wrong(at, "a second OFFSET")
        self.offset_seen[-1] = True
        vector = [number(word, at) for word in rest[:3]]
        if self.stack[-1] == END:
            self.head.ends.append(vector)
            self.head.end_parents.append(self.stack[-2])
        else:
            self.head.offsets[self.stack[-1]] = vector
        return rest[3:]

    def _channels(self, at: int, rest: list[str]) -> list[str]:
        count = number(rest[0], at) if rest else -1
        if count != int(count) or not 0 <= count <= min(len(rest) - 1, len(CHANNELS)):
            given = " ".join(rest)[:QUOTED]
            raise wrong(at, f"CHANNELS {given!r}; give their number (0 to 6), then as many names")
        names = tuple(rest[1 : 1 + int(count)])
        for name in names:
            if name.lower() not in KNOWN:
                raise wrong(at, f"channel {name[:QUOTED]!r} not known; channels: {', '.join(CHANNELS)}")
        if len({name.lower() for name in names}) != len(names):
            raise wrong(at, f"a channel twice in {' '.join(names)}")
        if self.head.channels[self.stack[-1]]:
            raise wrong(at, "a second CHANNELS")
        self.head.channels[self.stack[-1]] = names
        return rest[1 + int(count) :]

    def _close(self, at: int, rest: list[str]) -> list[str]:
        if not self.offset_seen.pop():
            raise wrong(at, "a joint or end site without OFFSET")
        self.stack.pop()
        return rest

    def _motion(self, at: int, text: str) -> bool:
        """`Frames: N` and `Frame Time: S`, in either order; the second line ends the header."""
        words = text.replace(":", " : ").split()
        key = [word.lower() for word in words]
        if not words:
            return False
        if key[0] == "frames" and len(words) == 2 + (":" in key):
            self.head.said_frames = number(words[-1], at)
            return False
        if key[:2] == ["frame", "time"] and len(words) == 3 + (":" in key):
            self.head.frame_time = number(words[-1], at)
            if not LEAST_TIME <= self.head.frame_time <= MOST_TIME:
                given = words[-1][:QUOTED]
                raise wrong(at, f"Frame Time {given}; it must be {LEAST_TIME:g} to {MOST_TIME:g} s")
            return True
        raise wrong(at, f"expected 'Frames: N' or 'Frame Time: S', found {text.strip()[:QUOTED]!r}")
