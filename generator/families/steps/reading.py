"""Reading a file of the corpus strictly: what is wrong is told with its place."""

import json
from typing import TypeVar

import msgspec

from generator.families.family import CorpusFault
from generator.records.base import strict_json

Shape = TypeVar("Shape", bound=msgspec.Struct)

REMEDY = "Mend the file; the guide on writing a benchmark of the family steps shows its form."


def read_file(path: str, content: bytes, shape: type[Shape]) -> Shape:
    """A file as that shape; raises CorpusFault."""
    try:
        plain = strict_json(content.decode())
        json.dumps(plain, ensure_ascii=False).encode()  # no half surrogate pairs
        return msgspec.convert(plain, shape)
    except (ValueError, RecursionError) as fault:
        raise CorpusFault(path, str(fault), REMEDY) from fault
