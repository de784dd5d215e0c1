"""Every failure that a person can meet: what happened, what to do about it, an exit code.

Refusals and findings are values and are reported together; what stands here stops a command.
Each class that stands for itself has an exit code of its own, so that a script can tell them apart.
They are listed in the command reference.
"""


class AssayError(Exception):
    """A fault that a person has to mend; a bug keeps its traceback instead."""

    code = 2
    """Exit status of the command."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        """What happened: the file, the place, what was found, what was expected."""
        self.remedy = remedy
        """What to do next, as a whole sentence."""


class UsageError(AssayError):
    """The words of the command don't fit, or it was called in the wrong place."""


class BundleError(AssayError):
    """A run bundle can't be read as it stands."""

    code = 3


class CorpusError(AssayError):
    """A benchmark's own files are at fault."""

    code = 4


class RegistryError(AssayError):
    """A row, a claim or evidence in the registry can't be read as it stands."""

    code = 5


class ClaimError(RegistryError):
    """What can't be read there is a claim, or what a page shows of one."""


class RepositoryError(AssayError):
    """Git gave no answer that can be relied on."""

    code = 6


class StorageError(AssayError):
    """The disk refused: full, read-only, or not ours to write."""

    code = 7


class SiteError(AssayError):
    """The site could not be built."""

    code = 8
