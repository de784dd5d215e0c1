"""All dialects, by the word that a SPEC begins with."""

from collections.abc import Mapping

from generator.runners.dialects.anthropic import Anthropic
from generator.runners.dialects.dialect import Dialect
from generator.runners.dialects.openai import OpenAI

DIALECTS: Mapping[str, Dialect] = {"openai": OpenAI(), "anthropic": Anthropic()}
