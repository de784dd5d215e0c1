import os, sys, json
from math import ceil, floor, sqrt


def crates(pieces, per_crate):
    return ceil(pieces / per_crate)


def main():
    sys.stdout.write(f"{crates(25, 12)} crates\n")


if __name__ == "__main__":
    main()
