"""The family of paired experiments: two arms on the same tasks, judged by an oracle."""
