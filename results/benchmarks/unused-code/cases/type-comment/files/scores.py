import string
from typing import Dict, List


def best(scores):
    # type: (Dict[str, int]) -> str
    ranked = sorted(scores, key=scores.get)  # type: List[str]
    return ranked[-1]
