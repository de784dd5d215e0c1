from collections import defaultdict


def counted(words, expected):
    """How often each word occurs; expected words are listed even when they don't."""
    counts = defaultdict(int)
    for word in words:
        counts[word] += 1
    for word in expected:
        known = counts[word]
    return dict(counts)
