"""Everything that is wrong with a corpus at once, prompts that give their own answer included."""

from collections.abc import Iterator, Mapping

from generator.families.family import CorpusFault
from generator.families.steps.catalogue import Catalogue
from generator.families.steps.corpus import Case, read_all
from generator.families.steps.leaks import leaks, words_in
from generator.records.benchmark import Benchmark


def audit(files: Mapping[str, bytes], benchmark: Benchmark) -> tuple[CorpusFault, ...]:
    """All faults, in the order of the files; cases that can't be read are not looked at further."""
    corpus, found = read_all(files, benchmark)
    if corpus is not None:
        for case in corpus.by_name.values():
            told = _of_the_prompt(corpus.catalogue, case)
            found += (CorpusFault(case.file, what, remedy) for what, remedy in told)
    return tuple(sorted(found, key=lambda fault: fault.file))


def _of_the_prompt(catalogue: Catalogue, case: Case) -> Iterator[tuple[str, str]]:
    """Leaks without an exception, and exceptions without a leak."""
    excepted = {"".join(words_in(each.words)): each.words for each in case.exceptions}
    needed: set[str] = set()
    for leak in leaks(catalogue, case):
        needed.add(leak.key)
        if leak.key not in excepted:
            yield (
                f"the prompt says {leak.words!r}, which is {leak.what}",
                "Ask for it in other words; or add an exception with its reason.",
            )
    for key, words in excepted.items():
        if key not in needed:
            yield (
                f"the exception for {words!r} is not needed: the prompt leaks no such words",
                "Leave it out, so that it does not hide a leak later.",
            )
