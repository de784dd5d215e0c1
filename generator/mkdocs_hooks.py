"""mkdocs' side of the seam: a plain `mkdocs build` builds every locale, the default one first."""

import os
from pathlib import Path
from typing import Any, Literal

from generator.pages.catalogues import SOURCE, catalogue_folders
from generator.pages.prose import is_current
from generator.pages.words import words_of
from generator.store.project import Project
from generator.store.site import locales
from generator.workflow.build import CHILD, Seam, build_others, epoch, write_sitemap

_command = "build"


def on_startup(command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:  # noqa: FBT001  mkdocs' signature
    """Remember what mkdocs was asked to do: `serve` shows the default locale only."""
    del dirty
    global _command  # noqa: PLW0603  mkdocs hands a hook no place of its own
    _command = command


def on_config(config: Any) -> None:  # noqa: ANN401  mkdocs' own type changes between its forks
    """Stamp pages with the newest row's moment instead of today's, so that bytes repeat."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", epoch(_project(config)))


def on_env(env: Any, config: Any, files: object) -> None:  # noqa: ANN401
    """Give the theme the words of the locale, and what it must know of translations."""
    del files
    project = _project(config)
    words = words_of(os.environ.get(CHILD, SOURCE), catalogue_folders(project.root))

    def translation_is_behind(page: Any) -> bool:  # noqa: ANN401
        source = project.docs / SOURCE / page.file.src_uri
        if not source.is_file():
            return False
        translated = Path(page.file.abs_src_path).read_text("utf-8")
        return not is_current(source.read_text("utf-8"), translated)

    env.globals |= {"say": words.say, "translation_is_behind": translation_is_behind}


def on_post_build(config: Any) -> None:  # noqa: ANN401
    """When the default locale is done, build the others, then the sitemap of them all."""
    if _command == "serve" or CHILD in os.environ:
        return
    project = _project(config)
    seam = Seam(
        engine=type(config).__module__.split(".")[0],
        folder=Path(config["site_dir"]),
        site_url=config["site_url"] or "",
        strict=bool(config["strict"]),
    )
    faults = build_others(project, seam)
    if faults:
        raise SystemExit("\n".join(faults))
    write_sitemap(seam.folder, seam.site_url, [locale.code for locale in locales(project)])


def _project(config: Any) -> Project:  # noqa: ANN401
    return Project(Path(config["config_file_path"]).resolve().parent)
