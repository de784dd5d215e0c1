"""The plugin `assay`: what it sets where the settings of a site are silent, and what it leaves."""

import os
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Literal

import pytest
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from generator.mkdocs_plugin import THEME, AssayPlugin
from generator.workflow.build import epoch
from tests.conftest import Kit

URL = "https://results.example/some/where/"
ONE = """\
site_name: Greetings
theme: {name: material}
plugins: [assay]
extra:
  locales:
    - {code: "en", name: "English"}
"""
TWO = ONE + '    - {code: "pt-BR", name: "Português"}\n'

Configure = Callable[[str], MkDocsConfig]


@pytest.fixture
def configured(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> Configure:
    """The settings of a site as mkdocs reads them, and as the plugin leaves them."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "7")
    kit.write("docs/en/index.md", "# Home\n")

    def read(text: str) -> MkDocsConfig:
        config = load_config(str(kit.write("mkdocs.yml", text)))
        return config.plugins.on_config(config)

    return read


def test_mkdocs_finds_the_plugin_by_its_name() -> None:
    """A site of somebody else names no path of ours: the installed package declares the plugin."""
    (found,) = entry_points(group="mkdocs.plugins", name="assay")
    assert found.load() is AssayPlugin


def test_silent_settings_are_filled(configured: Configure) -> None:
    """Theme, extensions, style and script come with the plugin; nothing is fetched for a font."""
    config = configured(ONE)
    assert config.theme.dirs[0] == str(THEME)
    assert (config.theme["font"], config.extra["generator"]) == (False, False)
    assert "navigation.prune" in config.theme["features"]
    assert [scheme["scheme"] for scheme in config.theme["palette"]] == ["default", "slate"]
    assert {"tables", "toc", "pymdownx.highlight"} <= set(config.markdown_extensions)
    assert config.mdx_configs["toc"] == {"permalink": True}
    files = [str(config.extra_css[0]), str(config.extra_javascript[0])]
    assert all((THEME / name).is_file() for name in files)


def test_what_the_settings_say_stands(configured: Configure) -> None:
    """Each word of a site's own comes before ours, and none of ours is lost beside it."""
    text = ONE.replace("{name: material}", "{name: material, font: {text: Inter}, features: []}")
    config = configured(
        f"{text}  generator: true\n"
        "extra_css: [own.css]\nextra_javascript: [own.js]\n"
        "markdown_extensions: [attr_list, toc: {permalink: false}]\n"
        "not_in_nav: /drafts/\n"
    )
    assert (config.theme["font"], config.theme["features"]) == ({"text": "Inter"}, [])
    assert config.theme["icon"] == {"logo": "material/scale-balance"}
    assert config.extra["generator"] is True
    assert [str(path) for path in config.extra_css] == ["assets/assay.css", "own.css"]
    assert [str(path) for path in config.extra_javascript] == ["assets/assay.js", "own.js"]
    assert {"attr_list", "pymdownx.superfences"} <= set(config.markdown_extensions)
    assert config.mdx_configs["toc"] == {"permalink": False}
    assert config.not_in_nav is not None
    kept = ("drafts/one.md", "results/greetings/a-row.md", "benchmarks/greetings.md")
    assert all(config.not_in_nav.match_file(path) for path in kept)
    assert not config.not_in_nav.match_file("guide/index.md")


def test_a_site_may_override_the_theme_once_more(kit: Kit, configured: Configure) -> None:
    """A `custom_dir` of the site is asked before the theme of the plugin."""
    (kit.root / "own").mkdir()
    config = configured(ONE.replace("{name: material}", "{name: material, custom_dir: own}"))
    assert config.theme.dirs[:2] == [str(kit.root / "own"), str(THEME)]


def test_the_default_locale_stands_at_the_root(kit: Kit, configured: Configure) -> None:
    """A plain build takes the first language of the list, and leaves the address as it is."""
    config = configured(f"{TWO}site_url: {URL}\n")
    assert (config.docs_dir, config.site_url) == (str(kit.project.docs / "en"), URL)
    assert config.theme["language"] == "en"


def test_another_locale_has_its_folder_language_and_address(
    kit: Kit, configured: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that was started for a language takes its pages, and stands below the default one."""
    monkeypatch.setenv("ASSAY_LOCALE", "pt-BR")
    config = configured(f"{TWO}site_url: {URL}\n")
    assert (config.docs_dir, config.site_url) == (str(kit.project.docs / "pt-BR"), f"{URL}pt-BR/")
    assert config.theme["language"] == "pt"
    assert not configured(TWO).site_url


def test_a_site_in_one_language_has_no_switcher(configured: Configure) -> None:
    """There is something to choose from where there are two."""
    assert "alternate" not in configured(ONE).extra
    assert configured(TWO).extra["alternate"] is True


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ONE.replace("material", "readthedocs"), "theme: {name: material}"),
        (ONE.partition("extra:")[0], "says nothing of the site's languages"),
    ],
    ids=["theme", "languages"],
)
def test_settings_that_will_not_do_are_told(configured: Configure, text: str, told: str) -> None:
    """What the plugin can't do without ends the build in a sentence that says what to write."""
    with pytest.raises(SystemExit, match=told.replace("{", r"\{")):
        configured(text)


def test_the_moment_is_set_unless_somebody_has(
    kit: Kit, configured: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment of the newest row takes the place of today, unless the caller named another."""
    configured(ONE)
    assert os.environ["SOURCE_DATE_EPOCH"] == "7"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    configured(ONE)
    assert os.environ["SOURCE_DATE_EPOCH"] == epoch(kit.project)


@pytest.mark.parametrize("command", ["build", "serve"])
def test_a_build_of_one_locale_starts_no_other(
    kit: Kit,
    configured: Configure,
    monkeypatch: pytest.MonkeyPatch,
    command: Literal["build", "serve"],
) -> None:
    """The builds that the default locale's build starts end with themselves; so does serving."""
    config = configured(TWO)
    if command == "build":
        monkeypatch.setenv("ASSAY_LOCALE", "pt-BR")
    plugin = AssayPlugin()
    plugin.on_startup(command=command, dirty=False)
    plugin.on_post_build(config=config)
    assert not Path(config.site_dir).exists()
    assert not kit.project.site.exists()
