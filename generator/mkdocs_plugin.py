"""mkdocs' side of the seam: the plugin `assay`, with which `mkdocs build` builds every locale.

It brings the theme and all that the generated pages need of mkdocs, so that the settings of a site
say only what is its own. What they do say stands.
"""

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.config.base import LegacyConfig
from mkdocs.config.config_options import ExtraScriptValue, PathSpec
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.utils.yaml import yaml_load

from generator.errors import AssayError
from generator.pages.catalogues import SOURCE, catalogue_folders
from generator.pages.prose import is_current
from generator.pages.words import words_of
from generator.store.project import Project
from generator.store.site import SETTINGS, locales
from generator.workflow.build import CHILD, Seam, build_others, epoch, write_sitemap

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

THEME = Path(__file__).with_name("pages") / "theme"
BASE = "material"

_LOOKS: Mapping[str, Any] = {
    "font": False,
    "icon": {"logo": "material/scale-balance"},
    "features": ["navigation.prune", "navigation.top", "search.highlight", "toc.follow"],
    "palette": [
        {
            "media": f"(prefers-color-scheme: {scheme})",
            "scheme": name,
            "primary": "custom",
            "accent": "custom",
            "toggle": {"icon": f"material/{icon}", "name": sign},
        }
        for scheme, name, icon, sign in (
            ("light", "default", "weather-night", "☾"),
            ("dark", "slate", "weather-sunny", "☀"),
        )
    ],
}
EXTENSIONS: Mapping[str, dict[str, Any]] = {
    "pymdownx.highlight": {},
    "pymdownx.superfences": {},
    "toc": {"permalink": True},
}
"""Extensions of Markdown with their options, beside those that mkdocs adds by itself."""

_STYLE = "assets/assay.css"
_SCRIPT = "assets/assay.js"

# Leaf pages are listed on the page above them: the cost of navigation grows with its square.
_NOT_IN_NAV = "/benchmarks/*.md\n/metrics/*/\n/results/\n"


class AssayPlugin(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]  # mkdocs'
    """What `plugins: [assay]` in mkdocs.yml stands for; it has no options."""

    def __init__(self) -> None:
        self._serving = False

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Remember what mkdocs was asked to do: `serve` shows the default locale only."""
        del dirty
        self._serving = command == "serve"

    @event_priority(100)  # the plugin `search` asks for the language
    def on_config(self, config: "MkDocsConfig") -> None:
        """Point mkdocs at the pages of one locale, and give it what the settings leave out."""
        if config.theme.name != BASE:
            raise SystemExit(
                f"The plugin assay builds on the theme {BASE}, the settings name "
                f"{config.theme.name}.\nSay in {SETTINGS}: theme: {{name: {BASE}}}"
            )
        try:
            _speak(config)
        except AssayError as fault:
            raise SystemExit(f"{fault.what}\n{fault.remedy}") from fault
        _look(config)

    def on_env(self, env: "Environment", *, config: "MkDocsConfig", files: "Files") -> None:
        """Give the theme the words of the locale, and what it must know of translations."""
        del files
        project = _project(config)
        words = words_of(_locale(project), catalogue_folders(project.root))

        def translation_is_behind(page: "Page") -> bool:
            source = project.docs / SOURCE / page.file.src_uri
            if not source.is_file():
                return False
            return not is_current(source.read_text("utf-8"), page.file.content_string)

        env.globals |= {"say": words.say, "translation_is_behind": translation_is_behind}

    def on_post_build(self, *, config: "MkDocsConfig") -> None:
        """When the default locale is done, build the others, then the sitemap of them all."""
        if self._serving or CHILD in os.environ:
            return
        project = _project(config)
        seam = Seam(
            engine=type(config).__module__.split(".")[0],
            folder=Path(config.site_dir),
            strict=config.strict,
        )
        faults = build_others(project, seam)
        if faults:
            raise SystemExit("\n".join(faults))
        spoken = [locale.code for locale in locales(project)]
        write_sitemap(seam.folder, config.site_url or "", spoken)


def _speak(config: "MkDocsConfig") -> None:
    """One locale: its folder of pages, its language and its address."""
    project = _project(config)
    spoken = [locale.code for locale in locales(project)]
    code = _locale(project)
    config.docs_dir = str(project.docs / code)
    config.theme["language"] = code.split("-", maxsplit=1)[0]
    if config.site_url and code != spoken[0]:
        config.site_url = f"{config.site_url.rstrip('/')}/{code}/"
    if len(spoken) > 1:
        config.extra.setdefault("alternate", True)  # draws the locale switcher
    # The newest row's moment instead of today's, so that bytes repeat.
    os.environ.setdefault("SOURCE_DATE_EPOCH", epoch(project))


def _look(config: "MkDocsConfig") -> None:
    """The theme, and what generated pages are made of; a site's own words come first."""
    config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(THEME))
    own = _said_of_theme(config)
    for name, value in _LOOKS.items():
        if name not in own:
            config.theme[name] = value
    config.extra.setdefault("generator", False)
    config.extra_css.insert(0, _STYLE)
    script = ExtraScriptValue(_SCRIPT)
    script.defer = True
    config.extra_javascript.insert(0, script)
    for name, options in EXTENSIONS.items():
        if name not in config.markdown_extensions:
            config.markdown_extensions.append(name)
        config.mdx_configs[name] = {**options, **config.mdx_configs.get(name, {})}
    leaves = PathSpec().run_validation(_NOT_IN_NAV)
    config.not_in_nav = leaves + config.not_in_nav if config.not_in_nav else leaves


def _said_of_theme(config: "MkDocsConfig") -> Collection[str]:
    """What the settings themselves say of the theme; mkdocs hands on no more than the sum."""
    with Path(config.config_file_path).open("rb") as file:
        theme = yaml_load(file).get("theme")
    return theme if isinstance(theme, dict) else ()


def _locale(project: Project) -> str:
    """The locale of this build; the default one unless this build was started for another."""
    return os.environ.get(CHILD) or locales(project)[0].code


def _project(config: "MkDocsConfig") -> Project:
    return Project(Path(config.config_file_path).resolve().parent)
