"""What strangers call their systems when they mean harm, and what a reader should then see."""

import re
import unicodedata
from collections.abc import Mapping

_UNSEEN = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")

HOSTILE: Mapping[str, str] = {
    "script": "<script>alert('evil')</script>",
    "image": '"><img src=x onerror=alert(1)>',
    "svg": "<svg/onload=alert(1)><title>evil</title></svg></text></svg>",
    "iframe": '</bdi></th></table><iframe src="https://evil.example/"></iframe>',
    "style": "<style>*{display:none}</style><base href=https://evil.example>",
    "javascript link": "[press](javascript:alert(1))",
    "data link": "[press](data:text/html;base64,PHNjcmlwdD4=)",
    "reference link": "[press][evil]",
    "definition": "[evil]: https://evil.example 'evil'",
    "picture": "![evil](https://evil.example/pixel.png)",
    "autolink": "<https://evil.example/> and evil@evil.example",
    "attribute list": "name {: #evil .evil onmouseover=alert(1) }",
    "block attribute list": "{: onclick=alert(1) }",
    "pipes": "a | b || c |\\| d",
    "rule": "| --- | :-: |",
    "abbreviation": "*[Passed]: Failed",
    "footnote": "[^evil]: evil[^evil]",
    "snippet": '--8<-- ".env"',
    "block snippet": "--8<--",
    "emphasis": "**evil** *evil* __evil__ _evil_ ~~evil~~ ^^evil^^ ==evil==",
    "heading": "# evil",
    "closing heading": "evil ######",
    "list": "1. evil",
    "quote": "> evil",
    "indented": "    <b>evil</b>  ",
    "fence": "``` {.evil onclick=alert(1)}",
    "backticks": "`evil` ``evil`` `",
    "quotes": 'it\'s "so" “said” «so» \u2018evil\u2019',
    "backslashes": "\\<b>\\ \\[evil\\](\\) \\",
    "comment": "<!-- evil --> <![CDATA[evil]]> <?php evil ?> <!doctype evil>",
    "half comment": "evil <!--",
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt; &#60;b&#62; &#x3c;",
    "YAML end": "evil\n---\ntitle: evil\n...\n",
    "YAML mapping": "evil: {a: [b, 'c\": *d",
    "YAML tag": "!!python/object/apply:os.system ['evil']",
    "Jinja value": "{{ config }} {{ 7 * 7 }} {# evil #}",
    "Jinja tag": "{% raw %}{% include 'evil' %}",
    "place": "{0} {count} {system} {} {benchmark.__class__} %s %(evil)s",
    "math": "$$\\evil{x}$$ \\(evil\\) $evil$",
    "emoji": ":smile: 🙂 👩\u200d🔬 🏳️\u200d🌈",
    "table of contents": "[TOC] [[evil]] ++evil++ ??? evil",
    "long": "evil long " * 29,
    "unbroken": "evil" * 70,
    "right to left": "نموذج شرير שלום",
    "override": "\u202eevil\u202c \u2066evil\u2069 evil\u200f",
    "no width": "ev\u200bil\u2060 \ufeffevil e\u200b\u0301vil",
    "composed": "É vil Å",
    "decomposed": "E\u0301 wil A\u030a",
    "controls": "evil\x00\x07\x1b[31mevil\x7f\x85\tevil\u2028evil",
    "no characters": "<b>evil</b>\ufffe\uffff\ufdd0",
    "look-alikes": "\uff45\uff56\uff49\uff4c \uff1cscript\uff1e \u037ealert\u1fef",
    "formula": '=HYPERLINK("https://evil.example") +1 -1 @evil',
    "path": "../../evil/..\\..\\evil%2e%2e/CON:",
}
"""By kind: a text of at most 300 characters, as a name, an answer, an option may be one."""


def visible(text: str) -> str:
    """What there is to see of a text, said in other words than the escaper's own."""
    shown = ""
    for char in _UNSEEN.sub("", text):
        kind = unicodedata.category(char)
        if kind == "Cs" or 0xFDD0 <= ord(char) <= 0xFDEF or ord(char) in {0xFFFE, 0xFFFF}:
            shown += "\ufffd"
        elif kind in {"Cc", "Zl", "Zp"}:
            shown += " "
        elif not 0xE0000 <= ord(char) <= 0xE007F and not 0xFFF9 <= ord(char) <= 0xFFFB:
            shown += char
    return unicodedata.normalize("NFC", shown)
