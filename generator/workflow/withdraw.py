"""`withdraw`: take a published row back; its file and its page stay and say why."""

from datetime import UTC, datetime
from pathlib import Path

from generator.errors import UsageError
from generator.records.base import fault_in
from generator.records.row import Withdrawal
from generator.store.atomic import locked
from generator.store.project import Project
from generator.store.registry import read_registry, write_withdrawal


def withdraw(project: Project, row: str, *, why: str, by: str, now: datetime | None = None) -> Path:
    """Write who took the row back, when and why, beside its file; raises UsageError."""
    with locked(project.results):
        registry = read_registry(project)
        if row not in registry.rows:
            near = [known for known in sorted(registry.rows) if known.startswith(row)]
            raise UsageError(
                f"There is no row {row!r} in the registry.",
                f"Name it in full: {', '.join(near or sorted(registry.rows)) or 'there is none'}.",
            )
        if row in registry.withdrawals:
            earlier = registry.withdrawals[row]
            raise UsageError(
                f"The row {row} was withdrawn by {earlier.by} on {earlier.withdrawn}.",
                "There is nothing left to take back.",
            )
        try:
            withdrawal = Withdrawal(
                format="assay.withdrawal/1",
                row=row,
                withdrawn=f"{now or datetime.now(UTC):%Y-%m-%dT%H:%M:%S}Z",
                by=by,
                why=why,
            )
        except ValueError as fault:
            raise UsageError(
                f"This is no withdrawal: {fault_in(b'', fault)}.",
                "Say who takes the row back and why, in 1 to 300 characters each.",
            ) from fault
        return write_withdrawal(project, registry.rows[row], withdrawal)
