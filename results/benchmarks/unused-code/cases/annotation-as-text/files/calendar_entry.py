import dataclasses
import datetime
import uuid
from typing import Optional


@dataclasses.dataclass
class Entry:
    title: str
    day: "Optional[datetime.date]" = None


def moved(entry: Entry, day: "datetime.date") -> "Entry":
    return dataclasses.replace(entry, day=day)
